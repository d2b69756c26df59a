/* SPDX-License-Identifier: MIT */
/* gcn_compile.c - heddle compile for GCN. */
#include "annotate.h"
#include "gcn.h"
#include "run_kernel.h"

#include "heddle/spirv.h"
#include "heddle/target.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/gcn_sim.h"

typedef enum form { AS_TEXT, AS_CODE, AS_OBJECT } form;

/* Options of compile that are for other machines. */
static const char *const others[] = { "full-size", NULL };

bool
read_allocation_options(tool *t, hd_gcn_options *options)
{
   options->verify_regalloc = option_given(t, "check");
   return read_number(t, "max-sgprs", 1024, &options->max_sgprs) &&
          read_number(t, "max-vgprs", 1024, &options->max_vgprs) &&
          read_number(t, "extra-scratch", 1 << 20, &options->extra_scratch);
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
   static const char *const abis[] = { "hsa", "driver", NULL };
   static const char *const skips[] = { "cost", "always", "never", NULL };
   static const char *const forms[] = { "text", "code", "object", NULL };
   const char *path = option_value(t, "output");
   bool kernel = shader->stage == HD_STAGE_KERNEL, all = option_given(t, "all-kernels");
   int none = all ? AS_OBJECT : AS_TEXT;
   unsigned level;

   if (path && has_suffix(path, ".bin"))
      none = AS_CODE;
   else if (path && has_suffix(path, ".s"))
      none = AS_TEXT;
   else if (path && (has_suffix(path, ".o") || has_suffix(path, ".hsaco")))
      none = AS_OBJECT;
   if (!read_level(t, &level))
      return false;
   int abi = choose_word(t, "abi", abis, kernel ? HD_GCN_ABI_HSA : HD_GCN_ABI_DRIVER);
   int lowering = choose_word(t, "lowering", gcn_lowerings, HD_GCN_LOWERING_TREE);
   int skip = choose_word(t, "skip", skips, HD_GCN_SKIP_COST);
   int to = choose_word(t, "to", forms, none);
   if (abi < 0 || lowering < 0 || skip < 0 || to < 0)
      return false;
   if (!read_allocation_options(t, options) || !read_number(t, "waves", 1024, &options->min_waves))
      return false;
   if (to == AS_OBJECT && abi != HD_GCN_ABI_HSA) {
      trouble("--to=object needs --abi=hsa");
      return false;
   }
   if (all && to != AS_OBJECT) {
      trouble(
          "--all-kernels makes a code object: --to=object, or an output that ends in .o or .hsaco");
      return false;
   }
   *form = (enum form)to;
   options->abi = (hd_gcn_abi_kind)abi;
   options->lowering = (hd_gcn_lowering)lowering;
   options->skip = (hd_gcn_skip)skip;
   options->passes = option_value(t, "passes");
   options->quick = option_given(t, "quick") || level < 2;
   options->no_schedule = option_given(t, "no-schedule") || !level;
   options->keep_text = to == AS_TEXT;
   options->diag = t->config.diag;
   if (option_given(t, "print-after")) {
      phases->list = option_value(t, "print-after");
      options->user = phases;
      options->after_phase = print_phase;
   }
   return true;
}

/* By hd_gcn_color_format. */
static const char *const color_formats[HD_GCN_NUM_COLOR_FORMATS + 1] = {
   "none",         "32_r",        "32_gr",       "32_ar",   "fp16_abgr", "unorm16_abgr",
   "snorm16_abgr", "uint16_abgr", "sint16_abgr", "32_abgr", NULL
};

static int
find_color_format(const char *name, size_t length)
{
   for (int n = 0; color_formats[n]; n++) {
      if (strlen(color_formats[n]) == length && !strncmp(color_formats[n], name, length))
         return n;
   }
   return -1;
}

/* --color-formats: of targets 0, 1, ...; those after the last one named are not there. False: a message was printed. */
static bool
read_color_formats(tool *t, hd_gcn_driver_abi *abi)
{
   const char *s = option_value(t, "color-formats");
   unsigned num = 0;

   if (!s)
      return true;
   memset(abi->color_format, HD_GCN_COLOR_NONE, sizeof(abi->color_format));
   for (;; s++) {
      const size_t length = strcspn(s, ",");
      const int format = find_color_format(s, length);
      if (format < 0 || num == HD_GCN_MAX_COLORS) {
         trouble(
             "--color-formats=%s: expected up to %u of none, 32_r, 32_gr, 32_ar, fp16_abgr, unorm16_abgr, "
             "snorm16_abgr, uint16_abgr, sint16_abgr, 32_abgr",
             option_value(t, "color-formats"), HD_GCN_MAX_COLORS);
         return false;
      }
      abi->color_format[num++] = (uint8_t)format;
      s += length;
      if (!*s)
         return true;
   }
}

