/* SPDX-License-Identifier: MIT */
/* damage.c - modules of SPIR-V, whole and damaged, through the reader.
 *
 *    damage [--share=K/N] [--flips=COUNT] FILE...
 *
 * Whatever the words are, the answer is a shader that the validator accepts, or a diagnostic with a
 * place within the module. A module is cut off after each word, each of its words is changed, each
 * allocation fails once, and its bytes are turned round. One line of TAP a file.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/check.h"
#include "heddle/spirv.h"
#include "heddle/text.h"

#define STEPS 20000000u

struct session {
   const char *file; /* whose words are read */
   const char *what; /* what was done to them */
   uint32_t word;
   size_t num_words;
   unsigned share, shares, flips;
   unsigned errors; /* that the last reading told */
   char first[160]; /* of them */
   bool failed;
   uint64_t random;
   uint64_t allocations, fail_at; /* the allocation that fails; 0: none */
   int64_t held;                  /* bytes that were not given back */
   unsigned num_read, num_refused;
};

static void
fault(struct session *s, const char *message)
{
   printf("# %s: %s %u: %s\n", s->file, s->what, s->word, message);
   s->failed = true;
}

static uint64_t
next_random(struct session *s)
{
   s->random ^= s->random << 13;
   s->random ^= s->random >> 7;
   s->random ^= s->random << 17;
   return s->random;
}

static void *
allocate(void *user, size_t size)
{
   struct session *s = user;

   if (++s->allocations == s->fail_at)
      return NULL;
   s->held += (int64_t)size;
   return malloc(size);
}

static void
give_back(void *user, void *ptr, size_t size)
{
   struct session *s = user;

   s->held -= (int64_t)size;
   free(ptr);
}

static void
hear(void *user, const hd_diag *diag)
{
   struct session *s = user;

   if (s->errors++) {
      fault(s, s->first);
      fault(s, diag->message);
   }
   snprintf(s->first, sizeof(s->first), "%s", diag->message);
   if (!*diag->message)
      fault(s, "an empty message");
   if (diag->offset > s->num_words * 4)
      fault(s, "a place behind the module");
}

static void
hear_validator(void *user, const hd_diag *diag)
{
   fault(user, diag->message);
}

static hd_result
read_words(struct session *s, const uint32_t *words, size_t num_words, hd_shader **shader)
{
   const hd_spirv_options options = { .file_name = s->file };
   const hd_config config = { .allocator = { s, allocate, give_back },
                              .budget = { .steps = STEPS },
                              .diag = { s, hear } };
   hd_spirv_info *info = NULL;

   s->errors = 0;
   s->allocations = 0;
   s->num_words = num_words;
   hd_result result = hd_spirv_to_shader(words, num_words, &options, &config, shader);
   if ((result == HD_INVALID || result == HD_UNSUPPORTED) && s->errors != 1)
      fault(s, s->errors ? "several errors" : "no error was reported");
   if (result == HD_OK && s->errors)
      fault(s, "read, with errors");
   s->errors = 0;
   if (!s->fail_at && hd_spirv_get_info(words, num_words, &options, &config, &info) == HD_OK)
      hd_spirv_info_destroy(info);
   return result;
}

/* Read them, whatever they are. */
static void
try_words(struct session *s, const uint32_t *words, size_t num_words)
{
   const hd_validate_options options = { .diag = { s, hear_validator } };
   hd_shader *shader = NULL;

   if (read_words(s, words, num_words, &shader) == HD_OK) {
      s->num_read++;
      if (hd_validate(shader, &options) != HD_OK)
         fault(s, "the shader is not valid");
   } else {
      s->num_refused++;
   }
   hd_shader_destroy(shader);
   if (s->held)
      fault(s, "memory was not given back");
   s->held = 0;
}

static void
cut(struct session *s, uint32_t *words, size_t num_words)
{
   s->what = "cut off after word";
   for (size_t n = 0; n < num_words; n++) {
      s->word = (uint32_t)n;
      if (n % s->shares != s->share)
         continue;
      /* A block of its own: the sanitizer sees what is read past the end. */
      uint32_t *copy = malloc(n * 4 + 1);
      memcpy(copy, words, n * 4);
      try_words(s, copy, n);
      free(copy);
   }
}

