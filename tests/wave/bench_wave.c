/* SPDX-License-Identifier: MIT */
/* bench_wave.c - lane operations a second: instructions of the function times their active lanes.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <heddle/heddle_tools.h>
#include <heddle/wave.h>

/* A loop of 20,000 rounds around some code that makes %y:32 of %x:32: straight code and code on
 * half of the lanes is generated.
 */
static const char head[] =
    "shader compute \"t\" {\n workgroup 256 1 1\n shared 1024\n function @main {\n b0:\n"
    "%zero:32 = const 0\n%one:32 = const 1\n%two:32 = const 2\n%three:32 = const 3\n"
    "%many:32 = const 20000\n%half:32 = const 0.5\n%lane:32 = local_invocation_index\n"
    "%at:32 = ishl %lane, %two\nstore_shared %lane, %at\nloop {\n b1:\n"
    "%n:32 = phi b0: %zero, b3: %m\n%x:32 = phi b0: %half, b3: %y\n%out:1 = ule %many, %n\n"
    "if %out { b2:\n break } b4:\n";
static const char tail[] = "} continue { b3:\n%m:32 = iadd %n, %one\n} b5:\n"
                           "store_buffer %x, %zero, %zero\n}\n}\n";

static const struct {
   const char *name, *body;
} programs[] = {
   { "integers", "%a:32 = imul %x, %three\n%b:32 = ixor %a, %lane\n%c:32 = ushr %b, %one\n"
                 "%d:32 = umin %c, %b\n%e:32 = iadd %d, %n\n%y:32 = iand %e, %a\n" },
   { "floats", "%a:32 = fmul %x, %half\n%b:32 = fadd %a, %half\n%c:32 = ffma %b, %half, %x\n"
               "%d:32 = fmin %c, %b\n%y:32 = fmax %d, %a\n" },
   { "divergence", "%a:32 = ixor %n, %lane\n%b:32 = iand %a, %three\n%c:1 = ieq %b, %zero\n"
                   "if %c { b6:\n%d:32 = iadd %x, %one\n%e:32 = imul %d, %three\n} else { b7:\n"
                   "%f:32 = isub %x, %one\n} b8:\n%y:32 = phi b6: %e, b7: %f\n" },
   { "memory", "%a:32 = load_shared %at\n%b:32 = iadd %a, %one\nstore_shared %b, %at\n"
               "%y:32 = ixor %x, %b\n" },
   { "reductions", "%a:32 = reduce %x reduce_op=iadd\n%y:32 = iadd %a, %lane\n" },
   { "straight", NULL },
   { "half", NULL },
};

static const char *const ops[] = { "iadd", "isub", "imul", "iand", "ior",
                                   "ixor", "ishl", "ushr", "umin", "umax" };

/* 200 ops, each on two of the eight values before it, in even rounds for even lanes if `half`. */
static void
generate(char *out, size_t size, bool half)
{
   uint32_t random = 1;
   size_t length = 0;

   if (half)
      length += (size_t)snprintf(out, size,
                                 "%%p:32 = ixor %%n, %%lane\n%%q:32 = iand %%p, %%one\n"
                                 "%%c:1 = ieq %%q, %%zero\nif %%c { b6:\n");
   for (unsigned n = 0; n < 200; n++) {
      unsigned src[2];
      for (unsigned k = 0; k < 2; k++) {
         random = random * 1103515245 + 12345;
         src[k] = (random >> 16) % (n < 8 ? n + 1 : 8);
      }
      length += (size_t)snprintf(out + length, size - length, "%%v%u:32 = %s", n,
                                 ops[(random >> 8) % 10]);
      for (unsigned k = 0; k < 2; k++) {
         if (src[k] >= n)
            length += (size_t)snprintf(out + length, size - length, k ? ", %%x\n" : " %%x");
         else
            length += (size_t)snprintf(out + length, size - length, k ? ", %%v%u\n" : " %%v%u",
                                       n - 1 - src[k]);
      }
   }
   snprintf(out + length, size - length,
            half ? "} else { b7:\n} b8:\n%%y:32 = phi b6: %%v199, b7: %%x\n"
                 : "%%y:32 = iadd %%v199, %%lane\n");
}

static double
seconds(void)
{
   struct timespec t;

   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
   return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int
main(void)
{
   for (unsigned n = 0; n < sizeof(programs) / sizeof(programs[0]); n++) {
      static char body[16384], text[20000];
      uint32_t word = 0;
      const hd_wave_buffer buffer = { .memory = { &word, NULL, 4 } };
      const hd_wave_launch launch = { .lanes = 64, .buffers = &buffer, .num_buffers = 1 };
      const hd_config config = { .diag = hd_diag_to_file(stderr) };
      hd_wave_stats stats;
      hd_shader *shader;

      if (!programs[n].body)
         generate(body, sizeof(body), n == sizeof(programs) / sizeof(programs[0]) - 1);
      snprintf(text, sizeof(text), "%s%s%s", head, programs[n].body ? programs[n].body : body,
               tail);
      if (hd_parse(&config, programs[n].name, text, strlen(text), &shader) != HD_OK ||
          hd_validate(shader, NULL) != HD_OK)
         return 1;
      const double before = seconds();
      const hd_result result = hd_wave_run(shader, &launch, &stats);
      const double took = seconds() - before;
      hd_shader_destroy(shader);
      if (result != HD_OK)
         return 1;
      printf("%-12s %6.0f million lane operations a second\n", programs[n].name,
             (double)stats.lane_ops / took * 1e-6);
   }
   return 0;
}
