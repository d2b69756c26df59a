/* SPDX-License-Identifier: MIT */
/* help_pages.h - what help_pages.py makes of the command table: lines, NULL after the last. */
#ifndef HEDDLE_TOOLS_HELP_PAGES_H
#define HEDDLE_TOOLS_HELP_PAGES_H

extern const char *const man_page[];
extern const char *const bash_completion[];
extern const char *const zsh_completion[];

#endif
