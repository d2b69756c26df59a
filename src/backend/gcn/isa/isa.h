/* SPDX-License-Identifier: MIT */
/* isa.h - the GCN instruction set: a row of properties for each instruction.
 *
 *    text  --parse-->  hd_mach_inst  --encode-->  bytes
 *    text  <--print--  hd_mach_inst  <--decode--  bytes
 *
 * One struct serves all layers: selection creates it with SSA values as operands, the register
 * allocator assigns registers, the encoder and the printer read it, and the decoder creates it for
 * the simulator.
 *
 * Operands stand in one array: first what is written, then what is read, each in the order of
 * the assembler's text, and after those the registers that the instruction touches without naming
 * them (scc, vcc, exec, m0), as the row in isa.py lists them. A register that is written and
 * read (v_mac_f32, an atomic that returns, v_writelane_b32) stands on both sides; the row says that
 * they are tied. Not among the operands: that vector instructions run only for the lanes of exec
 * (HD_MACH_PER_LANE).
 */
#ifndef HEDDLE_BACKEND_GCN_ISA_ISA_H
#define HEDDLE_BACKEND_GCN_ISA_ISA_H

#include "heddle/gcn.h"
#include "machine/machine.h"

#include "backend/gcn/gcn_ops.h" /* generated: hd_gcn_op, HD_GCN_V_ADD_F32, ... and the pseudo ops */

/* Registers by the number that they have as a source operand. */
enum {
   HD_GCN_SGPR0 = 0,          /* 0..103: gfx600 has 104, the others 102 */
   HD_GCN_FLAT_SCRATCH = 102, /* gfx8 and gfx9; 104 on gfx7 */
   HD_GCN_XNACK_MASK = 104,
   HD_GCN_VCC = 106, /* a pair: vcc_lo, vcc_hi */
   HD_GCN_TTMP0 = 112,
   HD_GCN_M0 = 124,
   HD_GCN_EXEC = 126,        /* a pair */
   HD_GCN_CONST_0 = 128,     /* 128..192: 0..64, 193..208: -1..-16 */
   HD_GCN_CONST_FLOAT = 240, /* 0.5 -0.5 1.0 -1.0 2.0 -2.0 4.0 -4.0, and 1/(2 pi) from gfx8 on */
   HD_GCN_APERTURES = 235,   /* gfx9: base and limit of LDS, of scratch; id of an ordered wave */
   HD_GCN_VCCZ = 251,
   HD_GCN_EXECZ = 252,
   HD_GCN_SCC = 253,
   HD_GCN_LDS_DIRECT = 254,
   HD_GCN_LITERAL = 255, /* the bits are in `value` */
   HD_GCN_VGPR0 = 256,
};

/* How an instruction that has several encodings is encoded. */
typedef enum hd_gcn_form {
   HD_GCN_FORM_BASE, /* that of its row: VOP1, VOP2, VOPC in 32 bits ("_e32"); all else as it is */
   HD_GCN_FORM_VOP3, /* a VOP1, VOP2, VOPC in 64 bits ("_e64") */
   HD_GCN_FORM_SDWA,
   HD_GCN_FORM_DPP,
} hd_gcn_form;

/* hd_mach_inst.bits */
enum {
   HD_GCN_CLAMP = 1u << 0,
   HD_GCN_OMOD_SHIFT = 1, /* two bits: none, *2, *4, /2 */
   HD_GCN_OMOD_MASK = 3u << 1,
   HD_GCN_GLC = 1u << 3,
   HD_GCN_SLC = 1u << 4,
   HD_GCN_TFE = 1u << 5,
   HD_GCN_LDS = 1u << 6, /* MUBUF, FLAT: to LDS */
   HD_GCN_OFFEN = 1u << 7,
   HD_GCN_IDXEN = 1u << 8,
   HD_GCN_ADDR64 = 1u << 9, /* gfx6 */
   HD_GCN_GDS = 1u << 10,
   HD_GCN_SOFFSET_IMM = 1u << 12, /* SMEM: the offset is `imm`, else a register operand */
   HD_GCN_BOUND_CTRL = 1u << 13,  /* DPP: lanes outside read 0 */
   /* Of MIMG: the places of others that it does not have. */
   HD_GCN_UNORM = HD_GCN_OFFEN, /* coordinates count texels */
   HD_GCN_DA = HD_GCN_IDXEN,    /* the last one is a slice of an array, or a face */
   HD_GCN_R128 = HD_GCN_ADDR64, /* gfx6, gfx8: a resource of four words, the first of eight */
   HD_GCN_A16 = HD_GCN_ADDR64,  /* gfx9: an address of 16 bits */
   HD_GCN_D16 = HD_GCN_GDS,     /* gfx8, gfx9: data of 16 bits */
   HD_GCN_LWE = HD_GCN_BOUND_CTRL,
};