/* `name`: of one kernel among others; NULL: it is alone. */
static void
print_stats(const tool *t, const char *name, const hd_gcn_binary *binary, FILE *file)
{
   const hd_gcn_stats *s = &binary->stats;
   const hd_gcn_graphics *g = &binary->graphics;
   const stat_row rows[] = {
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
      { "waves", "waves a SIMD", s->occupancy },
      /* Of vertex and fragment shaders. */
      { "parameters", "parameters", g->num_parameters },
      { "positions", "exports of positions", g->num_positions },
      { "ps_input_ena", "SPI_PS_INPUT_ENA", g->ps_input_ena },
      { "color_formats", "SPI_SHADER_COL_FORMAT", g->color_formats },
      { "kills", "with lanes that end without a colour", g->uses_discard },
      { "helpers", "with helper lanes", g->helpers },
   };
   const size_t of_stages = g->num_positions || g->ps_input_ena ? 0 : 6;

   print_stat_rows(t, name, rows, sizeof(rows) / sizeof(rows[0]) - of_stages, file);
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
      print_stats(t, NULL, binary, t->json ? stdout : stderr);
   return ok ? 0 : EXIT_TROUBLE;
}

/* A shader, and what was made of it. */
struct compilation {
   hd_shader *shader;
   hd_spirv_info *info;
   hd_gcn_options options;
   hd_gcn_kernarg *kernargs;
   hd_gcn_sampler samplers[MAX_CONSTANT_SAMPLERS];
   hd_gcn_driver_abi *abi;
   hd_gcn_binary *binary;
   annotation *source;
   phases phases;
   form form;
};

/* A kernel of SPIR-V: its name and its arguments, as the module has them. False: no memory. */
static bool
describe_kernel(const tool *t, const hd_shader *shader, hd_gcn_options *options,
                hd_gcn_kernarg **kernargs)
{
   static const hd_gcn_kernarg_kind kinds[] = {
      [HD_SPIRV_ARGUMENT_VALUE] = HD_GCN_KERNARG_VALUE,
      [HD_SPIRV_ARGUMENT_GLOBAL] = HD_GCN_KERNARG_GLOBAL,
      [HD_SPIRV_ARGUMENT_SHARED] = HD_GCN_KERNARG_SHARED,
      [HD_SPIRV_ARGUMENT_IMAGE] = HD_GCN_KERNARG_IMAGE,
      [HD_SPIRV_ARGUMENT_SAMPLER] = HD_GCN_KERNARG_SAMPLER,
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
         .binding = n,
         .readonly = a->readonly,
         .writeonly = a->writeonly,
         .restricted = a->restricted,
      };
   }
   options->kernargs = *kernargs;
   options->num_kernargs = info->num_arguments;
   return *kernargs != NULL;
}

/* Constant samplers of the module. */
static void
describe_samplers(const tool *t, struct compilation *c)
{
   hd_wave_sampler samplers[MAX_CONSTANT_SAMPLERS];
   hd_wave_launch launch = { 0 };

   if (!t->spirv_info || c->options.abi != HD_GCN_ABI_HSA)
      return;
   bind_constant_samplers(t, &launch, samplers);
   for (uint32_t n = 0; n < launch.num_samplers; n++) {
      c->samplers[n].binding = samplers[n].binding;
      hd_gcn_sim_sampler(&samplers[n], c->samplers[n].words);
   }
   c->options.samplers = c->samplers;
   c->options.num_samplers = launch.num_samplers;
}

/* The shader and what is reported of it are left. */
static void
finish(struct compilation *c)
{
   annotation_free(c->source);
   hd_blob_finish(&c->phases.seen);
   free(c->kernargs);
   hd_gcn_binary_destroy(c->binary);
   hd_gcn_sim_abi_destroy(c->shader, c->abi);
}

/* 0, or the exit code: a message was printed. */
static int
compile(tool *t, const char *name, struct compilation *c)
{
   hd_result result = HD_OK;

   if (!read_options(t, &c->options, c->shader, &c->form, &c->phases))
      return EXIT_TROUBLE;
   if (option_given(t, "color-formats") && c->shader->stage != HD_STAGE_FRAGMENT)
      return trouble("--color-formats is for fragment shaders");
   if (!describe_kernel(t, c->shader, &c->options, &c->kernargs))
      result = HD_OUT_OF_MEMORY;
   describe_samplers(t, c);
   if (result == HD_OK && option_given(t, "source") && c->form == AS_TEXT) {
      c->source = annotate_shader(c->shader);
      result = c->source ? HD_OK : HD_OUT_OF_MEMORY;
   }
   if (result == HD_OK && c->options.abi == HD_GCN_ABI_DRIVER) {
      result = hd_gcn_sim_abi_create(c->shader, NULL, &c->abi);
      c->options.driver = c->abi;
      c->options.full_subgroups = true;
      if (result == HD_OK && !read_color_formats(t, c->abi))
         return EXIT_TROUBLE;
   }
   if (result == HD_OK)
      result = hd_gcn_compile(c->shader, &c->options, &c->binary);
   const int status = explain(t, name, result);
   return !status && !phases_exist(&c->phases) ? EXIT_TROUBLE : status;
}

