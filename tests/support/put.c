/* SPDX-License-Identifier: MIT */
#include "support/test.h"

#include "support/put.h"

#include <stdint.h>
#include <stdio.h>

char text[1 << 17];
size_t length;

void
put(const char *format, ...)
{
   va_list args;

   va_start(args, format);
   length += (size_t)vsnprintf(text + length, sizeof(text) - length, format, args);
   va_end(args);
   assert_true(length < sizeof(text));
}