/* hd_mach_inst.mods: an index of `bytes`, of DPP_CTRL one of `halves`. */
enum {
   /* VOP3 of gfx9: bit n the half of source n, bit 3 that of the result; VOP3P: op_sel */
   HD_GCN_MOD_OP_SEL = 0,
   HD_GCN_MOD_OP_SEL_HI = 1,
   /* SDWA */
   HD_GCN_MOD_DST_SEL = 2,
   HD_GCN_MOD_DST_UNUSED = 3,
   HD_GCN_MOD_SRC_SEL = 4, /* and 5 */
   /* DPP */
   HD_GCN_MOD_DPP_CTRL = 1,
   HD_GCN_MOD_ROW_MASK = 4,
   HD_GCN_MOD_BANK_MASK = 5,
   /* MTBUF: format of the data, and that of the numbers from bit 4 on */
   HD_GCN_MOD_FORMAT = 2,
};

/* hd_mach_operand.flags: source modifiers */
enum {
   HD_GCN_OPERAND_NEG = 1u << 3,  /* -x (VOP3P: of the low half) */
   HD_GCN_OPERAND_ABS = 1u << 4,  /* |x| (VOP3P: negation of the high half) */
   HD_GCN_OPERAND_SEXT = 1u << 5, /* SDWA: sign extension of an integer source */
};

/* What a part of a register is, in SDWA. */
typedef enum hd_gcn_sel {
   HD_GCN_SEL_BYTE_0,
   HD_GCN_SEL_BYTE_1,
   HD_GCN_SEL_BYTE_2,
   HD_GCN_SEL_BYTE_3,
   HD_GCN_SEL_WORD_0,
   HD_GCN_SEL_WORD_1,
   HD_GCN_SEL_DWORD,
} hd_gcn_sel;

typedef enum hd_gcn_unused { HD_GCN_PAD, HD_GCN_SEXT, HD_GCN_PRESERVE } hd_gcn_unused;

/* The table */

/* Those of a unit are in a row: below. */
typedef enum hd_gcn_format {
   HD_GCN_PSEUDO, /* no encoding: program.h says what they mean */
   HD_GCN_SOP1,
   HD_GCN_SOP2,
   HD_GCN_SOPK,
   HD_GCN_SOPC,
   HD_GCN_SOPP,
   HD_GCN_SMEM, /* SMRD on gfx6 */
   HD_GCN_VOP1,
   HD_GCN_VOP2,
   HD_GCN_VOPC,
   HD_GCN_VOP3, /* only in 64 bits */
   HD_GCN_VOP3P,
   HD_GCN_DS,
   HD_GCN_MUBUF,
   HD_GCN_FLAT,
   HD_GCN_GLOBAL,
   HD_GCN_SCRATCH,
   HD_GCN_MTBUF,
   HD_GCN_MIMG,
   HD_GCN_VINTRP,
   HD_GCN_EXPORT,
   HD_GCN_NUM_FORMATS,
} hd_gcn_format;

