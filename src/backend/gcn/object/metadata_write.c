/* SPDX-License-Identifier: MIT */
/* metadata_write.c - write kernel metadata: the note of a code object of version 5, a MessagePack map
 * with a map for each kernel.
 *
 * Keys of a map are sorted by their bytes, as other writers of these notes do.
 */
#include "backend/gcn/object/metadata.h"

#include "backend/gcn/abi/abi.h"
#include "backend/gcn/object/arg_kinds.h"
#include "object/msgpack.h"

#define MAX_WORKGROUP 1024u

static void
put_string(hd_blob *out, const char *key, const char *value)
{
   hd_msgpack_string(out, key);
   hd_msgpack_string(out, value);
}

static void
put_uint(hd_blob *out, const char *key, uint64_t value)
{
   hd_msgpack_string(out, key);
   hd_msgpack_uint(out, value);
}

static void
put_true(hd_blob *out, const char *key)
{
   hd_msgpack_string(out, key);
   hd_msgpack_bool(out, true);
}

/* As clang writes them: what is not so is left out. */
static void
put_arg(hd_blob *out, const hd_gcn_kernarg *a)
{
   static const struct {
      const char *space, *kind;
   } words[] = {
      [HD_GCN_KERNARG_VALUE] = { NULL, "by_value" },
      [HD_GCN_KERNARG_GLOBAL] = { "global", "global_buffer" },
      [HD_GCN_KERNARG_CONSTANT] = { "constant", "global_buffer" },
      [HD_GCN_KERNARG_SHARED] = { "local", "dynamic_shared_pointer" },
      [HD_GCN_KERNARG_IMAGE] = { NULL, "image" },
      [HD_GCN_KERNARG_SAMPLER] = { NULL, "sampler" },
   };
   const bool pointer = words[a->kind].space, named = a->name && *a->name;
   const bool image = a->kind == HD_GCN_KERNARG_IMAGE;
   const bool aligned = a->kind == HD_GCN_KERNARG_SHARED && a->pointee_align;
   const bool is_const =
       a->readonly && (a->kind == HD_GCN_KERNARG_GLOBAL || a->kind == HD_GCN_KERNARG_CONSTANT);
   const bool restricted = pointer && a->restricted;

   hd_msgpack_map(out, 3u + image + pointer + is_const + restricted + named + aligned +
                           (a->type_name != NULL));
   if (image)
      put_string(out, ".access",
                 a->readonly    ? "read_only"
                 : a->writeonly ? "write_only"
                                : "read_write");
   if (pointer)
      put_string(out, ".address_space", words[a->kind].space);
   if (is_const)
      put_true(out, ".is_const");
   if (restricted)
      put_true(out, ".is_restrict");
   if (named)
      put_string(out, ".name", a->name);
   put_uint(out, ".offset", a->offset);
   if (aligned)
      put_uint(out, ".pointee_align", a->pointee_align);
   put_uint(out, ".size", a->size);
   if (a->type_name)
      put_string(out, ".type_name", a->type_name);
   put_string(out, ".value_kind", words[a->kind].kind);
}

/* What the runtime puts after the arguments, as far as compiled kernels read it. */
static bool
is_written(const hd_gcn_arg_row *row)
{
   return row->kind >= HD_GCN_ARG_BLOCK_COUNT_X && row->kind <= HD_GCN_ARG_GRID_DIMS;
}

#define NUM_HIDDEN (HD_GCN_ARG_GRID_DIMS + 1u - HD_GCN_ARG_BLOCK_COUNT_X)

static void
put_args(const hd_mach_program *p, const hd_gcn_kernel_arg *args, uint32_t num, hd_blob *out)
{
   const uint32_t num_hidden = hd_gcn_of(p)->abi.hidden_args ? NUM_HIDDEN : 0;

   hd_msgpack_string(out, ".args");
   hd_msgpack_array(out, num + num_hidden);
   for (uint32_t n = 0; n < num; n++)
      put_arg(out, &args[n].is);
   for (unsigned n = 0; num_hidden && n < HD_GCN_NUM_ARG_ROWS; n++) {
      const hd_gcn_arg_row *row = &hd_gcn_arg_rows[n];
      if (!is_written(row))
         continue;
      hd_msgpack_map(out, 3);
      put_uint(out, ".offset", hd_gcn_abi_hidden_offset(p) + row->offset_v5);
      put_uint(out, ".size", row->size);
      put_string(out, ".value_kind", row->name);
   }
}

