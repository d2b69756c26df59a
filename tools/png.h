/* SPDX-License-Identifier: MIT */
/* png.h - pictures as PNG: 8 bits a component, red, green, blue, alpha, not compressed. */
#ifndef HEDDLE_TOOLS_PNG_H
#define HEDDLE_TOOLS_PNG_H

#include "heddle/base.h"

/* Append the file to `out`; width and height are 1 to 65535. */
void png_append(hd_blob *out, const uint8_t *rgba, uint32_t width, uint32_t height);

#endif
