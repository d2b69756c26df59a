/* SPDX-License-Identifier: MIT */
/* exec_memory.h - execution of loads, stores and atomics: parts common to all memories. */
#ifndef HEDDLE_BACKEND_GCN_SIM_EXEC_MEMORY_H
#define HEDDLE_BACKEND_GCN_SIM_EXEC_MEMORY_H

#include "backend/gcn/sim/exec.h"

/* What an atomic leaves of the old value `a` and the operands `b` and `c`, of so many bits; `denorm`
 * are those bits of the mode register. Generated.
 */
typedef struct hd_gcn_atomic {
   uint64_t (*value)(unsigned bits, uint32_t denorm, uint64_t a, uint64_t b, uint64_t c);
   uint64_t (*undef)(uint64_t a, uint64_t ua, uint64_t b, uint64_t ub, uint64_t c, uint64_t uc);
   bool compares; /* `c` is what must be there */
} hd_gcn_atomic;

typedef enum hd_gcn_access_kind {
   HD_GCN_ACCESS_INVALID,
   HD_GCN_ACCESS_NONE, /* caches, swizzles */
   HD_GCN_ACCESS_LOAD,
   HD_GCN_ACCESS_STORE,
   HD_GCN_ACCESS_ATOMIC,
} hd_gcn_access_kind;

typedef struct hd_gcn_access {
   const hd_gcn_atomic *atomic;
   uint8_t kind;
   uint8_t bytes;    /* of an element */
   uint8_t two;      /* DS with two offsets, in units of this many elements; else 0 */
   uint8_t channels; /* of a texel: then the resource or the instruction says the bytes */
   bool is_signed;   /* small elements are extended by their sign */
   bool d16;         /* into half a register, the other half stays */
   bool hi;          /* the upper half */
   bool returns;     /* an atomic that always does */
   bool buffer;      /* SMEM by a resource */
   bool relative;    /* DS whose operand is in LDS, too */
} hd_gcn_access;

/* What an image instruction does. */
typedef enum hd_gcn_image_kind {
   HD_GCN_TEXEL_READ,
   HD_GCN_TEXEL_WRITE,
   HD_GCN_TEXEL_CHANGE,
   HD_GCN_TEXEL_RESINFO,
   HD_GCN_TEXEL_SAMPLE,
   HD_GCN_TEXEL_GATHER,
   HD_GCN_TEXEL_LEVEL_OF,
} hd_gcn_image_kind;

typedef struct hd_gcn_image_op {
   uint8_t kind;
   bool mip; /* the address ends with a level */
   /* Of samples: what the address has, and `zero`: level 0. */
   bool offset, bias, compare, gradients, level, clamp, zero;
} hd_gcn_image_op;

extern const hd_gcn_image_op hd_gcn_image_ops[];

/* Generated, by op. */
extern const hd_gcn_access hd_gcn_accesses[];
extern const char *const hd_gcn_unmodelled[];

/* Up to 16 dwords on their way from or to memory. */
typedef struct hd_gcn_data {
   uint32_t value[16], undef[16];
} hd_gcn_data;

/* What a load of `bytes` leaves in the registers: small elements are extended, halves joined with
 * what the register holds.
 */
void hd_gcn_data_loaded(const hd_gcn_access *access, hd_gcn_data *data, uint32_t old,
                        uint32_t old_undef);

/* Registers of a lane. */
void hd_gcn_data_from_lane(const hd_gcn_wave *wave, unsigned vgpr, unsigned dwords, unsigned lane,
                           hd_gcn_data *data);
void hd_gcn_data_to_lane(hd_gcn_wave *wave, unsigned vgpr, unsigned dwords, unsigned lane,
                         const hd_gcn_data *data);

/* The new value in memory, of 4 or 8 bytes, from the old one and one or two operands. */
void hd_gcn_atomic_apply(const hd_gcn_wave *wave, const hd_gcn_access *access,
                         const hd_gcn_data *old, const hd_gcn_data *operand,
                         const hd_gcn_data *second, hd_gcn_data *out);

/* How bytes are reached: memory, LDS, scratch. */
typedef bool hd_gcn_mover(hd_gcn_wave *wave, int lane, uint64_t address, unsigned size,
                          uint8_t *value, uint8_t *undef, bool store);

/* The first `size` bytes of dwords. A load of less than a dword leaves the rest of the first one. */
bool hd_gcn_move_data(hd_gcn_wave *wave, hd_gcn_mover *move, int lane, uint64_t address,
                      unsigned size, uint32_t *value, uint32_t *undef, bool store);

/* One access of one lane at `address`, from and to registers: `dst` is written by loads and by
 * atomics that return, `src` is stored or the operand; -1: none.
 */
bool hd_gcn_access_lane(hd_gcn_wave *wave, const hd_gcn_access *access, hd_gcn_mover *move,
                        unsigned lane, uint64_t address, int dst, int src);

/* exec_ds.c: bytes of LDS. */
hd_gcn_mover hd_gcn_move_lds;
/* Bytes of memory. */
hd_gcn_mover hd_gcn_move_memory;
/* exec_flat.c: of this lane's scratch, which is interleaved by dwords. */
hd_gcn_mover hd_gcn_move_scratch;

/* A fault if the address does not suit the size of the access. */
bool hd_gcn_check_alignment(hd_gcn_wave *wave, int lane, uint64_t address, unsigned align);

/* Address registers of a lane, whose bits must all be defined. */
bool hd_gcn_lane_address(hd_gcn_wave *wave, unsigned vgpr, unsigned dwords, unsigned lane,
                         uint64_t *out);

#endif
