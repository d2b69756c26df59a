/* SPDX-License-Identifier: MIT */
/* output.c - the encoded program: bytes, assembly and statistics. */
#include "backend/gcn/output.h"

#include <string.h>

#include "backend/gcn/abi/abi.h"
#include "backend/gcn/object/metadata.h"
#include "machine/observe.h"
#include "util/bytes.h"

static bool
encode(hd_mach_program *p, hd_blob *code)
{
   const char *why = NULL;

   hd_mach_foreach_block(block, p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         uint32_t words[HD_GCN_MAX_WORDS];
         unsigned num = hd_gcn_encode(hd_gcn_target_in(p)->gen, inst, words, &why);
         if (!num) {
            hd_blob line;
            hd_blob_init(&line, hd_shader_config(p->shader));
            hd_gcn_inst_print(hd_gcn_target_in(p)->gen, inst, &line);
            hd_mach_refuse(p, NULL, "cannot encode an instruction (%s): %s", why ? why : "?",
                           line.data ? line.data : "");
            hd_blob_finish(&line);
            return false;
         }
         uint8_t bytes[sizeof(words)];
         for (unsigned n = 0; n < num; n++)
            put_number(bytes + 4 * n, 4, words[n]);
         hd_blob_append(code, bytes, num * sizeof(words[0]));
      }
   }
   hd_blob_append(code, hd_gcn_of(p)->data, hd_gcn_of(p)->data_size);
   return true;
}

struct listing {
   const hd_mach_program *p;
   const hd_mach_piece *pieces;
};

static void
print_piece(const void *user, uint32_t piece, hd_blob *out)
{
   const struct listing *l = user;

   hd_gcn_inst_print(hd_gcn_target_in(l->p)->gen, l->pieces[piece].inst, out);
}

/* The instructions and where they lie, for who watches. */
static void
show_code(hd_mach_program *p)
{
   uint32_t num = 0, offset = 0;

   if (!p->observer)
      return;
   hd_mach_foreach_block(block, p)
   {
      hd_mach_foreach_inst(inst, block) num++;
   }
   const hd_stack_mark mark = hd_stack_get_mark(p->scratch);
   hd_mach_piece *pieces = hd_stack_alloc(p->scratch, (num + (size_t)1) * sizeof(*pieces));
   num = 0;
   hd_mach_foreach_block(block, p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         uint32_t words[HD_GCN_MAX_WORDS];
         const char *why;
         const uint32_t size = 4 * hd_gcn_encode(hd_gcn_target_in(p)->gen, inst, words, &why);
         pieces[num++] = (hd_mach_piece){ inst, block, offset, size };
         offset += size;
      }
   }
   hd_mach_after_output(p, pieces, num, print_piece, &(struct listing){ p, pieces });
   hd_stack_release(p->scratch, mark);
}

static bool
names_exec(const hd_mach_inst *inst, const hd_mach_operand *operands, unsigned num)
{
   (void)inst;
   for (unsigned n = 0; n < num; n++) {
      unsigned reg = operands[n].reg;
      if (reg == HD_GCN_EXEC || reg == HD_GCN_EXEC + 1 || reg == HD_GCN_EXECZ)
         return true;
   }
   return false;
}

static void
count_kind(const hd_mach_inst *inst, hd_gcn_stats *stats)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);

   if (hd_gcn_is_salu(info) || info->format == HD_GCN_SOPP)
      stats->salu++;
   else if (info->format == HD_GCN_SMEM)
      stats->smem++;
   else if (hd_gcn_is_valu(info))
      stats->valu++;
   else if (info->format == HD_GCN_DS)
      stats->lds++;
   else
      stats->vmem++;
}

void
hd_gcn_count(const hd_mach_program *p, hd_gcn_stats *stats)
{
   hd_mach_foreach_block(block, p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         const hd_mach_operand *srcs = inst->operands + inst->num_defs;
         bool writes = names_exec(inst, inst->operands, inst->num_defs);
         stats->instructions++;
         stats->exec_writes += writes;
         stats->exec_reads += writes || names_exec(inst, srcs, inst->num_srcs);
         stats->branches += (hd_gcn_op_info_of(inst)->mach.flags & HD_MACH_BRANCHES) != 0;
         count_kind(inst, stats);
      }
   }
}