static const char *
name_of(const struct compilation *c)
{
   return c->options.kernel_name ? c->options.kernel_name : c->shader->first_function->name;
}

/* Kernels of several inputs in one code object. */
struct linked {
   tool *t;
   const hd_target *target;
   struct compilation *kernels;
   uint32_t num, capacity;
};

static int
add_kernel(struct linked *l, const char *name, const char *data, size_t size)
{
   int status;

   if (l->num == l->capacity) {
      const uint32_t capacity = l->capacity ? 2 * l->capacity : 8;
      struct compilation *kernels = realloc(l->kernels, capacity * sizeof(*kernels));
      if (!kernels)
         return explain(l->t, name, HD_OUT_OF_MEMORY);
      l->kernels = kernels;
      l->capacity = capacity;
   }
   struct compilation *c = &l->kernels[l->num];
   *c = (struct compilation){ .shader = read_shader(l->t, name, data, size, &status),
                              .options.target = gen_of(l->target) };
   if (!c->shader)
      return status;
   c->info = l->t->spirv_info;
   l->num++;
   return compile(l->t, name, c);
}

/* Each kernel of a module of SPIR-V, else the one that there is. */
static int
add_kernels(struct linked *l, const char *name, const char *data, size_t size)
{
   hd_spirv_info *info;

   if (!is_spirv(data, size))
      return add_kernel(l, name, data, size);
   int status = explain(l->t, name, read_spirv_info(l->t, name, data, size, &info));
   const uint32_t num = status ? 0 : info->num_entry_points;
   for (uint32_t n = 0; !status && n < num; n++) {
      if (info->entry_points[n].stage != HD_STAGE_KERNEL)
         continue;
      l->t->entry = info->entry_points[n].name;
      status = add_kernel(l, name, data, size);
   }
   l->t->entry = NULL;
   if (num)
      hd_spirv_info_destroy(info);
   return status;
}

static int
link_kernels(struct linked *l)
{
   const hd_gcn_binary **binaries = calloc(l->num + (size_t)1, sizeof(const hd_gcn_binary *));
   const char *path = option_value(l->t, "output");
   const bool stats = option_given(l->t, "stats");
   hd_blob object = { 0 };

   for (uint32_t n = 0; binaries && n < l->num; n++)
      binaries[n] = l->kernels[n].binary;
   int status =
       explain(l->t, "link",
               binaries ? hd_gcn_link(&l->t->config, binaries, l->num, &object) : HD_OUT_OF_MEMORY);
   if (!status && (path || !(stats && l->t->json)) && !write_file(path, object.data, object.size))
      status = EXIT_TROUBLE;
   for (uint32_t n = 0; !status && stats && n < l->num; n++)
      print_stats(l->t, name_of(&l->kernels[n]), binaries[n], l->t->json ? stdout : stderr);
   free(binaries);
   hd_blob_finish(&object);
   return status;
}

int
compile_all_for_gcn(tool *t, const hd_target *target)
{
   struct linked l = { .t = t, .target = target };
   int status = 0;

   if (refuse_options(t, others, target))
      return EXIT_TROUBLE;
   if (option_given(t, "entry"))
      return trouble("expected one of --entry and --all-kernels, found both");
   for (int n = 0; !status && (n < t->num_operands || !n); n++) {
      const char *path = t->num_operands ? t->operands[n] : "-";
      char *data;
      size_t size;
      status = read_file(t, path, &data, &size);
      if (status)
         break;
      status = add_kernels(&l, strcmp(path, "-") ? path : "<stdin>", data, size);
      free(data);
   }
   if (!status)
      status = link_kernels(&l);
   for (uint32_t n = 0; n < l.num; n++) {
      finish(&l.kernels[n]);
      hd_spirv_info_destroy(l.kernels[n].info);
      hd_shader_destroy(l.kernels[n].shader);
   }
   free(l.kernels);
   return status;
}

int
compile_for_gcn(tool *t, const hd_target *target, hd_shader *shader)
{
   struct compilation c = { .options.target = gen_of(target), .shader = shader };
   int status = EXIT_TROUBLE;

   if (refuse_options(t, others, target))
      return status;
   status = compile(t, t->num_operands ? t->operands[0] : "<stdin>", &c);

   if (!status)
      status = write_result(t, c.binary, c.form, c.source);
   finish(&c);
   return status;
}
