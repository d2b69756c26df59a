/* SPDX-License-Identifier: MIT */
/* stage.h - instruction selection of vertex and fragment shaders: interface between its files.
 *
 *    stage.c      which intrinsics they are, and which parameters
 *    parameters.c numbers of parameters
 *    vertex.c     numbers of vertices and instances, attributes
 *    fragment.c   what the rasteriser gives, interpolation
 *    exports.c    outputs
 */
#ifndef HEDDLE_BACKEND_GCN_SELECT_STAGE_H
#define HEDDLE_BACKEND_GCN_SELECT_STAGE_H

#include "backend/gcn/select/memory_access.h"

/* Clip distances and cull distances behind them. */
#define HD_GCN_MAX_DISTANCES 8u

typedef struct hd_gcn_export {
   int32_t imm;
   hd_mach_operand srcs[4];
} hd_gcn_export;

/* Positions and distances, parameters; or colours and depth. */
#define HD_GCN_MAX_EXPORTS (4u + HD_GCN_MAX_PARAMETERS)

/* What is exported: a VGPR, or nothing, for each channel. */
typedef struct hd_gcn_outputs {
   uint32_t left; /* stores that are not selected yet */
   hd_gcn_export exports[HD_GCN_MAX_EXPORTS];
   uint32_t num_exports;
   hd_mach_operand position[4], misc[4], viewport;
   hd_mach_operand distances[2][HD_GCN_MAX_DISTANCES]; /* clip, cull */
   hd_mach_operand parameters[HD_GCN_MAX_PARAMETERS][4];
   hd_mach_operand colors[HD_GCN_MAX_COLORS][4];
   uint8_t color_bits[HD_GCN_MAX_COLORS]; /* 16 or 32 */
   hd_mach_operand depth, stencil, sample_mask;
} hd_gcn_outputs;

/* Components that were moved from one lane of each quad to all, the latest ones. */
#define HD_GCN_QUAD_LANES 8u

typedef struct hd_gcn_quad_lanes {
   struct {
      const hd_def *value;
      const hd_mach_block *block;
      hd_mach_operand moved;
      uint32_t component, code;
   } lanes[HD_GCN_QUAD_LANES];
   uint32_t next;
} hd_gcn_quad_lanes;

typedef struct hd_gcn_stage_state {
   hd_gcn_outputs outputs;
   const hd_block *last; /* where outputs are stored; NULL: nowhere */
   /* In the start block, once they are asked for. */
   hd_mach_operand vertex_number, base_instance;
   hd_mach_operand resources[HD_GCN_MAX_PARAMETERS]; /* of attributes */
   hd_gcn_quad_lanes quad_lanes;
   bool m0_is_set;
} hd_gcn_stage_state;

/* parameters.c */

/* The number of the parameter of a location, or a HD_GCN_PARAMETER_...; the shader names it. */
unsigned hd_gcn_parameter_of(const hd_gcn_selector *s, uint32_t location);

/* The location of an access: its index counts on. False: it was refused, as that is no constant. */
bool hd_gcn_location_of(hd_gcn_selector *s, const hd_intrinsic *i, const hd_src *index,
                        uint32_t *location);

bool hd_gcn_select_vertex(hd_gcn_selector *s, const hd_intrinsic *i);
bool hd_gcn_select_fragment(hd_gcn_selector *s, const hd_intrinsic *i);
/* Keep what is stored; with the last one all is exported. */
bool hd_gcn_select_output(hd_gcn_selector *s, const hd_intrinsic *i);

/* In a vertex shader without outputs export a position: the chip waits for one even so. */
void hd_gcn_export_nothing(hd_gcn_selector *s);

#endif
