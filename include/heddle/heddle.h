/* SPDX-License-Identifier: MIT */
/* heddle.h - all public headers, lowest floor first. */
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#include "heddle/base.h"
#include "heddle/ops.h"
#include "heddle/value.h"
#include "heddle/ir.h"
#include "heddle/edit.h"
#include "heddle/clone.h"
#include "heddle/text.h"
#include "heddle/binary.h"

#endif
