/* SPDX-License-Identifier: MIT */
/* heddle.h - all public headers of libheddle, one after the other; heddle_tools.h has those of
 * libheddle-tools.
 */
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#include "heddle/access.h"
#include "heddle/analysis.h"
#include "heddle/base.h"
#include "heddle/binary.h"
#include "heddle/build.h"
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "heddle/check.h"
#include "heddle/clone.h"
#include "heddle/config.h"
#include "heddle/edit.h"
#include "heddle/emit.h"
#include "heddle/intrinsic.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/ir.h"
#include "heddle/linear.h"
#include "heddle/link.h"
#include "heddle/motion.h"
#include "heddle/observe.h"
#include "heddle/op_enum.h"
#include "heddle/ops.h"
#include "heddle/pass.h"
#include "heddle/rules.h"
#include "heddle/spirv.h"
#include "heddle/ssa.h"
#include "heddle/structurize.h"
#include "heddle/target.h"
#include "heddle/text.h"
#include "heddle/trip_count.h"
#include "heddle/value.h"
#include "heddle/walk.h"

#if HD_HAS_GCN
#include "heddle/gcn.h"
#include "heddle/gcn_emit.h"
#endif

#if HD_HAS_GEN9
#include "heddle/gen9.h"
#endif
#if HD_HAS_NYUZI
#include "heddle/nyuzi.h"
#endif
#if HD_HAS_R700
#include "heddle/r700.h"
#endif

#endif
