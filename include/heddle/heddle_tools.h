/* SPDX-License-Identifier: MIT */
/* heddle_tools.h - all public headers of libheddle-tools, and heddle.h. */
#ifndef HEDDLE_HEDDLE_TOOLS_H
#define HEDDLE_HEDDLE_TOOLS_H

#include "heddle/compare.h"
#include "heddle/diff.h"
#include "heddle/draw.h"
#include "heddle/explore.h"
#include "heddle/heddle.h"
#include "heddle/raster.h"
#include "heddle/reduce.h"
#include "heddle/reference.h"
#include "heddle/texture.h"
#include "heddle/wave.h"

#if HD_HAS_GCN
#include "heddle/gcn_asm.h"
#include "heddle/gcn_object.h"
#include "heddle/gcn_sim.h"
#endif

#if HD_HAS_GEN9
#include "heddle/gen9_asm.h"
#include "heddle/gen9_sim.h"
#endif

#if HD_HAS_NYUZI
#include "heddle/nyuzi_asm.h"
#include "heddle/nyuzi_sim.h"
#endif

#if HD_HAS_R700
#include "heddle/r700_asm.h"
#include "heddle/r700_sim.h"
#endif

#endif
