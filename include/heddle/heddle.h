/* SPDX-License-Identifier: MIT */
/* heddle.h - all public headers, one after the other. */
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#include "heddle/analysis.h"
#include "heddle/base.h"
#include "heddle/binary.h"
#include "heddle/build.h"
#include "heddle/build_ops.h"
#include "heddle/check.h"
#include "heddle/clone.h"
#include "heddle/compare.h"
#include "heddle/config.h"
#include "heddle/draw.h"
#include "heddle/edit.h"
#include "heddle/ir.h"
#include "heddle/linear.h"
#include "heddle/motion.h"
#include "heddle/ops.h"
#include "heddle/pass.h"
#include "heddle/reduce.h"
#include "heddle/reference.h"
#include "heddle/spirv.h"
#include "heddle/structurize.h"
#include "heddle/target.h"
#include "heddle/text.h"
#include "heddle/trips.h"
#include "heddle/value.h"
#include "heddle/wave.h"

#if HD_HAS_GCN
#include "heddle/gcn.h"
#include "heddle/gcn_asm.h"
#include "heddle/gcn_object.h"
#include "heddle/gcn_sim.h"
#endif

#if HD_HAS_NYUZI
#include "heddle/nyuzi.h"
#include "heddle/nyuzi_asm.h"
#include "heddle/nyuzi_sim.h"
#endif

#endif
