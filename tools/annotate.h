/* SPDX-License-Identifier: MIT */
/* annotate.h - the shader's instructions as comments in assembly. */
#ifndef HEDDLE_TOOLS_ANNOTATE_H
#define HEDDLE_TOOLS_ANNOTATE_H

#include "heddle/ir.h"

typedef struct annotation annotation;

/* Give each instruction a location of its own that names its text. NULL: out of memory. */
annotation *annotate_shader(hd_shader *shader);
/* The assembly with the text of instructions where it has their locations. */
void annotation_write(const annotation *a, const char *assembly, hd_blob *out);
void annotation_free(annotation *a);

#endif
