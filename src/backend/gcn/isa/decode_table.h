/* SPDX-License-Identifier: MIT */
/* decode_table.h - the decoder's tables: from words to encodings and instructions. */
#ifndef HEDDLE_BACKEND_GCN_ISA_DECODE_TABLE_H
#define HEDDLE_BACKEND_GCN_ISA_DECODE_TABLE_H

#include "backend/gcn/isa/encoding.h"

/* The layouts that a first word can have, most particular first, ended by HD_GCN_LAYOUT_NONE: the
 * first that matches is the one.
 */
const uint8_t *hd_gcn_layouts_of_word(hd_gcn_gen gen, uint32_t word);

/* The instructions of a layout by opcode; NULL: an encoding without rows. */
const uint16_t *hd_gcn_ops_of_layout(hd_gcn_gen gen, hd_gcn_layout_id id);

#endif