/* hd_mach_op.flags that are GCN's own */
enum {
   HD_GCN_READS_MODE = HD_MACH_FIRST_OWN_FLAG
                       << 0, /* rounds or flushes as the mode register says */
   HD_GCN_NEG_ABS = HD_MACH_FIRST_OWN_FLAG
                    << 1, /* float sources: neg and abs in VOP3, SDWA and DPP forms */
   HD_GCN_OMOD_CLAMP = HD_MACH_FIRST_OWN_FLAG
                       << 2, /* float result: omod (f16: from gfx9 on) and clamp */
   HD_GCN_CLAMP_ONLY = HD_MACH_FIRST_OWN_FLAG << 3, /* integer result that clamp saturates */
   HD_GCN_HAS_VOP3 = HD_MACH_FIRST_OWN_FLAG << 4,
   HD_GCN_HAS_SDWA = HD_MACH_FIRST_OWN_FLAG << 5,
   HD_GCN_HAS_DPP = HD_MACH_FIRST_OWN_FLAG << 6,
   HD_GCN_RETURNS_IF_GLC = HD_MACH_FIRST_OWN_FLAG << 7, /* an atomic: has its def only with glc */
   HD_GCN_OP_SEL = HD_MACH_FIRST_OWN_FLAG << 8,         /* VOP3 on gfx9: halves can be named */
   HD_GCN_TWO_OFFSETS = HD_MACH_FIRST_OWN_FLAG << 9,    /* DS: imm is two offsets of 8 bits */
   HD_GCN_TO_LDS = HD_MACH_FIRST_OWN_FLAG
                   << 11, /* a load that has an lds form: no def then, and m0 read */
   HD_GCN_MIX = HD_MACH_FIRST_OWN_FLAG << 12, /* VOP3P: sources are f32, or the half that op_sel and
                             op_sel_hi say; `abs` is that and no sign of the high half */
   HD_GCN_SDWA_GFX8 = HD_MACH_FIRST_OWN_FLAG << 10, /* has the SDWA form on gfx8 alone */
   HD_GCN_RENAMED = HD_MACH_FIRST_OWN_FLAG << 13, /* its name is not the same on all generations */
   HD_GCN_GATHER = HD_MACH_FIRST_OWN_FLAG << 14,  /* MIMG: one component of four texels */
   HD_GCN_GRADIENTS = HD_MACH_FIRST_OWN_FLAG << 15, /* MIMG: two for each coordinate */
};

/* What an operand can be: a set for each operand of a row. */
typedef enum hd_gcn_operand_kinds {
   HD_GCN_TAKES_SGPR = 1u << 0,
   HD_GCN_TAKES_VGPR = 1u << 1,
   HD_GCN_TAKES_INLINE = 1u << 2,
   HD_GCN_TAKES_LITERAL = 1u << 3,
   HD_GCN_TAKES_NOTHING = 1u << 4,  /* may be "off" */
   HD_GCN_TAKES_ONE = 1u << 5,      /* only the register `fixed`; vcc as a carry or the result of a
                                       compare: any pair in VOP3 form (and SDWA compares of gfx9) */
   HD_GCN_TAKES_IMPLICIT = 1u << 6, /* not in the text */
   HD_GCN_TAKES_BEFORE_GFX9 =
       1u << 7, /* m0 of LDS: gfx9 has no such operand (size 0) without gds */
} hd_gcn_operand_kinds;

/* How the bits of an operand are read: which inline constants mean what, and how it is printed. */
typedef enum hd_gcn_type {
   HD_GCN_B16,
   HD_GCN_B32,
   HD_GCN_B64,
   HD_GCN_B96,
   HD_GCN_B128,
   HD_GCN_B160,
   HD_GCN_B192,
   HD_GCN_B224,
   HD_GCN_B256,
   HD_GCN_B288,
   HD_GCN_B320,
   HD_GCN_B352,
   HD_GCN_B384,
   HD_GCN_B512,
   HD_GCN_I16,
   HD_GCN_U16,
   HD_GCN_F16,
   HD_GCN_I32,
   HD_GCN_U32,
   HD_GCN_F32,
   HD_GCN_I64,
   HD_GCN_U64,
   HD_GCN_F64,
   HD_GCN_V2F16,
   HD_GCN_V2I16,
   HD_GCN_MASK, /* a bit a lane */
   HD_GCN_BIT,  /* scc */
} hd_gcn_type;

/* What `imm` of an instruction says, and how it is written. */
typedef enum hd_gcn_imm_kind {
   HD_GCN_IMM_NONE,
   HD_GCN_IMM_HEX,      /* 0x1234: SOPK */
   HD_GCN_IMM_DECIMAL,  /* s_nop 1 */
   HD_GCN_IMM_OPTIONAL, /* s_endpgm: nothing, where it is 0 */
   HD_GCN_IMM_TARGET,   /* words from the next instruction to the target */
   HD_GCN_IMM_WAITCNT,
   HD_GCN_IMM_HWREG,
   HD_GCN_IMM_SENDMSG,
   HD_GCN_IMM_GPR_IDX,
   HD_GCN_IMM_SMEM,
   HD_GCN_IMM_DS,
   HD_GCN_IMM_SWIZZLE, /* as DS; the offset is a pattern of lanes */
   HD_GCN_IMM_MUBUF,
   HD_GCN_IMM_FLAT,
   HD_GCN_IMM_MTBUF,
   HD_GCN_IMM_MIMG,      /* the components: dmask */
   HD_GCN_IMM_ATTRIBUTE, /* a channel, 4 for each attribute; from bit 8 on the vertex, if one is read */
   HD_GCN_IMM_EXPORT, /* as the encoding has it: HD_GCN_EXPORT_TARGET ... */
} hd_gcn_imm_kind;

