/* SPDX-License-Identifier: MIT */
/* link.h - a vertex shader and a fragment shader that are drawn with together. */
#ifndef HEDDLE_LINK_H
#define HEDDLE_LINK_H

#include "heddle/ir.h"

HD_BEGIN_DECLS

/* How many locations linking looks at; shaders with others stay as they are. */
#define HD_LINK_MAX_LOCATIONS 64u

typedef struct hd_link_report {
   bool linked; /* false: nothing was changed, as locations are not known or too many */
   uint32_t outputs_removed;   /* stores of the vertex shader that go, a component each */
   uint32_t inputs_constant;   /* loads of the fragment shader that became constants */
   uint32_t num_locations;     /* that are left between them: 0 to num_locations - 1 */
   uint32_t locations_removed; /* of those that were used before */
} hd_link_report;

/* Make two valid shaders fit each other:
 *
 *   1. Variables become SSA values where they can; a load or store of a vector of 32-bit numbers becomes one
 *      for each component that is used.
 *   2. A load of the fragment shader becomes a constant, if the vertex shader has one store to each of its
 *      components, of a constant. Of interpolated inputs only finite ones do that are not -0.
 *   3. Components that always hold the same value become one. Both are interpolated, or neither is.
 *   4. Stores of the vertex shader go, if the fragment shader loads none of their components. Their values
 *      are left to opt_dce.
 *   5. A clip or cull distance that the fragment shader loads is an interpolated input, at the center of the pixel, and the
 *      vertex shader stores it as an output besides.
 *   6. What is left is packed into locations from 0 on, numbers of 32 bits without gaps. No location has
 *      interpolated components and others, if it had not before. Built-in outputs, and the outputs of the
 *      fragment shader, stay.
 *
 * Where an index of a location is not constant, a location is HD_LINK_MAX_LOCATIONS or more, or an access goes past the
 * end of its location, nothing is changed. `report` may be NULL; it is written if the result is HD_OK.
 *
 * HD_OK, HD_INVALID: the stages are others, or HD_OUT_OF_MEMORY: both shaders are valid, and fit each other as before
 * or better.
 */
HD_API hd_result hd_link_stages(hd_shader *vertex, hd_shader *fragment, hd_link_report *report);

HD_END_DECLS

#endif