/* The largest that an argument asks for; hidden ones ask for 8. */
static uint32_t
segment_align(const hd_mach_program *p, const hd_gcn_kernel_arg *args, uint32_t num)
{
   uint32_t align = hd_gcn_of(p)->abi.hidden_args ? 8 : 4;

   for (uint32_t n = 0; n < num; n++)
      align = args[n].align > align ? args[n].align : align;
   return align;
}

void
hd_gcn_metadata_write_kernel(const hd_mach_program *p, const hd_gcn_binary *binary, hd_blob *out)
{
   const hd_gcn_stats *stats = &binary->stats;
   const uint32_t lanes = hd_gcn_workgroup_lanes(p->shader);
   hd_stack_mark mark = hd_stack_get_mark(p->stack);
   uint32_t num;
   const hd_gcn_kernel_arg *args = hd_gcn_kernel_args(p, &num);
   const bool has_args = num || hd_gcn_of(p)->abi.hidden_args;

   hd_msgpack_map(out, 13 + has_args + (lanes != 0));
   if (has_args)
      put_args(p, args, num, out);
   put_uint(out, ".group_segment_fixed_size", stats->lds_size);
   put_uint(out, ".kernarg_segment_align", segment_align(p, args, num));
   put_uint(out, ".kernarg_segment_size", binary->kernarg_size);
   put_uint(out, ".max_flat_workgroup_size", lanes ? lanes : MAX_WORKGROUP);
   put_string(out, ".name", hd_gcn_kernel_name(p));
   put_uint(out, ".private_segment_fixed_size", stats->scratch_size);
   if (lanes) {
      hd_msgpack_string(out, ".reqd_workgroup_size");
      hd_msgpack_array(out, 3);
      for (unsigned n = 0; n < 3; n++)
         hd_msgpack_uint(out, p->shader->workgroup_size[n]);
   }
   put_uint(out, ".sgpr_count", stats->sgprs);
   put_uint(out, ".sgpr_spill_count", stats->spilled_sgprs);
   hd_msgpack_string(out, ".symbol");
   hd_blob symbol;
   hd_blob_init(&symbol, hd_shader_config(p->shader));
   hd_blob_printf(&symbol, "%s.kd", hd_gcn_kernel_name(p));
   if (symbol.result != HD_OK)
      out->result = symbol.result;
   hd_msgpack_string(out, symbol.data ? symbol.data : "");
   hd_blob_finish(&symbol);
   hd_msgpack_string(out, ".uses_dynamic_stack");
   hd_msgpack_bool(out, false);
   put_uint(out, ".vgpr_count", stats->vgprs);
   put_uint(out, ".vgpr_spill_count", stats->spilled_vgprs);
   put_uint(out, ".wavefront_size", 64);
   hd_stack_release(p->stack, mark);
}

void
hd_gcn_metadata_write(hd_gcn_gen gen, const hd_gcn_object_kernel *kernels, uint32_t num,
                      hd_blob *out)
{
   char target[64];

   snprintf(target, sizeof(target), "amdgcn-amd-amdhsa--%s", hd_gcn_gen_name(gen));
   hd_msgpack_map(out, 3);
   hd_msgpack_string(out, "amdhsa.kernels");
   hd_msgpack_array(out, num);
   for (uint32_t n = 0; n < num; n++)
      hd_blob_append(out, kernels[n].metadata, kernels[n].metadata_size);
   put_string(out, "amdhsa.target", target);
   hd_msgpack_string(out, "amdhsa.version");
   hd_msgpack_array(out, 2);
   hd_msgpack_uint(out, 1);
   hd_msgpack_uint(out, 2);
}
