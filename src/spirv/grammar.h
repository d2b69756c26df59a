/* SPDX-License-Identifier: MIT */
/* grammar.h - the tables that are generated from the SPIR-V grammar.
 *
 * A layout is a run of numbers that ends with 0, one for each operand after result type and result:
 * a spirv_operand, or SPIRV_OPERAND_ENUM plus the spirv_kind of an enumeration; and with it
 * SPIRV_OPERAND_OPTIONAL or SPIRV_OPERAND_REPEATED.
 */
#ifndef HEDDLE_SPIRV_GRAMMAR_H
#define HEDDLE_SPIRV_GRAMMAR_H

#include <stdbool.h>
#include <stdint.h>

#include "heddle/spirv.h"
#include "spirv/spirv_grammar.h"
#include "spirv/spirv_modes.h"

#define SPIRV_OPERAND_MASK (SPIRV_OPERAND_OPTIONAL - 1u)

/* Those above are spirv_alu_flags. */
enum spirv_opcode_flags { SPIRV_HAS_TYPE = 1u << 0, SPIRV_HAS_RESULT = 1u << 1 };

struct spirv_opcode {
   spirv_place name;   /* in hd_spirv_names */
   spirv_place layout; /* in hd_spirv_layouts */
   spirv_place extra;  /* alu: the hd_op, or HD_OP_NONE; unsupported: why, in hd_spirv_reasons */
   uint8_t room : 4;   /* spirv_room */
   uint8_t ids : 4;    /* so many ids must be there, and are the first of the layout */
   uint8_t flags;      /* spirv_opcode_flags, spirv_alu_flags */
};

/* The first is what no opcode is. */
extern const struct spirv_opcode hd_spirv_opcodes[];
extern const uint16_t hd_spirv_opcode_pages[];
extern const uint16_t hd_spirv_opcode_page[];
extern const uint32_t hd_spirv_num_opcode_pages;
extern const char hd_spirv_names[];
extern const char hd_spirv_reasons[];
extern const uint16_t hd_spirv_layouts[];

/* The row of an opcode; hd_spirv_opcodes for one that the grammar does not have. */
static inline const struct spirv_opcode *
hd_spirv_opcode(uint32_t opcode)
{
   const uint32_t page = opcode / SPIRV_OPCODE_PAGE;

   if (page >= hd_spirv_num_opcode_pages)
      return hd_spirv_opcodes;
   const uint32_t first = hd_spirv_opcode_pages[page] * SPIRV_OPCODE_PAGE;
   return &hd_spirv_opcodes[hd_spirv_opcode_page[first + opcode % SPIRV_OPCODE_PAGE]];
}

/* Enumerations: the values of one stand together, in ascending order. A value of one that is a set
 * of bits is the number of the bit.
 */
extern const spirv_enumerant_value hd_spirv_enumerant_values[];
extern const spirv_place hd_spirv_enumerant_layouts[]; /* of their parameters */

struct spirv_enum {
   spirv_place first, count; /* in both */
   bool bits;
   bool open; /* a value that is not there is no reason to refuse the module */
};

struct spirv_enumerant_name {
   spirv_named_value value;
   spirv_place name; /* in the text of the enumeration */
};

/* Execution modes, and the decorations that are refused: both ascending. */
struct spirv_mode_row {
   uint16_t value;
   uint16_t name; /* in hd_spirv_mode_text */
   uint8_t mode;  /* spirv_mode */
};

extern const struct spirv_mode_row hd_spirv_modes[];
extern const uint32_t hd_spirv_num_modes;
extern const struct spirv_mode_row hd_spirv_refused_decorations[];
extern const uint32_t hd_spirv_num_refused_decorations;
extern const char hd_spirv_mode_text[];

extern const struct spirv_enumerant_name hd_spirv_capability_names[]; /* ascending */
extern const uint32_t hd_spirv_num_capabilitys;
extern const char hd_spirv_capability_text[];
extern const struct spirv_enumerant_name hd_spirv_built_in_names[]; /* ascending */
extern const uint32_t hd_spirv_num_built_ins;
extern const char hd_spirv_built_in_text[];
extern const struct spirv_enum hd_spirv_enums[];

#endif
