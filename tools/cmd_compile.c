/* SPDX-License-Identifier: MIT */
/* cmd_compile.c - heddle compile: a shader as machine code. */
#include "annotate.h"
#include "tool.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/gcn_sim.h"

typedef enum form { AS_TEXT, AS_CODE, AS_OBJECT } form;

/* The word of a list that an option's value is; -1: it is none, and a message was printed. */
static int
choice(tool *t, const char *name, const char *const *words, int none)
{
   const char *value = option_value(t, name);

   if (!value)
      return none;
   for (int n = 0; words[n]; n++) {
      if (!strcmp(words[n], value))
         return n;
   }
   char list[100] = "";
   for (int n = 0; words[n]; n++) {
      const char *between = !n ? "" : words[n + 1] ? ", " : " or ";
      const size_t length = strlen(list);
      snprintf(list + length, sizeof(list) - length, "%s%s", between, words[n]);
   }
   trouble("--%s is %s, not '%s'", name, list, value);
   return -1;
}

/* False: a message was printed. */
static bool
number(tool *t, const char *name, uint32_t most, uint32_t *out)
{
   const char *value = option_value(t, name);
   char *end;

   if (!value)
      return true;
   unsigned long long n = strtoull(value, &end, 10);
   if (*value < '0' || *value > '9' || *end || n > most) {
      trouble("--%s wants a number up to %u, not '%s'", name, most, value);
      return false;
   }
   *out = (uint32_t)n;
   return true;
}

bool
read_allocation_options(tool *t, hd_gcn_options *options)
{
   options->check = option_given(t, "check");
   return number(t, "max-sgprs", 1024, &options->max_sgprs) &&
          number(t, "max-vgprs", 1024, &options->max_vgprs) &&
          number(t, "extra-scratch", 1 << 20, &options->extra_scratch);
}

static bool
has_suffix(const char *path, const char *suffix)
{
   size_t length = strlen(path), tail = strlen(suffix);

   return length >= tail && !strcmp(path + length - tail, suffix);
}

/* What --print-after asks for, and what there was to choose from. */
typedef struct phases {
   const char *list; /* NULL: all */
   hd_blob seen;     /* names, with commas */
} phases;

static bool
is_in_list(const char *list, const char *name, size_t length)
{
   for (const char *s = list; *s; s += *s == ',') {
      size_t word = strcspn(s, ",");
      if (word == length && !strncmp(name, s, length))
         return true;
      s += word;
   }
   return false;
}

static void
print_phase(void *user, const char *phase, const char *text)
{
   phases *p = user;

   hd_blob_printf(&p->seen, "%s%s", p->seen.size ? "," : "", phase);
   if (!*p->list || is_in_list(p->list, phase, strlen(phase)))
      fprintf(stderr, "// after %s\n%s", phase, text);
}

/* False: one was asked for that there is not, and a message was printed. */
static bool
phases_exist(const phases *p)
{
   const char *seen = p->seen.data && p->seen.result == HD_OK ? p->seen.data : "";

   for (const char *s = p->list; s && *s; s += *s == ',') {
      size_t length = strcspn(s, ",");
      if (!is_in_list(seen, s, length)) {
         trouble("there is no phase '%.*s'; there are: %s", (int)length, s, seen);
         return false;
      }
      s += length;
   }
   return true;
}

