/* SPDX-License-Identifier: MIT */
/* restructure.h - what the commands share that change the form of control flow. */
#ifndef HEDDLE_TOOLS_RESTRUCTURE_H
#define HEDDLE_TOOLS_RESTRUCTURE_H

#include "tool.h"

#include "heddle/structurize.h"

/* Read a shader, change each function, print it. The command has the options output and stats. */
int run_restructure(tool *t,
                    hd_result (*change)(tool *t, hd_function *f, hd_structurize_stats *stats));

/* --explain: one line of standard error for each; `user` is the tool. */
void put_explanation(void *user, const hd_explanation *e);

#endif
