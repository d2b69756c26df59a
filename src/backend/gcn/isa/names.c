/* SPDX-License-Identifier: MIT */
/* names.c - names of the assembly language: special registers, hwreg and sendmsg operands. */
#include "backend/gcn/isa/names.h"

#include <string.h>

#define GFX6 (1u << HD_GCN_GFX600)
#define GFX8 (1u << HD_GCN_GFX803)
#define GFX9 (1u << HD_GCN_GFX900)
#define ALL  (GFX6 | GFX8 | GFX9)

const hd_gcn_register_name hd_gcn_register_names[] = {
   { "vcc", HD_GCN_VCC, 2, ALL },
   { "vcc_lo", HD_GCN_VCC, 1, ALL },
   { "vcc_hi", HD_GCN_VCC + 1, 1, ALL },
   { "exec", HD_GCN_EXEC, 2, ALL },
   { "exec_lo", HD_GCN_EXEC, 1, ALL },
   { "exec_hi", HD_GCN_EXEC + 1, 1, ALL },
   { "m0", HD_GCN_M0, 1, ALL },
   { "flat_scratch", HD_GCN_FLAT_SCRATCH, 2, GFX8 | GFX9 },
   { "flat_scratch_lo", HD_GCN_FLAT_SCRATCH, 1, GFX8 | GFX9 },
   { "flat_scratch_hi", HD_GCN_FLAT_SCRATCH + 1, 1, GFX8 | GFX9 },
   { "xnack_mask", HD_GCN_XNACK_MASK, 2, GFX9 },
   { "xnack_mask_lo", HD_GCN_XNACK_MASK, 1, GFX9 },
   { "xnack_mask_hi", HD_GCN_XNACK_MASK + 1, 1, GFX9 },
   { "tba", 108, 2, GFX6 | GFX8 },
   { "tba_lo", 108, 1, GFX6 | GFX8 },
   { "tba_hi", 109, 1, GFX6 | GFX8 },
   { "tma", 110, 2, GFX6 | GFX8 },
   { "tma_lo", 110, 1, GFX6 | GFX8 },
   { "tma_hi", 111, 1, GFX6 | GFX8 },
   { "src_shared_base", HD_GCN_APERTURES, 1, GFX9 },
   { "src_shared_base", HD_GCN_APERTURES, 2, GFX9 },
   { "src_shared_limit", HD_GCN_APERTURES + 1, 1, GFX9 },
   { "src_shared_limit", HD_GCN_APERTURES + 1, 2, GFX9 },
   { "src_private_base", HD_GCN_APERTURES + 2, 1, GFX9 },
   { "src_private_base", HD_GCN_APERTURES + 2, 2, GFX9 },
   { "src_private_limit", HD_GCN_APERTURES + 3, 1, GFX9 },
   { "src_private_limit", HD_GCN_APERTURES + 3, 2, GFX9 },
   { "src_pops_exiting_wave_id", HD_GCN_APERTURES + 4, 1, GFX9 },
   { "src_vccz", HD_GCN_VCCZ, 1, ALL },
   { "src_execz", HD_GCN_EXECZ, 1, ALL },
   { "src_scc", HD_GCN_SCC, 1, ALL },
   /* Other spellings, that are read but not printed. */
   { "vccz", HD_GCN_VCCZ, 1, ALL },
   { "execz", HD_GCN_EXECZ, 1, ALL },
   { "scc", HD_GCN_SCC, 1, ALL },
   { "shared_base", HD_GCN_APERTURES, 1, GFX9 },
   { "shared_base", HD_GCN_APERTURES, 2, GFX9 },
   { "shared_limit", HD_GCN_APERTURES + 1, 1, GFX9 },
   { "shared_limit", HD_GCN_APERTURES + 1, 2, GFX9 },
   { "private_base", HD_GCN_APERTURES + 2, 1, GFX9 },
   { "private_base", HD_GCN_APERTURES + 2, 2, GFX9 },
   { "private_limit", HD_GCN_APERTURES + 3, 1, GFX9 },
   { "private_limit", HD_GCN_APERTURES + 3, 2, GFX9 },
   { "pops_exiting_wave_id", HD_GCN_APERTURES + 4, 1, GFX9 },
   { 0 },
};

static const struct {
   const char *name;
   uint8_t gens;
} hwregs[HD_GCN_NUM_HWREGS] = {
   [1] = { "HW_REG_MODE", ALL },      [2] = { "HW_REG_STATUS", ALL },
   [3] = { "HW_REG_TRAPSTS", ALL },   [4] = { "HW_REG_HW_ID", ALL },
   [5] = { "HW_REG_GPR_ALLOC", ALL }, [6] = { "HW_REG_LDS_ALLOC", ALL },
   [7] = { "HW_REG_IB_STS", ALL },    [15] = { "HW_REG_SH_MEM_BASES", GFX9 },
   [16] = { "HW_REG_TBA_LO", GFX9 },  [17] = { "HW_REG_TBA_HI", GFX9 },
   [18] = { "HW_REG_TMA_LO", GFX9 },  [19] = { "HW_REG_TMA_HI", GFX9 },
}, messages[16] = {
   [1] = { "MSG_INTERRUPT", ALL },       [2] = { "MSG_GS", ALL },
   [3] = { "MSG_GS_DONE", ALL },         [4] = { "MSG_SAVEWAVE", GFX8 | GFX9 },
   [5] = { "MSG_STALL_WAVE_GEN", GFX9 }, [6] = { "MSG_HALT_WAVES", GFX9 },
   [7] = { "MSG_ORDERED_PS_DONE", GFX9 }, [8] = { "MSG_EARLY_PRIM_DEALLOC", GFX9 },
   [9] = { "MSG_GS_ALLOC_REQ", GFX9 },   [10] = { "MSG_GET_DOORBELL", GFX9 },
   [15] = { "MSG_SYSMSG", ALL },
};