static bool
read_options(tool *t, hd_gcn_options *options, const hd_shader *shader, form *form, phases *phases)
{
   static const char *const targets[] = { "gfx600", "gfx803", "gfx900", NULL };
   static const char *const abis[] = { "hsa", "driver", NULL };
   static const char *const roads[] = { "tree", "reconverging", NULL };
   static const char *const skips[] = { "cost", "always", "never", NULL };
   static const char *const forms[] = { "text", "code", "object", NULL };
   const char *path = option_value(t, "output");
   bool kernel = shader->stage == HD_STAGE_KERNEL;
   int none = AS_TEXT;

   if (path && has_suffix(path, ".bin"))
      none = AS_CODE;
   else if (path && has_suffix(path, ".o"))
      none = AS_OBJECT;
   int target = choice(t, "target", targets, HD_GCN_GFX9);
   int abi = choice(t, "abi", abis, kernel ? HD_GCN_ABI_HSA : HD_GCN_ABI_DRIVER);
   int road = choice(t, "road", roads, HD_GCN_ROAD_TREE);
   int skip = choice(t, "skip", skips, HD_GCN_SKIP_COST);
   int to = choice(t, "to", forms, none);
   if (target < 0 || abi < 0 || road < 0 || skip < 0 || to < 0)
      return false;
   if (!read_allocation_options(t, options) || !number(t, "waves", 1024, &options->waves))
      return false;
   if (to == AS_OBJECT && abi != HD_GCN_ABI_HSA) {
      trouble("only what is compiled with --abi=hsa has a code object");
      return false;
   }
   *form = (enum form)to;
   options->target = (hd_gcn_gen)target;
   options->abi = (hd_gcn_abi_kind)abi;
   options->road = (hd_gcn_road)road;
   options->skip = (hd_gcn_skip)skip;
   options->passes = option_value(t, "passes");
   options->no_schedule = option_given(t, "no-schedule");
   options->keep_text = to == AS_TEXT;
   options->diag = t->config.diag;
   if (option_given(t, "print-after")) {
      phases->list = option_value(t, "print-after");
      options->user = phases;
      options->after_phase = print_phase;
   }
   return true;
}

static void
print_stats(const tool *t, const hd_gcn_binary *binary, FILE *file)
{
   const hd_gcn_stats *s = &binary->stats;
   const struct {
      const char *key, *words;
      uint32_t value;
   } rows[] = {
      { "instructions", "instructions", s->instructions },
      { "exec_reads", "of these with exec", s->exec_reads },
      { "exec_writes", "that write exec", s->exec_writes },
      { "branches", "branches", s->branches },
      { "salu", "scalar", s->salu },
      { "valu", "vector", s->valu },
      { "smem", "scalar memory", s->smem },
      { "vmem", "vector memory", s->vmem },
      { "lds", "LDS", s->lds },
      { "code_size", "bytes of code", s->code_size },
      { "data_size", "bytes of constant data", s->data_size },
      { "sgprs", "SGPRs", s->sgprs },
      { "vgprs", "VGPRs", s->vgprs },
      { "spilled_sgprs", "spilled scalar values", s->spilled_sgprs },
      { "spilled_vgprs", "spilled vector values", s->spilled_vgprs },
      { "lds_size", "bytes of LDS a workgroup", s->lds_size },
      { "scratch_size", "bytes of scratch a lane", s->scratch_size },
      { "waves", "waves a SIMD", s->waves },
   };

   for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
      if (t->json)
         fprintf(file, "%s\"%s\":%u", n ? "," : "{", rows[n].key, rows[n].value);
      else
         fprintf(file, "%8u  %s\n", rows[n].value, rows[n].words);
   }
   if (t->json)
      fprintf(file, "}\n");
}

static bool
write_text(const char *path, const char *text, const annotation *source)
{
   hd_blob whole = { 0 };

   if (!source)
      return write_file(path, text, strlen(text));
   annotation_write(source, text, &whole);
   const bool ok = whole.result == HD_OK && write_file(path, whole.data, whole.size);
   hd_blob_finish(&whole);
   return ok;
}

static int
write_result(tool *t, const hd_gcn_binary *binary, form form, const annotation *source)
{
   const char *path = option_value(t, "output");
   bool stats = option_given(t, "stats"), ok = true;

   assert(binary);
   /* With --json the figures are the result, unless the result has a file of its own. */
   if (path || !(stats && t->json)) {
      if (form == AS_TEXT)
         ok = write_text(path, binary->text, source);
      else if (form == AS_CODE)
         ok = write_file(path, binary->code, binary->code_words * sizeof(uint32_t));
      else
         ok = write_file(path, binary->object, binary->object_size);
   }
   if (stats)
      print_stats(t, binary, t->json ? stdout : stderr);
   return ok ? 0 : EXIT_TROUBLE;
}

