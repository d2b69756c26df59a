/* SPDX-License-Identifier: MIT */
/* metadata.c - the validator's check META1: recompute valid metadata and compare. */
#include "check.h"
#include "heddle/analysis.h"

static void
hear_difference(void *user, const hd_meta_difference *d)
{
   check *c = user;
   const hd_block *block = d->block && block_place(c, d->block) != NOT_IN_TABLE ? d->block : NULL;

   hd_check_report(c, RULE_META1, at_block(block), "%s: %s differs", hd_meta_name(d->bit), d->what);
}

static void
verify(check *c, uint32_t which)
{
   hd_result result = hd_meta_verify(c->f, which, hear_difference, c, NULL);

   if (result != HD_OK)
      hd_heap_fail(c->heap, result);
}

/* Only for a function that is sound so far: analyses take that for granted. */
void
hd_check_metadata(check *c)
{
   hd_function *f = c->f;

   if (!f->meta_valid)
      return;
   if (!f->meta || f->meta_valid & ~(uint32_t)HD_META_ALL) {
      hd_check_report(c, RULE_META1, at_function(), "%#x is marked valid, and %s", f->meta_valid,
                      f->meta ? "there is no such metadata" : "nothing was computed");
      return;
   }
   verify(c, HD_META_ALL & ~(uint32_t)HD_META_DIVERGENCE);
}

/* This one follows use lists too: only when all of the shader is known to be sound. */
void
hd_check_divergence_metadata(check *c)
{
   verify(c, HD_META_DIVERGENCE);
}
