/* SPDX-License-Identifier: MIT */
/* rejoin.c - exec masks for flat functions that reconverge. */
#include "backend/gcn/code.h"

bool
hd_gcn_mask_rejoin(hd_gcn_program *p)
{
   return hd_gcn_refuse(p, NULL, "the road of reconverging functions is closed");
}
