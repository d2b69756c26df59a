/* SPDX-License-Identifier: MIT */
/* run_phases.c - read a program of machine code, run some phases, print what has become of it.
 *
 *    run_phases PHASE[,PHASE...] FILE
 *    run_phases --list                    the phases there are: a name, and the targets that share it
 *
 * The language is that of machine/text/program.h, and `.target` comes first. Phases that read the IR
 * are tested by `heddle compile --print-after`. The text does not tell a register that a value has from one
 * that it must have: the step `unfix` says that none must be. The last step `encode` prints the listing of the
 * code, for a machine that packs and lays out as it writes. Exit status 1: the phase refused the program, or
 * the text is none; 2: wrong usage.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/config.h"

#if HD_HAS_GCN
#include "backend/gcn/asm/parse.h"
#include "backend/gcn/output.h"
#endif
#if HD_HAS_GEN9
#include "backend/gen9/program.h"
#endif
#if HD_HAS_NYUZI
#include "backend/nyuzi/program.h"
#endif
#if HD_HAS_R700
#include "backend/r700/program.h"
#include "heddle/r700_asm.h"
#endif
#include "ir/private.h"
#include "machine/compile.h"
#include "machine/text/program.h"

static void
hear(void *user, const hd_diag *diag)
{
   (void)user;
   if (diag->line)
      fprintf(stderr, "%u:%u: ", diag->line, diag->column);
   fprintf(stderr, "%s\n", diag->message);
}

/* One machine: its program, and what is done with it. */
typedef struct machine {
   const char *target;
   const hd_mach_compiler *compiler;
   hd_mach_program *(*begin)(const struct machine *m);
   bool (*parse)(hd_mach_program *p, const hd_config *config, const char *file, const char *text,
                 size_t length);
   unsigned variant;
   /* The code of the program as text; NULL: this machine has no such step. */
   bool (*encode)(hd_mach_program *p, hd_blob *out);
} machine;

#if HD_HAS_GCN
static hd_mach_program *
begin_gcn(const machine *m)
{
   static hd_gcn_program program;
   static hd_gcn_options options;

   options.target = (hd_gcn_gen)m->variant;
   options.abi = HD_GCN_ABI_HSA;
   program.options = &options;
   program.mach.mach = &hd_gcn_target_of(options.target)->mach;
   program.mach.hooks = hd_gcn_hooks_of(options.target);
   return &program.mach;
}
#endif

#if HD_HAS_GEN9
static hd_mach_program *
begin_gen9(const machine *m)
{
   static hd_gen9_program program;
   static const hd_gen9_options options;

   (void)m;
   program.options = &options;
   program.width = &hd_gen9_widths[0];
   program.mach.mach = &hd_gen9_machs[0];
   program.mach.hooks = &hd_gen9_hooks;
   return &program.mach;
}
#endif

#if HD_HAS_NYUZI
static hd_mach_program *
begin_nyuzi(const machine *m)
{
   static hd_nyuzi_program program;
   static const hd_nyuzi_options options;

   (void)m;
   program.options = &options;
   program.mach.mach = &hd_nyuzi_mach;
   program.mach.hooks = &hd_nyuzi_hooks;
   return &program.mach;
}
#endif

#if HD_HAS_R700
static hd_mach_program *
begin_r700(const machine *m)
{
   static hd_r700_program program;
   static const hd_r700_options options;

   (void)m;
   program.options = &options;
   program.mach.mach = &hd_r700_mach;
   program.mach.hooks = &hd_r700_hooks;
   return &program.mach;
}

static bool
encode_r700(hd_mach_program *p, hd_blob *out)
{
   const hd_config *config = hd_shader_config(p->shader);
   hd_blob code = { 0 };
   const bool good = hd_r700_encode_program(p, &code) && code.result == HD_OK &&
                     hd_r700_disassemble(config, false, code.data, code.size, out, NULL) == HD_OK;

   hd_blob_finish(&code);
   return good;
}
#endif

static const machine machines[] = {
#if HD_HAS_GCN
   { "gfx600", &hd_gcn_compiler, begin_gcn, hd_gcn_program_parse, HD_GCN_GFX600, NULL },
   { "gfx803", &hd_gcn_compiler, begin_gcn, hd_gcn_program_parse, HD_GCN_GFX803, NULL },
   { "gfx900", &hd_gcn_compiler, begin_gcn, hd_gcn_program_parse, HD_GCN_GFX900, NULL },
#endif
#if HD_HAS_GEN9
   { "gen9", &hd_gen9_compiler, begin_gen9, hd_mach_program_parse, 0, NULL },
#endif
#if HD_HAS_NYUZI
   { "nyuzi", &hd_nyuzi_compiler, begin_nyuzi, hd_mach_program_parse, 0, NULL },
#endif
#if HD_HAS_R700
   { "r700", &hd_r700_compiler, begin_r700, hd_r700_program_parse, 0, encode_r700 },
#endif
   { NULL, NULL, NULL, NULL, 0, NULL },
};

/* The machine that the first `.target` names. */
static const machine *
machine_of(const char *text)
{
   const char *name = strstr(text, "\n.target ");

   for (const machine *m = machines; name && m->target; m++) {
      const size_t length = strlen(m->target);
      if (!strncmp(name + 9, m->target, length) && name[9 + length] == '\n')
         return m;
   }
   return NULL;
}

