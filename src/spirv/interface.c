/* SPDX-License-Identifier: MIT */
/* interface.c - the entry point: its modes, built-in inputs, kernel arguments. */
#include "spirv/spirv.h"

/* Entry points */

static const char *
model_name(uint32_t model)
{
   static const char *const names[] = { "a vertex shader",
                                        "a tessellation control shader",
                                        "a tessellation evaluation shader",
                                        "a geometry shader",
                                        "a fragment shader",
                                        "a compute shader",
                                        "a kernel" };

   return model < sizeof(names) / sizeof(*names) ? names[model] : "of a stage of its own";
}

static bool
is_supported(uint32_t model)
{
   return model == SPV_EXECUTION_MODEL_GLCOMPUTE || model == SPV_EXECUTION_MODEL_KERNEL;
}

const char *
hd_spirv_entry_name(struct spirv *s, uint32_t word)
{
   return hd_spirv_string(s, word + 3);
}

/* The one that was asked for, as an offset; 0 if there is none. */
static uint32_t
choose_entry(struct spirv *s)
{
   const char *wanted = s->options->entry_point;
   uint32_t found = 0;

   for (uint32_t n = 0; n < s->num_entry_points; n++) {
      uint32_t word = s->entry_points[n];
      const char *name = hd_spirv_entry_name(s, word);
      s->at = hd_spirv_fetch(s, word);
      if (wanted && strcmp(name, wanted) != 0)
         continue;
      if (!is_supported(s->words[word + 1])) {
         if (s->needs_entry && wanted)
            hd_spirv_unsupported(s, "'%.100s' is %s, which is not supported", name,
                                 model_name(s->words[word + 1]));
         continue;
      }
      if (found && !wanted && s->needs_entry)
         hd_spirv_invalid(s,
                          "there are several entry points, and none was chosen: '%.100s', "
                          "'%.100s'",
                          hd_spirv_entry_name(s, found), name);
      if (!found)
         found = word;
   }
   s->at = (struct spirv_instr){ 0 };
   return found;
}

static void
no_entry(struct spirv *s)
{
   if (s->options->entry_point)
      hd_spirv_invalid(s, "there is no entry point '%.100s'", s->options->entry_point);
   if (!s->num_entry_points)
      hd_spirv_invalid(s, "there is no entry point");
   s->at = hd_spirv_fetch(s, s->entry_points[0]);
   hd_spirv_unsupported(s, "'%.100s' is %s, which is not supported",
                        hd_spirv_entry_name(s, s->entry_points[0]),
                        model_name(s->words[s->entry_points[0] + 1]));
}

/* Modes */

static uint32_t
float_control(struct spirv *s, uint32_t bits, uint32_t of16)
{
   switch (bits) {
   case 16:
      return of16;
   case 32:
      return of16 << 1;
   case 64:
      return of16 << 2;
   default:
      hd_spirv_invalid(s, "there are no floats of %u bits", bits);
   }
}

static void
read_local_size(struct spirv *s, const uint32_t *p, bool ids, uint32_t size[3])
{
   for (unsigned n = 0; n < 3; n++) {
      uint64_t value = ids ? hd_spirv_constant_uint(s, p[n]) : p[n];
      size[n] = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
   }
}

static void
read_mode(struct spirv *s, const struct spirv_instr *i)
{
   hd_shader *shader = s->shader;
   const uint32_t *p = i->words + 2;

   switch (i->words[1]) {
   case SPV_EXECUTION_MODE_LOCAL_SIZE:
   case SPV_EXECUTION_MODE_LOCAL_SIZE_ID:
      read_local_size(s, p, i->words[1] == SPV_EXECUTION_MODE_LOCAL_SIZE_ID,
                      shader->workgroup_size);
      break;
   case SPV_EXECUTION_MODE_SUBGROUP_SIZE:
      shader->subgroup_size = p[0];
      break;
   case SPV_EXECUTION_MODE_CONTRACTION_OFF:
      s->float_flags |= HD_FP_EXACT;
      break;
   case SPV_EXECUTION_MODE_DENORM_FLUSH_TO_ZERO:
      shader->float_controls |= float_control(s, p[0], HD_FLOAT_FLUSH_16);
      break;
   case SPV_EXECUTION_MODE_ROUNDING_MODE_RTZ:
      shader->float_controls |= float_control(s, p[0], HD_FLOAT_RTZ_16);
      break;
   case SPV_EXECUTION_MODE_INITIALIZER:
   case SPV_EXECUTION_MODE_FINALIZER:
      hd_spirv_unsupported(s, "kernels that run before or after others are not supported");
   default:
      /* The rest is about other stages, or a hint, or what is so anyway. */
      break;
   }
}

