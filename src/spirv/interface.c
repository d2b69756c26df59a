/* SPDX-License-Identifier: MIT */
/* interface.c - the entry point and its execution modes. */
#include "spirv/spirv.h"

#define MAX_INVOCATIONS (UINT64_C(1) << 31) /* of a workgroup: rule SH3 */

/* Entry points */

static const char *
model_name(uint32_t model)
{
   static const char names[][33] = { "a vertex shader",
                                     "a tessellation control shader",
                                     "a tessellation evaluation shader",
                                     "a geometry shader",
                                     "a fragment shader",
                                     "a compute shader",
                                     "a kernel" };
   static const char rays[][24] = { "a ray generation shader", "an intersection shader",
                                    "an any-hit shader",       "a closest-hit shader",
                                    "a miss shader",           "a callable shader" };

   if (model < sizeof(names) / sizeof(*names))
      return names[model];
   if (model - SPV_EXECUTION_MODEL_RAY_GENERATION_KHR < sizeof(rays) / sizeof(*rays))
      return rays[model - SPV_EXECUTION_MODEL_RAY_GENERATION_KHR];
   switch (model) {
   case SPV_EXECUTION_MODEL_TASK_NV:
   case SPV_EXECUTION_MODEL_TASK_EXT:
      return "a task shader";
   case SPV_EXECUTION_MODEL_MESH_NV:
   case SPV_EXECUTION_MODEL_MESH_EXT:
      return "a mesh shader";
   default:
      return "of an unknown execution model";
   }
}

static bool
is_supported(uint32_t model)
{
   return hd_spirv_stage(model) != HD_NUM_STAGES;
}

hd_stage
hd_spirv_stage(uint32_t model)
{
   switch (model) {
   case SPV_EXECUTION_MODEL_GLCOMPUTE:
      return HD_STAGE_COMPUTE;
   case SPV_EXECUTION_MODEL_KERNEL:
      return HD_STAGE_KERNEL;
   case SPV_EXECUTION_MODEL_VERTEX:
      return HD_STAGE_VERTEX;
   case SPV_EXECUTION_MODEL_FRAGMENT:
      return HD_STAGE_FRAGMENT;
   default:
      return HD_NUM_STAGES;
   }
}

const char *
hd_spirv_entry_name(struct spirv *s, uint32_t word)
{
   return hd_spirv_string(s, word + 3);
}

/* Stages that are asked for if nothing else is: what computes goes before what draws. */
static uint32_t
wanted_stages(struct spirv *s)
{
   const uint32_t computing = 1u << HD_STAGE_COMPUTE | 1u << HD_STAGE_KERNEL;
   const char *wanted = s->options->entry_point;
   uint32_t there = 0;

   if (s->options->stages)
      return s->options->stages;
   for (uint32_t n = 0; n < s->num_entry_points; n++) {
      const uint32_t word = s->entry_points[n];
      if (!wanted || !strcmp(hd_spirv_entry_name(s, word), wanted))
         there |= 1u << hd_spirv_stage(s->words[word + 1]);
   }
   return there & computing ? computing : UINT32_MAX;
}

/* The one that was asked for, as an offset; 0 if there is none. */
static uint32_t
choose_entry(struct spirv *s)
{
   const char *wanted = s->options->entry_point;
   const uint32_t stages = wanted_stages(s);
   uint32_t found = 0, num = 0;

   for (uint32_t n = 0; n < s->num_entry_points; n++) {
      const uint32_t word = s->entry_points[n], model = s->words[word + 1];
      const char *name = hd_spirv_entry_name(s, word);
      s->at = hd_spirv_fetch(s, word);
      if (wanted && strcmp(name, wanted) != 0)
         continue;
      if (!is_supported(model)) {
         if (s->needs_entry && wanted)
            hd_spirv_unsupported(s, "'%.100s' is %s, which is not supported", name,
                                 model_name(model));
         continue;
      }
      if (!(stages >> hd_spirv_stage(model) & 1))
         continue;
      if (found && s->needs_entry)
         hd_spirv_invalid(s,
                          "there are several entry points, and none was chosen: '%.100s', '%.100s'",
                          hd_spirv_entry_name(s, found), name);
      num++;
      if (!found)
         found = word;
   }
   s->at = (struct spirv_instr){ 0 };
   return num > 1 ? 0 : found;
}

