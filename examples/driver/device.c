/* SPDX-License-Identifier: MIT */
/* device.c - what compilers are given: the driver's memory, counted, and an ear. */
#include <stdio.h>
#include <stdlib.h>

#include "driver.h"

static void *
device_alloc(void *user, size_t size)
{
   device *dev = user;

   if (atomic_load(&dev->fail_after) >= 0 && atomic_fetch_sub(&dev->fail_after, 1) <= 0) {
      atomic_store(&dev->fail_after, 0);
      return NULL;
   }
   void *ptr = malloc(size);
   if (ptr)
      atomic_fetch_add(&dev->live, size);
   return ptr;
}

static void
device_free(void *user, void *ptr, size_t size)
{
   device *dev = user;

   atomic_fetch_sub(&dev->live, size);
   free(ptr);
}

/* The first error is what an application wants to know; the rest follows from it. */
static void
hear(void *user, const hd_diag *diag)
{
   log *said = user;

   if (diag->severity != HD_ERROR || said->length)
      return;
   int length = snprintf(said->text, sizeof(said->text), "%s", diag->message);
   said->length = length > 0 ? (size_t)length : 0;
}

hd_config
device_config(device *dev, log *said)
{
   *said = (log){ 0 };
   return (hd_config){
      .allocator = { dev, device_alloc, device_free },
      /* What a stranger's shader may cost. */
      .budget = { .memory = dev->memory_limit, .steps = 1u << 30 },
      .diag = { said, hear },
   };
}