static const hd_mach_phase *
find_phase(const hd_mach_compiler *compiler, const char *name, size_t length)
{
   for (size_t n = 0; n < compiler->num_phases; n++) {
      const hd_mach_phase *phase = &compiler->phases[n];
      if (strlen(phase->name) == length && !strncmp(phase->name, name, length))
         return phase;
   }
   return NULL;
}

/* Those that read the IR, which the text does not have. */
static const char *const of_ir[] = { "select",      "exec_mask", "exec_mask_reconverging",
                                     "structured",  "stack",     "block_numbers",
                                     "assign_masks" };

static bool
reads_ir(const hd_mach_phase *phase)
{
   for (size_t n = 0; n < sizeof(of_ir) / sizeof(of_ir[0]); n++) {
      if (!strcmp(phase->name, of_ir[n]))
         return true;
   }
   return false;
}

static bool
has_phase(const machine *m, const hd_mach_phase *phase)
{
   const hd_mach_phase *other = find_phase(m->compiler, phase->name, strlen(phase->name));

   return other && other->run == phase->run;
}

/* A line for each function: a phase of the layer stands there once, with all targets. */
static void
list_phases(void)
{
   for (const machine *m = machines; m->target; m++) {
      for (size_t n = 0; n < m->compiler->num_phases; n++) {
         const hd_mach_phase *phase = &m->compiler->phases[n];
         const machine *first = machines;
         while (!has_phase(first, phase))
            first++;
         if (first != m)
            continue;
         printf("%s", phase->name);
         for (const machine *other = m; other->target; other++)
            if (has_phase(other, phase))
               printf(" %s", other->target);
         printf("\n");
      }
   }
}

static void
unfix(hd_mach_program *p)
{
   hd_mach_foreach_block(block, p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         for (unsigned n = 0; n < (unsigned)inst->num_defs + inst->num_srcs; n++) {
            if (hd_mach_is_temp(&inst->operands[n]))
               inst->operands[n].flags &= (uint8_t)~HD_MACH_OPERAND_FIXED;
         }
      }
   }
}

static bool
run(hd_mach_program *p, const machine *m, const char *phases, hd_blob *out)
{
   for (const char *name = phases; *name; name += *name == ',') {
      const size_t length = strcspn(name, ",");
      if (!strcmp(name, "encode") && m->encode)
         return m->encode(p, out);
      if (!strncmp(name, "unfix,", 6)) {
         unfix(p);
         name += length;
         continue;
      }
      const hd_mach_phase *phase = find_phase(m->compiler, name, length);
      if (!phase) {
         fprintf(stderr, "%s has no phase %.*s\n", m->target, (int)length, name);
         exit(2);
      }
      if (reads_ir(phase)) {
         fprintf(stderr, "%s reads the IR\n", phase->name);
         exit(2);
      }
      if (!phase->run(p)) {
         fprintf(stderr, "refused by %s\n", phase->name);
         return false;
      }
      name += length;
   }
   if (m->compiler->print)
      m->compiler->print(p, out);
   else
      hd_mach_program_print(p, NULL, out);
   return true;
}

static char *
read_file(const char *path, size_t *size)
{
   FILE *file = fopen(path, "rb");
   char *text = calloc(1, 1 << 20);

   if (!file || !text) {
      fprintf(stderr, "cannot read %s\n", path);
      exit(2);
   }
   *size = fread(text, 1, (1 << 20) - 1, file);
   fclose(file);
   return text;
}

/* Parse, run, and print to `out`. */
static bool
transform(hd_mach_program *p, const machine *m, const char *phases, const char *file, hd_blob *out)
{
   const hd_config *config = hd_shader_config(p->shader);
   hd_heap *heap = hd_shader_heap(p->shader);
   volatile bool good = false;
   size_t size;
   char *text = read_file(file, &size);
   hd_unwind u;

   if (HD_TRY(heap, &u))
      good = m->parse(p, config, file, text, size) && run(p, m, phases, out);
   if (hd_heap_leave(heap, &u) != HD_OK)
      good = false;
   free(text);
   return good;
}

int
main(int argc, char **argv)
{
   const hd_config config = { .diag = { NULL, hear } };
   hd_stack scratch;
   hd_blob out = { 0 };
   size_t size;

   if (argc == 2 && !strcmp(argv[1], "--list")) {
      list_phases();
      return 0;
   }
   if (argc != 3) {
      fprintf(stderr, "run_phases PHASE[,PHASE...] FILE\n");
      return 2;
   }
   char *text = read_file(argv[2], &size);
   const machine *m = machine_of(text);
   free(text);
   if (!m) {
      fprintf(stderr, "no line .target names a machine of this build\n");
      return 2;
   }
   hd_mach_program *p = m->begin(m);
   p->shader = hd_shader_create(&config, HD_STAGE_KERNEL, "text");
   p->function = hd_function_create(p->shader, "text", true);
   p->stack = hd_shader_stack(p->shader);
   p->scratch = &scratch;
   hd_stack_init(&scratch, hd_shader_heap(p->shader));
   const bool good = transform(p, m, argv[1], argv[2], &out);
   if (good)
      fwrite(out.data, 1, out.size, stdout);
   hd_blob_finish(&out);
   hd_stack_finish(&scratch);
   hd_shader_destroy(p->shader);
   return good ? 0 : 1;
}