static void
no_entry(struct spirv *s)
{
   if (s->options->entry_point)
      hd_spirv_invalid(s, "there is no entry point '%.100s'", s->options->entry_point);
   if (!s->num_entry_points)
      hd_spirv_invalid(s, "there is no entry point");
   s->at = hd_spirv_fetch(s, s->entry_points[0]);
   if (s->options->stages)
      hd_spirv_invalid(s, "there is no entry point of the stages that are asked for");
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
      hd_spirv_invalid(s, "floats of %u bits do not exist", bits);
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

static const struct spirv_mode_row *
mode_row(uint32_t mode)
{
   uint32_t low = 0, high = hd_spirv_num_modes;

   while (low < high) {
      const uint32_t middle = (low + high) / 2;
      if (hd_spirv_modes[middle].value == mode)
         return &hd_spirv_modes[middle];
      if (hd_spirv_modes[middle].value < mode)
         low = middle + 1;
      else
         high = middle;
   }
   return NULL;
}

/* What a host learns of. */
static uint32_t
fact_of(uint8_t mode)
{
   switch (mode) {
   case SPIRV_MODE_ORIGIN_UPPER_LEFT:
      return HD_SPIRV_ORIGIN_UPPER_LEFT;
   case SPIRV_MODE_EARLY_FRAGMENT_TESTS:
      return HD_SPIRV_EARLY_FRAGMENT_TESTS;
   case SPIRV_MODE_EARLY_AND_LATE_FRAGMENT_TESTS:
      return HD_SPIRV_EARLY_AND_LATE_FRAGMENT_TESTS;
   case SPIRV_MODE_POST_DEPTH_COVERAGE:
      return HD_SPIRV_POST_DEPTH_COVERAGE;
   case SPIRV_MODE_DEPTH_REPLACING:
      return HD_SPIRV_DEPTH_REPLACING;
   case SPIRV_MODE_DEPTH_GREATER:
      return HD_SPIRV_DEPTH_GREATER;
   case SPIRV_MODE_DEPTH_LESS:
      return HD_SPIRV_DEPTH_LESS;
   case SPIRV_MODE_DEPTH_UNCHANGED:
      return HD_SPIRV_DEPTH_UNCHANGED;
   case SPIRV_MODE_STENCIL_REF_REPLACING:
      return HD_SPIRV_STENCIL_REPLACING;
   case SPIRV_MODE_QUAD_DERIVATIVES:
      return HD_SPIRV_QUAD_DERIVATIVES;
   case SPIRV_MODE_REQUIRE_FULL_QUADS:
      return HD_SPIRV_FULL_QUADS;
   default:
      return 0;
   }
}

static void
read_mode(struct spirv *s, const struct spirv_instr *i)
{
   hd_shader *shader = s->shader;
   const uint32_t *p = i->words + 2;
   const struct spirv_mode_row *row = mode_row(i->words[1]);

   if (!row || row->mode == SPIRV_MODE_REFUSED) {
      if (!s->needs_entry)
         return; /* who only asks what there is learns of it */
      if (!row)
         hd_spirv_unsupported(s, "the execution mode %u is not known", i->words[1]);
      hd_spirv_unsupported(s, "the execution mode %s is not supported",
                           hd_spirv_mode_text + row->name);
   }
   s->entry_modes |= fact_of(row->mode);
   switch (row->mode) {
   case SPIRV_MODE_LOCAL_SIZE:
   case SPIRV_MODE_LOCAL_SIZE_ID:
      read_local_size(s, p, row->mode == SPIRV_MODE_LOCAL_SIZE_ID, shader->workgroup_size);
      break;
   case SPIRV_MODE_SUBGROUP_SIZE:
      shader->subgroup_size = p[0];
      break;
   case SPIRV_MODE_SUBGROUPS_PER_WORKGROUP:
      s->subgroups = p[0];
      break;
   case SPIRV_MODE_SUBGROUPS_PER_WORKGROUP_ID:
      s->subgroups = (uint32_t)hd_spirv_constant_uint(s, p[0]);
      break;
   case SPIRV_MODE_CONTRACTION_OFF:
   case SPIRV_MODE_FPFAST_MATH_DEFAULT: /* what it allows is not made use of */
      s->float_flags |= HD_FP_EXACT;
      s->keeps_zeros = true;
      break;
   case SPIRV_MODE_SIGNED_ZERO_INF_NAN_PRESERVE: /* of one size: of all */
      s->keeps_zeros = true;
      break;
   case SPIRV_MODE_DENORM_PRESERVE: /* of one size: of all */
      s->keeps_denormals = true;
      break;
   case SPIRV_MODE_DENORM_FLUSH_TO_ZERO:
      shader->float_controls |= float_control(s, p[0], HD_FLOAT_FLUSH_16);
      break;
   case SPIRV_MODE_ROUNDING_MODE_RTZ:
      shader->float_controls |= float_control(s, p[0], HD_FLOAT_RTZ_16);
      break;
   case SPIRV_MODE_DERIVATIVE_GROUP_QUADS:
      s->quads_2d = true;
      break;
   case SPIRV_MODE_DERIVATIVE_GROUP_LINEAR:
      s->quads_in_row = true;
      break;
   default: /* SPIRV_MODE_HARMLESS */
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
      hd_spirv_invalid(s, "the workgroup size must be a vector of three 32-bit integers");
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

/* A constant that is the built-in may be there for another entry point. */
static void
drop_workgroup_size(struct spirv *s)
{
   if (hd_spirv_has_outputs(s))
      memset(s->shader->workgroup_size, 0, sizeof(s->shader->workgroup_size));
}

static void
check_workgroup_size(struct spirv *s)
{
   const uint32_t *size = s->shader->workgroup_size;
   bool given = size[0] || size[1] || size[2];

   if (!given && s->shader->stage == HD_STAGE_COMPUTE)
      hd_spirv_invalid(s, "the workgroup size is missing");
   uint64_t invocations = 1;
   for (unsigned n = 0; given && n < 3; n++) {
      if (size[n] <= 65535)
         invocations *= size[n];
      if (!size[n] || size[n] > 65535 || invocations > MAX_INVOCATIONS)
         hd_spirv_invalid(s, "a workgroup is %u x %u x %u large", size[0], size[1], size[2]);
   }
}

/* Quads for derivatives: squares of the first two dimensions, or four lanes in a row. */
static void
check_quads(struct spirv *s)
{
   const uint32_t *size = s->shader->workgroup_size;

   if (!s->quads_2d && !s->quads_in_row)
      return;
   if (s->quads_2d && s->quads_in_row)
      hd_spirv_invalid(s, "both DerivativeGroupQuads and DerivativeGroupLinear");
   if (s->shader->stage != HD_STAGE_COMPUTE)
      hd_spirv_invalid(s, "derivative groups are for compute shaders only");
   if (s->quads_2d && (size[0] % 2 || size[1] % 2))
      hd_spirv_invalid(s, "a workgroup of %u x %u has no quads of 2 x 2", size[0], size[1]);
   if ((uint64_t)size[0] * size[1] * size[2] % 4)
      hd_spirv_invalid(s, "a workgroup of %u x %u x %u has no quads", size[0], size[1], size[2]);
}

/* The number of subgroups follows from known sizes, or is not promised. */
static void
check_subgroups(struct spirv *s)
{
   const uint32_t *size = s->shader->workgroup_size, lanes = s->shader->subgroup_size;

   if (!s->subgroups)
      return;
   if (!size[0] || !lanes)
      hd_spirv_unsupported(s,
                           "SubgroupsPerWorkgroup is not supported where the sizes of workgroups "
                           "and subgroups are not given");
   const uint64_t items = (uint64_t)size[0] * size[1] * size[2], has = (items + lanes - 1) / lanes;
   if (has != s->subgroups)
      hd_spirv_unsupported(s, "a workgroup has %u subgroups, SubgroupsPerWorkgroup asks for %u",
                           (unsigned)has, s->subgroups);
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
   s->shader->stage = hd_spirv_stage(i.words[0]);
   if (hd_spirv_id(s, s->entry)->kind != ID_FUNCTION)
      hd_spirv_invalid(s, "id %u is not a function", s->entry);
   mark_interface(s, &i, name);
   hd_spirv_read_modes(s, s->entry);
   /* Vulkan's shaders ask for infinities and NaNs by SignedZeroInfNanPreserve, too, for denormals by DenormPreserve. */
   if (!s->kernel && !s->keeps_zeros && !s->keeps_denormals &&
       !(s->shader->float_controls & (HD_FLOAT_FLUSH_16 | HD_FLOAT_FLUSH_32 | HD_FLOAT_FLUSH_64)))
      s->shader->float_controls |= HD_FLOAT_FINITE;
   s->at = i;
   drop_workgroup_size(s);
   check_workgroup_size(s);
   check_quads(s);
   if (s->options->subgroup_size)
      s->shader->subgroup_size = s->options->subgroup_size;
   check_subgroups(s);
   s->at = (struct spirv_instr){ 0 };
}
