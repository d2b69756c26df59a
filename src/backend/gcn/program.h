/* SPDX-License-Identifier: MIT */
/* program.h - GCN's part of a machine program: representation of values, pseudo ops, state of a compilation.
 *
 * 1-bit values of the IR: a uniform one is a dword, 0 or 1, in an SGPR, or scc where a compare
 * feeds the next instruction; a divergent one is a mask (a pair of SGPRs), whose bits for inactive
 * lanes are unspecified. Values of 8 and 16 bits take a dword each component, the upper bits
 * unspecified; vectors take one dword a component of up to 32 bits, two of 64.
 *
 * A value in SCC is read before the next instruction that writes scc, in the same block. Copies that
 * the allocator inserts between definition and use must preserve scc.
 *
 * GCN's own pseudo ops:
 *
 *    p_reduce   def, saved, scc, src; imm   the lanes of exec combined, as combine.h says; also
 *                                 p_inclusive_scan and p_exclusive_scan. `saved` is two SGPRs, and
 *                                 what carries (gfx8) writes vcc, too
 *
 * p_spill and p_reload of vector values have the scratch resource and its offset as further
 * sources; and what is far has two further defs, SGPRs to find it with.
 */
#ifndef HEDDLE_BACKEND_GCN_PROGRAM_H
#define HEDDLE_BACKEND_GCN_PROGRAM_H

#include "backend/gcn/isa/isa.h"
#include "machine/program.h"

/* What is fixed by the target: backend/gcn/isa/target.c. */
typedef struct hd_gcn_target {
   hd_mach mach;
   hd_gcn_gen gen;
   uint16_t max_sgprs; /* that an instruction can name, vcc and the like apart */
   uint16_t max_vgprs;
   uint16_t sgpr_granule, vgpr_granule;
   uint16_t physical_sgprs; /* of a SIMD */
   uint16_t extra_sgprs;    /* allocated beyond the named ones: vcc, flat_scratch, xnack */
   uint32_t max_lds;        /* bytes of a workgroup */
   uint32_t max_scratch;    /* bytes of a lane: 13 bits count KiB of a wave */
   uint32_t lds_granule;
   uint16_t max_vmcnt, max_lgkmcnt, max_expcnt;
   uint8_t max_waves;
   bool scalar_stores;
   bool has_16bit; /* 16-bit vector arithmetic */
   bool has_sdwa, has_dpp;
   bool has_three_int; /* v_add3_u32, v_lshl_add_u32 and the like: two integer ops in one */
   bool has_packed;    /* VOP3P: ops on both halves of a dword */
   bool lds_needs_m0;
   bool has_global;     /* global_load and the like; gfx8: flat, gfx6: MUBUF addr64 */
   bool smem_imm_bytes; /* SMEM offsets count bytes; gfx6: dwords, 8 bits */
   bool add_no_carry;   /* v_add_u32 without carry out */
} hd_gcn_target;

const hd_gcn_target *hd_gcn_target_of(hd_gcn_gen gen);
/* Is there such a one? Where not a diagnostic was sent. */
bool hd_gcn_has_target(hd_gcn_gen gen, const hd_diag_sink *sink);

typedef enum hd_gcn_file { HD_GCN_SGPR, HD_GCN_VGPR, HD_GCN_NUM_FILES } hd_gcn_file;

/* What a wave can find in registers when it starts; abi.h says how it is asked for. */
typedef enum hd_gcn_start {
   /* User SGPRs */
   HD_GCN_START_SCRATCH_RESOURCE,                                    /* 4 */
   HD_GCN_START_KERNARG,                                             /* 2 */
   HD_GCN_START_PUSH,                                                /* 2 */
   HD_GCN_START_SET,                                                 /* 2, for each set */
   HD_GCN_START_VERTEX_BUFFERS = HD_GCN_START_SET + HD_GCN_MAX_SETS, /* 2 */
   HD_GCN_START_NUM_WORKGROUPS,                                      /* x, y, z */
   HD_GCN_START_WORKGROUP_SIZE = HD_GCN_START_NUM_WORKGROUPS + 3,    /* x, y, z */
   HD_GCN_START_GLOBAL_OFFSET = HD_GCN_START_WORKGROUP_SIZE + 3,     /* x, y, z */
   HD_GCN_START_WORK_DIM = HD_GCN_START_GLOBAL_OFFSET + 3,
   HD_GCN_START_BASE_VERTEX,
   HD_GCN_START_BASE_INSTANCE,
   HD_GCN_START_DRAW_INDEX,
   HD_GCN_START_VIEW_INDEX,
   HD_GCN_START_PUSH_INLINE, /* one for each dword */
   /* System SGPRs, in this order */
   HD_GCN_START_WORKGROUP_ID = HD_GCN_START_PUSH_INLINE + HD_GCN_MAX_USER_SGPRS, /* x, y, z */
   HD_GCN_START_PRIMITIVES = HD_GCN_START_WORKGROUP_ID + 3, /* fragments: for m0 */
   HD_GCN_START_SCRATCH_OFFSET,
   /* VGPRs */
   HD_GCN_START_LOCAL_ID,                              /* x, y, z */
   HD_GCN_START_VERTEX_ID = HD_GCN_START_LOCAL_ID + 3, /* without the base */
   HD_GCN_START_INSTANCE_ID,
   /* Fragments: those that are asked for, in this order; i and j of each pair together. */
   HD_GCN_START_PERSPECTIVE,                           /* at the sample, the center, the centroid */
   HD_GCN_START_LINEAR = HD_GCN_START_PERSPECTIVE + 6, /* the same */
   HD_GCN_START_FRAG_COORD = HD_GCN_START_LINEAR + 6,  /* x, y, z, w */
   HD_GCN_START_FRONT_FACE = HD_GCN_START_FRAG_COORD + 4,
   HD_GCN_START_ANCILLARY,
   HD_GCN_START_SAMPLE_COVERAGE,
   /* No register of the chip's: lanes that are helpers. Asking for it starts them. */
   HD_GCN_START_HELPERS,
   HD_GCN_NUM_STARTS,
} hd_gcn_start;