const char *
hd_gcn_op_name(const hd_gcn_op_info *info, hd_gcn_gen gen)
{
   const char *name = hd_gcn_op_names + info->name;

   if (info->format != HD_GCN_PSEUDO && info->opcode[gen] < 0 && info->vop3_opcode[gen] < 0)
      return NULL;
   if (info->mach.flags & HD_GCN_RENAMED) {
      for (unsigned n = 0; n < (unsigned)gen; n++)
         name += strlen(name) + 1;
   }
   return name;
}

const char *
hd_gcn_hwreg_name(hd_gcn_gen gen, unsigned id)
{
   return id < HD_GCN_NUM_HWREGS && hwregs[id].gens >> gen & 1 ? hwregs[id].name : NULL;
}

const char *
hd_gcn_message_name(hd_gcn_gen gen, unsigned id)
{
   return id < 16 && messages[id].gens >> gen & 1 ? messages[id].name : NULL;
}

const char *
hd_gcn_message_op_name(hd_gcn_gen gen, unsigned id, unsigned op)
{
   static const char *const gs[] = { "GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT" };
   static const char *const system[] = { NULL, "SYSMSG_OP_ECC_ERR_INTERRUPT", "SYSMSG_OP_REG_RD",
                                         "SYSMSG_OP_HOST_TRAP_ACK", "SYSMSG_OP_TTRACE_PC" };

   if (id == HD_GCN_MSG_SYSMSG && op == 3 && gen >= HD_GCN_GFX900)
      return NULL;
   if (id == HD_GCN_MSG_SYSMSG)
      return op < 5 ? system[op] : NULL;
   if (id == HD_GCN_MSG_GS && !op)
      return NULL; /* that one must say what it does */
   return (id == HD_GCN_MSG_GS || id == HD_GCN_MSG_GS_DONE) && op < 4 ? gs[op] : NULL;
}

const char *const hd_gcn_data_format_names[16] = {
   "INVALID",     "8",        "16",          "8_8",         "32",      "16_16",
   "10_11_11",    "11_11_10", "10_10_10_2",  "2_10_10_10",  "8_8_8_8", "32_32",
   "16_16_16_16", "32_32_32", "32_32_32_32", "RESERVED_15",
};

const char *
hd_gcn_number_format_name(hd_gcn_gen gen, unsigned n)
{
   static const char *const names[] = { "UNORM", "SNORM", "USCALED",    "SSCALED",
                                        "UINT",  "SINT",  "RESERVED_6", "FLOAT" };

   return n == 6 && gen < HD_GCN_GFX803 ? "SNORM_OGL" : names[n & 7];
}

const char *const hd_gcn_sel_names[HD_GCN_SEL_DWORD + 1] = {
   "BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD",
};
const char *const hd_gcn_unused_names[HD_GCN_PRESERVE + 1] = {
   "UNUSED_PAD",
   "UNUSED_SEXT",
   "UNUSED_PRESERVE",
};
const char *const hd_gcn_float_names[9] = { "0.5",  "-0.5", "1.0",  "-1.0",      "2.0",
                                            "-2.0", "4.0",  "-4.0", "0.15915494" };

const hd_gcn_dpp_name hd_gcn_dpp_names[] = {
   { "row_shl", 0x101, 1, 15 },        { "row_shr", 0x111, 1, 15 },
   { "row_ror", 0x121, 1, 15 },        { "wave_shl", 0x130, 1, 1 },
   { "wave_rol", 0x134, 1, 1 },        { "wave_shr", 0x138, 1, 1 },
   { "wave_ror", 0x13c, 1, 1 },        { "row_mirror", 0x140, 0, 0 },
   { "row_half_mirror", 0x141, 0, 0 }, { "row_bcast", 0x142, 15, 15 },
   { "row_bcast", 0x143, 31, 31 },     { 0 },
};

const hd_gcn_flag_word hd_gcn_flag_words[] = {
   { "unorm", HD_GCN_UNORM, ALL, true, false, false },
   { "idxen", HD_GCN_IDXEN, ALL, false, true, true },
   { "offen", HD_GCN_OFFEN, ALL, false, true, true },
   { "addr64", HD_GCN_ADDR64, ALL, false, true, true },
   { "glc", HD_GCN_GLC, ALL, true, true, false },
   { "slc", HD_GCN_SLC, ALL, true, true, false },
   { "r128", HD_GCN_R128, GFX6 | GFX8, true, false, false },
   { "a16", HD_GCN_A16, GFX9, true, false, false },
   { "tfe", HD_GCN_TFE, ALL, true, true, false },
   { "lds", HD_GCN_LDS, ALL, false, true, false },
   { "gds", HD_GCN_GDS, ALL, false, true, false },
   { "lwe", HD_GCN_LWE, ALL, true, false, false },
   { "da", HD_GCN_DA, ALL, true, false, false },
   { "d16", HD_GCN_D16, ALL, true, false, false },
   { "clamp", HD_GCN_CLAMP, ALL, false, true, false },
   { 0 },
};
