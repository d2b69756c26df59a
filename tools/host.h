/* SPDX-License-Identifier: MIT */
/* host.h - what the tool asks of the machine that it runs on beyond C: host_posix.c, or
 * host_windows.c, which has no child processes that go on where the parent is (child.h).
 */
#ifndef HEDDLE_TOOLS_HOST_H
#define HEDDLE_TOOLS_HOST_H

#include "tool.h"

/* At the beginning of main: files are bytes, and one that must not grow is an error to report. */
void host_prepare(void);

bool host_is_terminal(FILE *file);

/* How many bytes a regular file has; 0 for others, and where that is not known. */
uint64_t host_regular_size(FILE *file);

/* write_file (tool.h) without its message. False: errno tells. */
bool host_write_output(const void *data, size_t size);
bool host_write_file(const char *path, const void *data, size_t size);

/* An empty temporary file; its name is in `path`. False: errno tells. */
bool host_temporary_file(char path[256]);

#endif