const hd_gcn_object_kernel *
hd_gcn_binary_kernel(const hd_gcn_binary *binary)
{
   return &((const hd_gcn_kept *)binary)->kernel;
}

/* The kernel as its code object and others have it. */
static hd_result
keep_kernel(hd_mach_program *p, hd_blob *blobs, hd_gcn_kept *kept)
{
   hd_blob *object = &blobs[HD_MACH_FIRST_OWN_BLOB], *name = object + 1, *metadata = object + 2;
   hd_gcn_binary *b = &kept->binary;
   uint8_t *kd = kept->kernel.descriptor;

   hd_blob_printf(name, "%s", hd_gcn_kernel_name(p));
   hd_gcn_metadata_write_kernel(p, b, metadata);
   if (name->result != HD_OK || metadata->result != HD_OK)
      return name->result != HD_OK ? name->result : metadata->result;
   kept->kernel.name = name->data;
   kept->kernel.code = b->code;
   kept->kernel.code_words = b->code_words;
   kept->kernel.metadata = metadata->data;
   kept->kernel.metadata_size = metadata->size;
   elf_put(kd + KD_LDS_SIZE, 4, b->stats.lds_size);
   elf_put(kd + KD_SCRATCH_SIZE, 4, b->stats.scratch_size);
   elf_put(kd + KD_KERNARG_SIZE, 4, b->kernarg_size);
   elf_put(kd + KD_RSRC1, 4, b->pgm_rsrc1);
   elf_put(kd + KD_RSRC2, 4, b->pgm_rsrc2);
   elf_put(kd + KD_PROPERTIES, 2, hd_gcn_abi_properties(p));
   hd_gcn_object_write(p->stack, b->target, &kept->kernel, 1, object);
   b->object = object->data;
   b->object_size = object->size;
   return object->result;
}

bool
hd_gcn_encode_program(hd_mach_program *p, hd_blob *code)
{
   if (p->scratch_size > hd_gcn_target_in(p)->max_scratch)
      return hd_mach_refuse(
          p, NULL, "the driver gives %u bytes of scratch memory per lane, the shader needs %u",
          hd_gcn_target_in(p)->max_scratch, p->scratch_size);
   if (!encode(p, code))
      return false;
   show_code(p);
   return true;
}

hd_result
hd_gcn_finish(hd_mach_program *p, hd_blob *blobs, void *made)
{
   const hd_blob *code = &blobs[HD_MACH_CODE];
   const hd_gcn_program *gcn = hd_gcn_of(p);
   hd_gcn_kept *kept = made;
   hd_gcn_binary *binary = &kept->binary;

   binary->target = hd_gcn_target_in(p)->gen;
   binary->abi = gcn->options->abi;
   binary->code = (const uint32_t *)(const void *)code->data;
   binary->code_words = (uint32_t)(code->size / 4);
   binary->text = blobs[HD_MACH_TEXT].data;
   memcpy(binary->workgroup_size, p->shader->workgroup_size, sizeof(binary->workgroup_size));
   binary->kernarg_size = p->shader->kernarg_size;
   binary->stats.code_size = (uint32_t)code->size - gcn->data_size;
   if (gcn->data_size) {
      binary->data_offset = binary->stats.code_size + gcn->data_padding;
      binary->stats.data_size = p->shader->constants_size;
   }
   binary->graphics = hd_gcn_of(p)->graphics;
   binary->graphics.helpers = hd_gcn_of(p)->abi.temps[HD_GCN_START_HELPERS] != 0;
   if (p->shader->stage == HD_STAGE_FRAGMENT)
      binary->graphics.ps_input_ena = hd_gcn_ps_input_ena(p);
   hd_gcn_count(p, &binary->stats);
   hd_gcn_resources(p, binary);
   return binary->abi == HD_GCN_ABI_HSA ? keep_kernel(p, blobs, kept) : HD_OK;
}