/* A kernel of SPIR-V: its name and its arguments, as the module has them. False: no memory. */
static bool
describe_kernel(const tool *t, const hd_shader *shader, hd_gcn_options *options,
                hd_gcn_kernarg **kernargs)
{
   static const hd_gcn_kernarg_kind kinds[] = {
      [HD_SPIRV_ARGUMENT_VALUE] = HD_GCN_KERNARG_VALUE,
      [HD_SPIRV_ARGUMENT_GLOBAL] = HD_GCN_KERNARG_GLOBAL,
      [HD_SPIRV_ARGUMENT_SHARED] = HD_GCN_KERNARG_SHARED,
      [HD_SPIRV_ARGUMENT_OTHER] = HD_GCN_KERNARG_VALUE,
   };
   const hd_spirv_info *info = t->spirv_info;

   if (!info || options->abi != HD_GCN_ABI_HSA)
      return true;
   options->kernel_name = shader->name && *shader->name ? shader->name : NULL;
   *kernargs = calloc((size_t)info->num_arguments + 1, sizeof(**kernargs));
   for (uint32_t n = 0; *kernargs && n < info->num_arguments; n++) {
      const hd_spirv_argument *a = &info->arguments[n];
      (*kernargs)[n] = (hd_gcn_kernarg){
         .kind = a->constant ? HD_GCN_KERNARG_CONSTANT : kinds[a->kind],
         .name = a->name,
         .offset = a->offset,
         .size = a->size,
         .pointee_align = a->pointee_align,
         .readonly = a->readonly,
         .restricted = a->restricted,
      };
   }
   options->kernargs = *kernargs;
   options->num_kernargs = info->num_arguments;
   return *kernargs != NULL;
}

int
run_compile(tool *t)
{
   hd_gcn_options options = { 0 };
   hd_gcn_driver_abi *abi = NULL;
   hd_gcn_binary *binary = NULL;
   hd_result result = HD_OK;
   phases phases = { 0 };
   hd_gcn_kernarg *kernargs = NULL;
   int status;
   form form;

   t->wants_info = true;
   hd_shader *shader = load_only_shader(t, &status);
   if (!shader)
      return status;
   if (!read_options(t, &options, shader, &form, &phases)) {
      hd_spirv_info_destroy(t->spirv_info);
      hd_shader_destroy(shader);
      return EXIT_TROUBLE;
   }
   if (!describe_kernel(t, shader, &options, &kernargs))
      result = HD_OUT_OF_MEMORY;
   annotation *source = NULL;
   if (result == HD_OK && option_given(t, "source") && form == AS_TEXT) {
      source = annotate_shader(shader);
      result = source ? HD_OK : HD_OUT_OF_MEMORY;
   }
   if (result == HD_OK && options.abi == HD_GCN_ABI_DRIVER) {
      result = hd_gcn_sim_abi_create(shader, NULL, &abi);
      options.driver = abi;
      options.whole_groups = true;
   }
   if (result == HD_OK)
      result = hd_gcn_compile(shader, &options, &binary);
   status = explain(t, t->num_operands ? t->operands[0] : "<stdin>", result);
   if (!status && !phases_exist(&phases))
      status = EXIT_TROUBLE;
   if (!status)
      status = write_result(t, binary, form, source);
   annotation_free(source);
   hd_blob_finish(&phases.seen);
   free(kernargs);
   hd_spirv_info_destroy(t->spirv_info);
   hd_gcn_binary_destroy(binary);
   hd_gcn_sim_abi_destroy(shader, abi);
   hd_shader_destroy(shader);
   return status;
}