typedef struct hd_gcn_abi {
   hd_mach_inst *start;               /* p_start */
   uint32_t temps[HD_GCN_NUM_STARTS]; /* 0: not asked for */
   bool hidden_args;                  /* HSA: some are read */
} hd_gcn_abi;

typedef struct hd_gcn_slots hd_gcn_slots; /* verify_slots.h */

typedef struct hd_gcn_program {
   hd_mach_program mach;
   const hd_gcn_options *options;
   const hd_shader *source; /* as it was given */
   /* Registers that hold spilled scalars: `imm` of p_spill is 64 * register + lane. It goes on with
    * pages, dwords of scratch memory from `page_offset` on, for which there are registers, too.
    */
   uint32_t num_lane_vgprs, num_page_vgprs, num_pages, page_offset;
   uint32_t far_sgprs;         /* two for far branches, by layout; 0: there are none */
   uint32_t num_combine_vgprs; /* after those, for p_reduce and scans: 0 to 2 */
   bool uses_flat_scratch;
   hd_gcn_abi abi;            /* what is set at the start */
   hd_gcn_graphics graphics;  /* by selection */
   const hd_gcn_slots *slots; /* what lowering is checked against; NULL: unchecked */
   /* Constant data: the instruction that asks where the code is, and the one that adds the distance from
    * after it to the data, a literal that layout knows. NULL: nothing reads any.
    */
   hd_mach_inst *data_pc, *data_add;
   uint32_t data_base;               /* the address, an SSA value; 0: not asked for */
   const void *data;                 /* after the code, with what aligns it */
   uint32_t data_padding, data_size; /* bytes of `data`: before the constants; all */
} hd_gcn_program;

static inline hd_gcn_program *
hd_gcn_of(const hd_mach_program *p)
{
   return (hd_gcn_program *)p;
}

static inline const hd_gcn_target *
hd_gcn_target_in(const hd_mach_program *p)
{
   return (const hd_gcn_target *)p->mach;
}

/* Bytes of scratch memory that the offset of an instruction reaches. */
#define HD_GCN_NEAR_SCRATCH 4096u

/* In no block. The operands that the row fixes to one register get it; the others are NO_REG with
 * size 0: the caller writes them. Pseudo ops: as many as are asked for.
 */
hd_mach_inst *hd_gcn_inst_create(hd_mach_program *p, unsigned op, unsigned num_defs,
                                 unsigned num_srcs);

/* The same with these operands; those of size 0 are left as the row has them. */
hd_mach_inst *hd_gcn_make_op(hd_mach_program *p, unsigned op, hd_mach_operand def,
                             hd_mach_operand a, hd_mach_operand b);

/* machine.c: the hooks of the machine layer. */
const hd_mach_hooks *hd_gcn_hooks_of(hd_gcn_gen gen);
/* spilling.c */
extern const hd_mach_spilling hd_gcn_spilling;

/* GCN's own phases; each unwinds when memory or the budget runs out. False: a diagnostic says why
 * not.
 */
bool hd_gcn_select(hd_mach_program *p);
bool hd_gcn_export_ends(hd_mach_program *p);
bool hd_gcn_pair_lds(hd_mach_program *p);   /* two accesses to LDS by one instruction */
bool hd_gcn_merge_smem(hd_mach_program *p); /* adjacent scalar loads by one instruction */
bool hd_gcn_lower_pseudo(hd_mach_program *p);
bool hd_gcn_shrink(hd_mach_program *p); /* 64-bit forms to 32-bit ones, where registers allow */
bool hd_gcn_insert_waits(hd_mach_program *p);
bool hd_gcn_hazards(hd_mach_program *p);
bool hd_gcn_layout(hd_mach_program *p);

/* What the shader's floats are rounded and flushed by: the lower byte of the mode register. */
unsigned hd_gcn_float_mode(uint32_t float_controls);

/* select/float_mode.c: is it an atomic on floats? Its types do not say so. */
bool hd_gcn_is_float_atomic(const hd_instr *instr);

#endif