static uint32_t
changed(struct session *s, const uint32_t *words, size_t num_words, unsigned way)
{
   const uint32_t word = words[s->word];

   switch (way % 6) {
   case 0:
      return word ^ 1u << next_random(s) % 32;
   case 1:
      return word + (next_random(s) % 2 ? 1 : -1u);
   case 2:
      return (uint32_t)(next_random(s) % words[3]);
   case 3:
      return words[next_random(s) % num_words];
   case 4:
      return (word & 0xffff0000u) | (uint32_t)(next_random(s) % 400);
   default:
      return next_random(s) % 2 ? UINT32_MAX : 0;
   }
}

static void
change(struct session *s, uint32_t *words, size_t num_words)
{
   s->what = "changed word";
   for (unsigned n = 0; n < s->flips; n++) {
      for (uint32_t word = n % s->shares == s->share ? 0 : s->share; word < num_words;
           word += s->shares) {
         const uint32_t old = words[word];
         s->word = word;
         words[word] = changed(s, words, num_words, n);
         try_words(s, words, num_words);
         words[word] = old;
      }
   }
}

static void
fail_allocations(struct session *s, uint32_t *words, size_t num_words)
{
   hd_shader *shader = NULL;
   hd_result result = HD_OUT_OF_MEMORY;

   s->what = "without allocation";
   for (s->fail_at = 1; result == HD_OUT_OF_MEMORY && s->fail_at < 100000; s->fail_at++) {
      s->word = (uint32_t)s->fail_at;
      result = read_words(s, words, num_words, &shader);
      hd_shader_destroy(shader);
      shader = NULL;
      if (s->held)
         fault(s, "memory was not given back");
      s->held = 0;
   }
   s->fail_at = 0;
}

/* The same module in the other order of bytes is the same shader. */
static void
turn(struct session *s, const uint32_t *words, size_t num_words)
{
   hd_shader *a = NULL, *b = NULL;
   hd_blob text = { 0 }, other = { 0 };
   uint32_t *turned = malloc(num_words * 4 + 1);

   s->what = "turned round";
   s->word = 0;
   for (size_t n = 0; n < num_words; n++) {
      const uint32_t w = words[n];
      turned[n] = w >> 24 | (w >> 8 & 0xff00) | (w << 8 & 0xff0000) | w << 24;
   }
   if (read_words(s, words, num_words, &a) != read_words(s, turned, num_words, &b))
      fault(s, "the result differs");
   if (a && b) {
      hd_print_shader(a, NULL, &text);
      hd_print_shader(b, NULL, &other);
      if (text.size != other.size || memcmp(text.data, other.data, text.size) != 0)
         fault(s, "the shader differs");
   }
   hd_blob_finish(&text);
   hd_blob_finish(&other);
   hd_shader_destroy(a);
   hd_shader_destroy(b);
   s->held = 0;
   free(turned);
}

static uint32_t *
read_file(const char *path, size_t *num_words)
{
   FILE *file = fopen(path, "rb");
   uint32_t *words = NULL;

   if (!file)
      return NULL;
   fseek(file, 0, SEEK_END);
   const long size = ftell(file);
   rewind(file);
   words = malloc((size_t)size + 1);
   *num_words = words ? fread(words, 4, (size_t)size / 4, file) : 0;
   fclose(file);
   return words;
}

static void
damage(struct session *s)
{
   size_t num_words;
   uint32_t *words = read_file(s->file, &num_words);

   if (!words || num_words < 5) {
      s->what = "reading";
      fault(s, "no module");
      free(words);
      return;
   }
   s->what = "as it is";
   s->word = 0;
   try_words(s, words, num_words);
   turn(s, words, num_words);
   fail_allocations(s, words, num_words);
   cut(s, words, num_words);
   change(s, words, num_words);
   free(words);
}

int
main(int argc, char **argv)
{
   struct session s = { .shares = 1, .flips = 6 };
   unsigned number = 0, failures = 0;

   for (int n = 1; n < argc; n++) {
      if (sscanf(argv[n], "--share=%u/%u", &s.share, &s.shares) == 2 ||
          sscanf(argv[n], "--flips=%u", &s.flips) == 1)
         continue;
      s.file = argv[n];
      s.failed = false;
      s.random = 0x9e3779b97f4a7c15u + number;
      s.num_read = s.num_refused = 0;
      damage(&s);
      const char *name = strrchr(s.file, '/');
      printf("%sok %u - %s: %u read, %u refused\n", s.failed ? "not " : "", ++number,
             name ? name + 1 : s.file, s.num_read, s.num_refused);
      fflush(stdout);
      failures += s.failed;
   }
   printf("1..%u\n", number);
   return failures ? 1 : 0;
}