/* How long until the result is there, and which counter says so. */
typedef enum hd_gcn_latency {
   HD_GCN_LATENCY_SALU,
   HD_GCN_LATENCY_VALU,    /* 4 cycles a wave */
   HD_GCN_LATENCY_HALF,    /* 8 */
   HD_GCN_LATENCY_QUARTER, /* 16: transcendental, 32-bit products, most of 64 bits */
   HD_GCN_LATENCY_BRANCH,
   HD_GCN_LATENCY_SMEM,    /* lgkmcnt, out of order */
   HD_GCN_LATENCY_LDS,     /* lgkmcnt, in order */
   HD_GCN_LATENCY_VMEM,    /* vmcnt; stores: gfx6 expcnt until the data is read */
   HD_GCN_LATENCY_FLAT,    /* vmcnt and lgkmcnt */
   HD_GCN_LATENCY_MESSAGE, /* lgkmcnt */
   HD_GCN_LATENCY_EXPORT,  /* expcnt until the data is read */
   HD_GCN_LATENCY_NONE,    /* waits, nops, pseudo ops */
} hd_gcn_latency;

typedef struct hd_gcn_op_info {
   hd_mach_op mach;
   uint16_t name;                        /* see hd_gcn_op_name */
   int16_t opcode[HD_GCN_NUM_GENS];      /* in the format; -1: none */
   int16_t vop3_opcode[HD_GCN_NUM_GENS]; /* of the VOP3 form; -1: none */
   uint8_t format;
   uint8_t imm; /* hd_gcn_imm_kind */
} hd_gcn_op_info;

extern const hd_gcn_op_info hd_gcn_op_infos[];
extern const char hd_gcn_op_names[];

/* The name of the instruction; NULL: this generation does not have it. A name is a place among
 * hd_gcn_op_names, as a pointer costs the loader; of an instruction that was renamed, the place of
 * those of all generations in a row.
 */
const char *hd_gcn_op_name(const hd_gcn_op_info *info, hd_gcn_gen gen);

static inline const hd_gcn_op_info *
hd_gcn_op_info_of(const hd_mach_inst *inst)
{
   return &hd_gcn_op_infos[inst->op];
}

/* NULL is none. */
static inline bool
hd_gcn_is_branch(const hd_mach_inst *inst)
{
   return inst && (hd_gcn_op_infos[inst->op].mach.flags & HD_MACH_BRANCHES) != 0;
}

static inline bool
hd_gcn_is_salu(const hd_gcn_op_info *info)
{
   return info->format >= HD_GCN_SOP1 && info->format <= HD_GCN_SOPC;
}

static inline bool
hd_gcn_is_valu(const hd_gcn_op_info *info)
{
   return info->format >= HD_GCN_VOP1 && info->format <= HD_GCN_VOP3P;
}

/* It has forms besides its own. */
static inline bool
hd_gcn_has_forms(const hd_gcn_op_info *info)
{
   return info->format >= HD_GCN_VOP1 && info->format <= HD_GCN_VOPC;
}

static inline bool
hd_gcn_is_vmem(const hd_gcn_op_info *info)
{
   return info->format >= HD_GCN_MUBUF && info->format <= HD_GCN_MIMG;
}

/* MUBUF, and MTBUF, which says the format itself. */
static inline bool
hd_gcn_is_buffer(const hd_gcn_op_info *info)
{
   return info->format == HD_GCN_MUBUF || info->format == HD_GCN_MTBUF;
}

/* Images: image.c. Exports: `imm`. */

/* Registers of the data: a component for each bit of dmask (one if there is none; a gather has
 * four), two of 16 bits in one on gfx9, and one for tfe.
 */
unsigned hd_gcn_image_data_size(hd_gcn_gen gen, const hd_mach_inst *inst);

/* Of the address: the fewest that the instruction can have. How many there are, the image says; the
 * words do not, so that the decoder gives these. The most are those of the row.
 */
unsigned hd_gcn_image_least_address(const hd_gcn_op_info *info);

