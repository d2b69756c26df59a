/* SPDX-License-Identifier: MIT */
/* info.c - what a host must know of a module. */
#include "spirv/spirv.h"

void
hd_spirv_collect_info(struct spirv *s, void *user)
{
   (void)user;
   hd_spirv_unsupported(s, "not yet");
}

void
hd_spirv_info_destroy(hd_spirv_info *info)
{
   (void)info;
}
