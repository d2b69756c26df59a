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

/* Call `add` with the path of each file in the folder and in those inside it, in no order; links are not
 * followed into folders. False: errno tells.
 */
bool host_list_files(const char *folder, void (*add)(void *user, const char *path), void *user);

/* Of the machine; at least 1. */
unsigned host_num_cores(void);

/* Call `work` with each number below `num`, in a process each where there is fork(), else one after the
 * other. What any of them returns besides 0, or EXIT_TROUBLE where one crashed or could not be begun.
 */
int host_run_workers(int (*work)(void *user, unsigned worker), void *user, unsigned num);

/* An empty temporary file; its name is in `path`. False: errno tells. */
bool host_temporary_file(char path[256]);

#endif