/* The built-in constant comes before the mode. */
static void
read_workgroup_size(struct spirv *s)
{
   if (!s->workgroup_size)
      return;
   const struct spirv_constant *c = hd_spirv_get_constant(s, s->workgroup_size);
   if (c->type->kind != TYPE_VECTOR || c->type->components != 3 || c->type->bits != 32)
      hd_spirv_invalid(s, "the size of workgroups is no vector of three 32-bit integers");
   for (unsigned n = 0; n < 3; n++)
      s->shader->workgroup_size[n] = (uint32_t)c->bits[n];
}

void
hd_spirv_read_modes(struct spirv *s, uint32_t function)
{
   for (uint32_t n = 0; n < s->num_modes; n++) {
      s->at = hd_spirv_fetch(s, s->modes[n]);
      if (s->at.words[0] == function)
         read_mode(s, &s->at);
   }
   read_workgroup_size(s);
}

static void
check_workgroup_size(struct spirv *s)
{
   const uint32_t *size = s->shader->workgroup_size;
   bool given = size[0] || size[1] || size[2];

   if (!given && s->shader->stage == HD_STAGE_COMPUTE)
      hd_spirv_invalid(s, "the size of its workgroups is not given");
   for (unsigned n = 0; given && n < 3; n++) {
      if (!size[n] || size[n] > 65535)
         hd_spirv_invalid(s, "a workgroup is %u x %u x %u large", size[0], size[1], size[2]);
   }
}

void
hd_spirv_read_entry(struct spirv *s)
{
   uint32_t word = choose_entry(s);

   if (!word) {
      if (s->needs_entry)
         no_entry(s);
      return;
   }
   struct spirv_instr i = hd_spirv_fetch(s, word);
   const char *name = hd_spirv_entry_name(s, word);
   s->at = i;
   s->entry_word = word;
   s->entry = i.words[1];
   s->shader->name = hd_shader_intern(s->shader, name, strlen(name));
   s->shader->stage = i.words[0] == SPV_EXECUTION_MODEL_KERNEL ? HD_STAGE_KERNEL : HD_STAGE_COMPUTE;
   if (hd_spirv_id(s, s->entry)->kind != ID_FUNCTION)
      hd_spirv_invalid(s, "id %u is no function", s->entry);
   hd_spirv_read_modes(s, s->entry);
   s->at = i;
   check_workgroup_size(s);
   if (s->options->subgroup_size)
      s->shader->subgroup_size = s->options->subgroup_size;
   s->at = (struct spirv_instr){ 0 };
}

/* Built-in inputs */

struct spirv_value *
hd_spirv_builtin(struct spirv *s, int32_t builtin, const struct spirv_type *t)
{
   hd_builder *b = &s->b;
   hd_def *def;

   switch (builtin) {
   case SPV_BUILT_IN_GLOBAL_INVOCATION_ID:
      def = hd_global_invocation_id(b);
      break;
   default:
      hd_spirv_unsupported(s, "built-in %d is not supported", builtin);
   }
   return hd_spirv_make_def(s, t, def);
}

struct spirv_value *
hd_spirv_kernel_argument(struct spirv *s, uint32_t n, const struct spirv_type *t)
{
   (void)t;
   hd_spirv_unsupported(s, "argument %u of a kernel", n);
}
