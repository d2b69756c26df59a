/* SPDX-License-Identifier: MIT */
/* open_args.h - arguments of a kernel without metadata, from the launch. */
#ifndef HEDDLE_BACKEND_GCN_SIM_OPEN_ARGS_H
#define HEDDLE_BACKEND_GCN_SIM_OPEN_ARGS_H

#include "heddle/gcn_object.h"
#include "util/memory.h"

/* The kernel with arguments where C would put what the launch has, and hidden ones after them where
 * this version of code objects has them. In `stack`; unwinds.
 */
const hd_gcn_kernel *hd_gcn_open_args(hd_stack *stack, const hd_gcn_object *object,
                                      const hd_gcn_kernel *kernel,
                                      const hd_gcn_sim_dispatch_info *info);

#endif
