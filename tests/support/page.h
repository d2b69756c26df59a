/* SPDX-License-Identifier: MIT */
/* page.h - parts of pages of doc/ that a test generates. */
#ifndef TESTS_SUPPORT_PAGE_H
#define TESTS_SUPPORT_PAGE_H

#include "heddle/base.h"

/* The part of the page between the lines `begin` and `end` is this. With HD_RENEW in the environment it is written anew. */
void check_page(const char *path, const char *begin, const char *end, const hd_blob *part);

#endif
