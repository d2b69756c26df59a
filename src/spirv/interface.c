/* SPDX-License-Identifier: MIT */
/* interface.c - entry point interface: execution modes, built-ins, kernel arguments. */
#include "spirv/spirv.h"

#define MAX_INVOCATIONS (UINT64_C(1) << 31) /* of a workgroup: rule SH3 */

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
   uint32_t found = 0, num = 0;

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
                          "there are several entry points, and none was chosen: '%.100s', '%.100s'",
                          hd_spirv_entry_name(s, found), name);
      num++;
      if (!found)
         found = word;
   }
   s->at = (struct spirv_instr){ 0 };
   return num > 1 && !wanted ? 0 : found;
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
      hd_heap_step(s->heap, 1);
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
   uint64_t invocations = 1;
   for (unsigned n = 0; given && n < 3; n++) {
      if (size[n] <= 65535)
         invocations *= size[n];
      if (!size[n] || size[n] > 65535 || invocations > MAX_INVOCATIONS)
         hd_spirv_invalid(s, "a workgroup is %u x %u x %u large", size[0], size[1], size[2]);
   }
}

/* What follows the name. */
static void
mark_interface(struct spirv *s, const struct spirv_instr *i, const char *name)
{
   for (uint32_t n = 2 + (uint32_t)strlen(name) / 4 + 1; n < i->num_words; n++) {
      struct spirv_id *id = hd_spirv_id(s, i->words[n]);
      if (id->kind == ID_VARIABLE)
         id->variable->used = true;
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
   mark_interface(s, &i, name);
   hd_spirv_read_modes(s, s->entry);
   s->at = i;
   check_workgroup_size(s);
   if (s->options->subgroup_size)
      s->shader->subgroup_size = s->options->subgroup_size;
   s->at = (struct spirv_instr){ 0 };
}

/* Built-in inputs */

/* The number of the invocation in the launch, x fastest. */
static hd_def *
linear_id(hd_builder *b)
{
   hd_def *id = hd_global_invocation_id(b), *size = hd_workgroup_size(b);
   hd_def *groups = hd_num_workgroups(b);
   hd_def *part[3], *length[2];

   for (unsigned n = 0; n < 3; n++)
      part[n] = hd_u2u(b, hd_build_channel(b, id, n), 64);
   for (unsigned n = 0; n < 2; n++)
      length[n] = hd_umul_wide(b, hd_build_channel(b, groups, n), hd_build_channel(b, size, n));
   hd_def *row = hd_iadd(b, hd_imul(b, part[2], length[1]), part[1]);
   return hd_iadd(b, hd_imul(b, row, length[0]), part[0]);
}

static hd_def *
workgroup_size(struct spirv *s)
{
   const uint32_t *size = s->shader->workgroup_size;

   return size[0] ? hd_imm_vec_u32(&s->b, 3, size) : hd_workgroup_size(&s->b);
}

static hd_def *
builtin_def(struct spirv *s, int32_t builtin)
{
   hd_builder *b = &s->b;
   const bool kernel = s->shader->stage == HD_STAGE_KERNEL;

   if (!kernel && (builtin == SPV_BUILT_IN_GLOBAL_OFFSET || builtin == SPV_BUILT_IN_WORK_DIM))
      hd_spirv_invalid(s, "the built-in %s is one of kernels",
                       hd_spirv_built_in_name((uint32_t)builtin));
   switch (builtin) {
   case SPV_BUILT_IN_GLOBAL_INVOCATION_ID:
      return kernel ? hd_iadd(b, hd_global_invocation_id(b), hd_global_offset(b))
                    : hd_global_invocation_id(b);
   case SPV_BUILT_IN_LOCAL_INVOCATION_ID:
      return hd_local_invocation_id(b);
   case SPV_BUILT_IN_LOCAL_INVOCATION_INDEX:
      return hd_local_invocation_index(b);
   case SPV_BUILT_IN_WORKGROUP_ID:
      return hd_workgroup_id(b);
   case SPV_BUILT_IN_NUM_WORKGROUPS:
      return hd_num_workgroups(b);
   case SPV_BUILT_IN_WORKGROUP_SIZE:
   case SPV_BUILT_IN_ENQUEUED_WORKGROUP_SIZE:
      return workgroup_size(s);
   case SPV_BUILT_IN_GLOBAL_SIZE:
      return hd_imul(b, hd_num_workgroups(b), workgroup_size(s));
   case SPV_BUILT_IN_GLOBAL_OFFSET:
      return hd_global_offset(b);
   case SPV_BUILT_IN_GLOBAL_LINEAR_ID:
      return linear_id(b);
   case SPV_BUILT_IN_WORK_DIM:
      return hd_work_dim(b);
   case SPV_BUILT_IN_SUBGROUP_SIZE:
   case SPV_BUILT_IN_SUBGROUP_MAX_SIZE:
      return s->shader->subgroup_size ? hd_imm_u32(b, s->shader->subgroup_size)
                                      : hd_subgroup_size(b);
   case SPV_BUILT_IN_NUM_SUBGROUPS:
   case SPV_BUILT_IN_NUM_ENQUEUED_SUBGROUPS:
      return hd_num_subgroups(b);
   case SPV_BUILT_IN_SUBGROUP_ID:
      return hd_subgroup_id(b);
   case SPV_BUILT_IN_SUBGROUP_LOCAL_INVOCATION_ID:
      return hd_subgroup_invocation(b);
   case SPV_BUILT_IN_SUBGROUP_EQ_MASK:
      return hd_subgroup_eq_mask(b);
   case SPV_BUILT_IN_SUBGROUP_GE_MASK:
      return hd_subgroup_ge_mask(b);
   case SPV_BUILT_IN_SUBGROUP_GT_MASK:
      return hd_subgroup_gt_mask(b);
   case SPV_BUILT_IN_SUBGROUP_LE_MASK:
      return hd_subgroup_le_mask(b);
   case SPV_BUILT_IN_SUBGROUP_LT_MASK:
      return hd_subgroup_lt_mask(b);
   case SPV_BUILT_IN_DEVICE_INDEX:
   case SPV_BUILT_IN_VIEW_INDEX:
      return hd_imm_u32(b, 0);
   default:
      hd_spirv_unsupported(s, "the built-in %s is not supported in this stage",
                           hd_spirv_built_in_name((uint32_t)builtin));
   }
}

/* Kernels have them in 64 bits. */
struct spirv_value *
hd_spirv_builtin(struct spirv *s, int32_t builtin, const struct spirv_type *t)
{
   hd_def *def = builtin_def(s, builtin);

   if (!hd_spirv_type_is_leaf(t) || t->is_float || t->bits < 32 ||
       t->components != def->num_components)
      hd_spirv_invalid(s, "the built-in %s has not the type %u",
                       hd_spirv_built_in_name((uint32_t)builtin), t->id);
   return hd_spirv_make_def(s, t, t->bits == def->bit_size ? def : hd_u2u(&s->b, def, t->bits));
}
