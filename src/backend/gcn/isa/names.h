/* SPDX-License-Identifier: MIT */
/* names.h - names of the assembly language, shared by printer and parser. */
#ifndef HEDDLE_BACKEND_GCN_ISA_NAMES_H
#define HEDDLE_BACKEND_GCN_ISA_NAMES_H

#include "backend/gcn/isa/isa.h"

/* A scalar register with a name of its own, and its number. A name without `gen` bits is of no
 * generation. `size` is that of the whole name.
 */
typedef struct hd_gcn_register_name {
   const char *name;
   uint16_t reg;
   uint8_t size;
   uint8_t gens; /* bit n: generation n */
} hd_gcn_register_name;

extern const hd_gcn_register_name hd_gcn_register_names[]; /* ended by name NULL */

/* Names by number; NULL: none on `gen`. */
const char *hd_gcn_hwreg_name(hd_gcn_gen gen, unsigned id);
const char *hd_gcn_message_name(hd_gcn_gen gen, unsigned id);
/* Operations of the messages that have them: GS and GS_DONE, SYSMSG. */
const char *hd_gcn_message_op_name(hd_gcn_gen gen, unsigned id, unsigned op);

#define HD_GCN_MSG_GS      2u
#define HD_GCN_MSG_GS_DONE 3u
#define HD_GCN_MSG_SYSMSG  15u
#define HD_GCN_NUM_HWREGS  20u

/* Formats of texel buffers in MTBUF: of the data, of the numbers. */
extern const char *const hd_gcn_data_format_names[16];
const char *hd_gcn_number_format_name(hd_gcn_gen gen, unsigned n);

extern const char *const hd_gcn_sel_names[HD_GCN_SEL_DWORD + 1];
extern const char *const hd_gcn_unused_names[HD_GCN_PRESERVE + 1];
/* Of the inline constants from HD_GCN_CONST_FLOAT on. The last, 1 / (2 pi), is longer in 64 bits.
 */
extern const char *const hd_gcn_float_names[9];
#define HD_GCN_INV_2PI_64 "0.15915494309189532"

/* DPP controls without a number, or with only one: "row_mirror", "wave_shl:1". */
typedef struct hd_gcn_dpp_name {
   const char *name;
   uint16_t ctrl;
   uint8_t first, last; /* numbers; ctrl is that of `first`, the others follow; 0: none */
} hd_gcn_dpp_name;

extern const hd_gcn_dpp_name hd_gcn_dpp_names[]; /* ended by name NULL */

/* A word that is a bit of an instruction: of images, and of other memory. */
typedef struct hd_gcn_flag_word {
   const char *name;
   uint16_t bit;
   uint8_t gens; /* bit n: generation n */
   bool image, other;
   bool before_offset; /* where it is printed */
} hd_gcn_flag_word;

extern const hd_gcn_flag_word hd_gcn_flag_words[]; /* as they are printed; ended by name NULL */

#endif
