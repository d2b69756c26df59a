/* SPDX-License-Identifier: MIT */
/* intrinsic.h - a driver's own intrinsics: a table of rows that hd_config names.
 *
 *    static const hd_type_info rsq_srcs[] = { HD_TYPE("x", FLOAT, 32, 1, 0) };
 *    static const hd_own_intrinsic rows[] = {
 *       { .info = { HD_INTRINSIC_NAME("acme_rsq"),
 *                   .flags = HD_HAS_RESULT | HD_CAN_ELIMINATE | HD_CAN_SPECULATE,
 *                   .divergence = HD_DIVERGENCE_OPERANDS,
 *                   .stages = HD_ALL_STAGES,
 *                   .num_srcs = 1,
 *                   .src = rsq_srcs,
 *                   .result = HD_TYPE("result", FLOAT, 32, 1, 0) } },
 *    };
 *    static const hd_intrinsic_table table = { .rows = rows, .num_rows = 1 };
 *
 *    hd_config config = { .intrinsics = &table };
 *
 * Row n is the intrinsic HD_INTRINSIC_OWN + n of every shader made with that configuration: for the
 * builder, text, binary form, validator, passes, analyses and the checks of code motion it is as if
 * it stood in the library's own table. doc/own-intrinsics.md says what each property means for them.
 * What runs it in the interpreter is its callback; a backend asks its hook for machine code
 * (select_own of hd_gcn_options, hd_gen9_options, hd_nyuzi_options), and refuses what none selects.
 *
 * A shader holds the pointer: the table, and all that it points to, must outlive it and not change.
 * Any number of shaders, on any threads, may share it.
 */
#ifndef HEDDLE_INTRINSIC_H
#define HEDDLE_INTRINSIC_H

#include "heddle/binary.h"
#include "heddle/ops.h"

HD_BEGIN_DECLS

/* The call of an own intrinsic in the interpreter: wave.h has what a callback can do with it. */
typedef struct hd_own_call hd_own_call;

typedef struct hd_own_intrinsic {
   hd_intrinsic_info info;
   /* Run it for all active lanes at once; NULL: the interpreter refuses shaders that have it. */
   void (*run)(void *user, hd_own_call *call);
} hd_own_intrinsic;

/* `rows` stand in ascending order of their names, as strcmp has it. */
struct hd_intrinsic_table {
   const hd_own_intrinsic *rows;
   uint32_t num_rows;
   void *user; /* handed to `run` */
};

#define HD_MAX_OWN_INTRINSICS 4096u

/* The number of a row: an enumeration of the driver's own counts the rows from 0. */
#define HD_OWN_INTRINSIC(row) ((hd_intrinsic_id)(HD_INTRINSIC_OWN + (row)))

/* For rows: a name and its length; an operand or result of one size in bits (or several, or-ed)
 * with so many components; its flags are hd_operand_flags. A row that needs more than that (size
 * variables, ranges, linked components) writes the struct.
 */
#define HD_INTRINSIC_NAME(text) .name = (text), .name_length = sizeof(text) - 1
#define HD_TYPE(text, what, bits, components, operand_flags)                                       \
   {                                                                                               \
      .name = (text), .kind = HD_KIND_##what, .sizes = (bits), .min_components = (components),     \
      .max_components = (components), .flags = (operand_flags)                                     \
   }
#define HD_ALL_STAGES ((1u << HD_NUM_STAGES) - 1)

/* Is the table well formed? NULL is. Every call that makes a shader asks (hd_shader_create returns
 * NULL, the others HD_INVALID), so a driver need not; a test of the driver may.
 *
 * HD_INVALID: the sink (`report` may be NULL) hears which row is wrong, and how: a name that is not
 * lower-case words joined by underscores, is that of an op, an intrinsic or a word of the text form,
 * or does not come after the one before; operands, sizes, components, indices or flags that cannot
 * be; properties that contradict each other, such as an effect and permission to eliminate.
 * Linear in the size of the table.
 */
HD_API hd_result hd_intrinsic_table_check(const hd_intrinsic_table *table, hd_diag_sink sink);

/* What tells a table from others: a hash of all that its rows say, but for the callbacks. It is the
 * same on every host. That of NULL and of a table without rows is all zero.
 */
HD_API hd_hash hd_intrinsic_table_hash(const hd_intrinsic_table *table);

/* Append the table as the heddle command reads it (--intrinsics): what a driver leaves beside a dump
 * of a shader, so that somebody else can read it. HD_INVALID: hd_intrinsic_table_check would be.
 */
HD_API hd_result hd_intrinsic_table_print(const hd_intrinsic_table *table, hd_blob *out);

/* The intrinsic of this name in the library's table or, where it has none, the shader's;
 * HD_INTRINSIC_NONE. The name need not end in NUL.
 */
HD_API hd_intrinsic_id hd_shader_find_intrinsic(const hd_shader *shader, const char *name,
                                                size_t length);

/* The row that a number of HD_INTRINSIC_OWN or more stands for, or NULL. */
HD_API const hd_own_intrinsic *hd_shader_own_intrinsic(const hd_shader *shader, unsigned id);

HD_END_DECLS

#endif
