/* SPDX-License-Identifier: MIT */
/* A program that uses an installed library: it must print the version that it was compiled for. */
#include <stdio.h>
#include <string.h>

#include <heddle/heddle.h>

int
main(void)
{
   char expected[32];

   snprintf(expected, sizeof(expected), "%d.%d.%d", HD_VERSION_MAJOR, HD_VERSION_MINOR,
            HD_VERSION_PATCH);
   puts(hd_version());
   return strcmp(hd_version(), expected) != 0;
}
