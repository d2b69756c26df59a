/* SPDX-License-Identifier: MIT */
#include "work.h"

#include <stddef.h>
#include <stdint.h>

uint64_t work_done;

/* The compiler calls this in each basic block of what is built with -fsanitize-coverage=trace-pc.
 */
void __sanitizer_cov_trace_pc(void);

void
__sanitizer_cov_trace_pc(void)
{
   work_done++;
}

/* The linker sends calls of these here (--wrap). What the C library does in one call is work too:
 * sixteen bytes count as a basic block.
 */
#define WRAP(result, name, params, args, size)                                                     \
   result __real_##name params;                                                                    \
   result __wrap_##name params;                                                                    \
   result __wrap_##name params                                                                     \
   {                                                                                               \
      work_done += (size) / 16;                                                                    \
      return __real_##name args;                                                                   \
   }

WRAP(void *, memset, (void *to, int byte, size_t size), (to, byte, size), size)
WRAP(void *, memcpy, (void *to, const void *from, size_t size), (to, from, size), size)
WRAP(void *, memmove, (void *to, const void *from, size_t size), (to, from, size), size)
WRAP(int, memcmp, (const void *a, const void *b, size_t size), (a, b, size), size)
