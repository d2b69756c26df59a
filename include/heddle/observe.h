/* SPDX-License-Identifier: MIT */
/* observe.h - a compilation, watched: each pass, and each phase of the machine code. What is compiled
 * is the same whether somebody watches or not.
 */
#ifndef HEDDLE_OBSERVE_H
#define HEDDLE_OBSERVE_H

#include "heddle/pass.h"

HD_BEGIN_DECLS

/* Register files of a machine: in the order in which the machine has them. */
#define HD_MAX_REGISTER_FILES 2

/* What an instruction of a machine does, roughly. */
typedef enum hd_machine_class {
   HD_MACHINE_SCALAR,  /* once for the wave */
   HD_MACHINE_VECTOR,  /* for each active lane */
   HD_MACHINE_MEMORY,  /* loads, stores, atomics */
   HD_MACHINE_CONTROL, /* branches, the end of the wave */
   HD_MACHINE_WAIT,    /* has no operands: waits, barriers, what fills time */
   HD_MACHINE_PSEUDO,  /* what later phases replace */
   HD_NUM_MACHINE_CLASSES,
} hd_machine_class;

typedef struct hd_machine_inst {
   const void *key; /* the same instruction has the same one in every phase; NULL: there is none */
   /* Of the IR instruction that it comes from: an index of the shader's locations, or 0. */
   uint32_t location;
   hd_machine_class kind;
   const char *text;
   uint32_t offset, size; /* bytes, in the code; before that is known 0 */
   /* Registers of each file that hold what is still to be read, where that is most: before it or
    * after it. Only with hd_machine_phase.has_live.
    */
   uint32_t live[HD_MAX_REGISTER_FILES];
   /* The instructions that wrote what it reads: those of the same block, once registers are given;
    * indices into hd_machine_phase.insts.
    */
   const uint32_t *reads;
   uint32_t num_reads;
} hd_machine_inst;

typedef struct hd_machine_block {
   uint32_t number; /* the same in every phase */
   uint32_t loop_depth;
   uint32_t first_inst, num_insts;
   /* Indices of blocks: where the pc goes; before control flow is lowered, where lanes go. */
   const uint32_t *succs;
   uint32_t num_succs;
} hd_machine_block;

/* With no more registers of each file than these there can be so many waves. */
typedef struct hd_machine_occupancy {
   uint32_t waves;
   uint32_t registers[HD_MAX_REGISTER_FILES];
} hd_machine_occupancy;

/* The machine code after a phase; at last, as the phase "output", what became bytes. All of it lives
 * as long as the call.
 */
typedef struct hd_machine_phase {
   const char *name;
   const hd_shader *shader; /* whose locations are meant */
   const char *files[HD_MAX_REGISTER_FILES];
   uint32_t num_files;
   const hd_machine_block *blocks;
   uint32_t num_blocks;
   const hd_machine_inst *insts;
   uint32_t num_insts;
   bool has_live;                         /* else it is not known, or would cost too much */
   const hd_machine_occupancy *occupancy; /* in ascending order of waves */
   uint32_t num_occupancy;                /* 0: the machine does not depend on registers */
} hd_machine_phase;

/* Zero-initialised it hears nothing. What is NULL is not called. */
typedef struct hd_observer {
   /* The passes on the IR, before instructions are selected. `after` may write the locations of
    * instructions and nodes: those that a pass makes of an instruction have its location, and so has
    * the machine code.
    */
   hd_run_watch passes;
   void *user;
   /* Before a phase, but the output; when it has run, so that its time can be told from that of the
    * report; and with the report.
    */
   void (*before_phase)(void *user, const char *name);
   void (*end_phase)(void *user, const char *name);
   void (*after_phase)(void *user, const hd_machine_phase *phase);
} hd_observer;

HD_END_DECLS

#endif