enum {
   HD_GCN_EXPORT_CHANNELS = 15, /* which are written; two bits for each pair if `compr` */
   HD_GCN_EXPORT_TARGET_SHIFT = 4,
   HD_GCN_EXPORT_COMPR = 1 << 10, /* pairs of 16 bits */
   HD_GCN_EXPORT_DONE = 1 << 11,  /* the last one to a kind of target */
   HD_GCN_EXPORT_VM = 1 << 12,    /* exec says which pixels are valid */
   HD_GCN_EXPORT_MRT0 = 0,
   HD_GCN_EXPORT_MRTZ = 8,
   HD_GCN_EXPORT_NULL = 9,
   HD_GCN_EXPORT_POS0 = 12,
   HD_GCN_EXPORT_PARAM0 = 32,
};

#define HD_GCN_NUM_ATTRIBUTES 33

/* A kind of target; `number` is the index within it, or -1 if there is only one. NULL: no target. */
const char *hd_gcn_export_target_name(unsigned target, int *number);

/* Which operands an export has: bit n: operand n. Pairs are the first two. */
unsigned hd_gcn_export_operands(int32_t imm);

/* The most operands of an instruction that is no pseudo op. */
#define HD_GCN_MAX_OPERANDS 10

/* An instruction with room for its operands; `inst.operands` points to `operands`. */
typedef struct hd_gcn_decoded {
   hd_mach_inst inst;
   hd_mach_operand operands[HD_GCN_MAX_OPERANDS];
} hd_gcn_decoded;

/* Operands */

/* The operand that is this constant where `type` is read: an inline constant where there is one,
 * else a literal; size 0 if it is neither (64 bits that no inline constant gives: a literal of a
 * 64-bit operand is sign or zero extended for integers, the high half for F64).
 */
hd_mach_operand hd_gcn_operand_const(hd_gcn_gen gen, hd_gcn_type type, uint64_t value);

/* The bits that a constant operand gives where `type` is read. False if it is no constant. */
bool hd_gcn_operand_value(hd_mach_operand operand, hd_gcn_type type, uint64_t *value);

/* Literals that could be inline constants become those: what the assembler makes of the text. */
void hd_gcn_shorten_literals(hd_gcn_gen gen, hd_mach_inst *inst);

/* Whether this number of a source operand is an inline constant. */
bool hd_gcn_is_inline(hd_gcn_gen gen, unsigned reg);

/* Whether the instruction leaves parts or lanes of its result as they were, though the row does not
 * say so: an SDWA form that preserves what it does not select, a DPP form that skips lanes, a half
 * that op_sel names. It may then have one source more, the last, that is tied to the result; the
 * decoder gives it.
 */
bool hd_gcn_keeps_old(hd_gcn_gen gen, const hd_mach_inst *inst);

/* Whether the instruction can be encoded in `form` on `gen` with the operands that it has: kinds of
 * registers, the constant bus, literals, modifiers. `why` (may be NULL) gets the reason.
 */
bool hd_gcn_fits(hd_gcn_gen gen, const hd_mach_inst *inst, hd_gcn_form form, const char **why);

/* Bytes, text */

/* Of an instruction. */
#define HD_GCN_MAX_WORDS 5

/* Words written to `words`, which has room for HD_GCN_MAX_WORDS: how many; 0 when the instruction cannot be encoded
 * (no such op or form on `gen`, an operand out of range), and `why` says so.
 */
unsigned hd_gcn_encode(hd_gcn_gen gen, const hd_mach_inst *inst, uint32_t *words, const char **why);

/* Words read; 0 when they are no instruction of `gen` (or are cut off). Nothing is ignored:
 * bits that must be zero are checked.
 */
unsigned hd_gcn_decode(hd_gcn_gen gen, const uint32_t *words, unsigned num_words,
                       hd_gcn_decoded *out);

/* Append one instruction in the assembler's syntax, without a newline. SSA values are printed as
 * program_text.c reads them.
 */
void hd_gcn_inst_print(hd_gcn_gen gen, const hd_mach_inst *inst, hd_blob *out);

/* compare.c: the op of VOPC that is true where this one is false, and the one that writes exec
 * besides. HD_GCN_OP_NONE where there is none.
 */
unsigned hd_gcn_inverse_compare(unsigned op);
unsigned hd_gcn_exec_compare(unsigned op);

/* The op that does the same with its first two sources in the other order, or -1 where
 * `gen` has none. Generated.
 */
int hd_gcn_swapped(hd_gcn_gen gen, hd_gcn_op op);

#endif
