/* SPDX-License-Identifier: MIT */
/* exec_image.h - what accesses to texels and samples of images share. */
#ifndef HEDDLE_BACKEND_GCN_SIM_EXEC_IMAGE_H
#define HEDDLE_BACKEND_GCN_SIM_EXEC_IMAGE_H

#include "backend/gcn/sim/exec_memory.h"
#include "backend/gcn/sim/image.h"

/* Components of a texel in registers of a lane. */
typedef struct hd_gcn_texel_registers {
   hd_texel_format format;
   unsigned mask, first; /* which components; the register of the first of them */
   bool half;            /* they have 16 bits */
   bool packed;          /* two in a register */
   bool upper;           /* one, above what the register keeps */
} hd_gcn_texel_registers;

/* What the lanes of an instruction share. */
typedef struct hd_gcn_image_access {
   const hd_mach_inst *inst;
   const hd_gcn_image_op *op;
   hd_gcn_image image;
   uint32_t words[8];                /* the resource */
   unsigned vaddr, num_address;      /* registers */
   hd_gcn_texel_registers registers; /* of the data: those that dmask names, of a gather all */
   bool slices;                      /* the address has one */
} hd_gcn_image_access;

/* What a lane stores: channels that are not there are 0. */
hd_gcn_texel hd_gcn_texel_read(const hd_gcn_wave *wave, const hd_gcn_texel_registers *r,
                               unsigned lane);
void hd_gcn_texel_write(hd_gcn_wave *wave, const hd_gcn_texel_registers *r, unsigned lane,
                        const hd_gcn_texel *t);

/* exec_sample.c: image_sample, image_gather4, image_get_lod, for all lanes. */
bool hd_gcn_execute_sample(hd_gcn_wave *wave, const hd_gcn_image_access *a);
/* Registers of its address. */
unsigned hd_gcn_sample_address(const hd_gcn_image_access *a);

#endif
