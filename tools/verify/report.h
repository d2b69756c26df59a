/* SPDX-License-Identifier: MIT */
/* report.h - what was found, for people and for programs. */
#ifndef VERIFY_REPORT_H
#define VERIFY_REPORT_H

#include "judge.h"

/* The sums: a line for what was done, one for each change with what it added. */
void report_tally(const tally *t, const judge_options *options, bool json, FILE *file);

/* A failure: what differs, the command that repeats it, the graph and the program as text. */
void report_failure(const program *p, const judge_options *options, const failure *why, FILE *file);

#endif
