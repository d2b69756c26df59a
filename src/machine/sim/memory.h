/* SPDX-License-Identifier: MIT */
/* memory.h - simulators: memory: regions with exact bounds, and undefined bits. */
#ifndef HEDDLE_MACHINE_SIM_MEMORY_H
#define HEDDLE_MACHINE_SIM_MEMORY_H

#include "heddle/wave.h"
#include "util/memory.h"

typedef struct hd_mach_memory_region {
   uint64_t address, size;
   uint8_t *data;
   uint8_t *undef; /* a byte of bits for each byte; NULL: all of it is defined */
   const char *name;
   bool read_only;
   bool private_to_lane;
   uint64_t *changed; /* the machine's own: a bit a dword */
} hd_mach_memory_region;

typedef struct hd_mach_memory {
   hd_stack *stack;
   hd_mach_memory_region *regions; /* by address; those of no bytes, too */
   uint32_t num_regions, capacity;
   hd_mach_memory_region *last; /* that was found last */
} hd_mach_memory;

/* Regions move when one is added. False: it would overlap another one, at *where. */
bool hd_mach_memory_add(hd_mach_memory *m, const hd_mach_memory_region *region, uint64_t *where);
/* The region that has all of these bytes; NULL: there is none. */
hd_mach_memory_region *hd_mach_memory_find(hd_mach_memory *m, uint64_t address, unsigned size);
/* The last region that begins at the address or before, or NULL: for messages. */
hd_mach_memory_region *hd_mach_memory_near(const hd_mach_memory *m, uint64_t address);

/* Fresh bytes, zero, that are undefined if `undefined` says so. */
hd_wave_memory hd_mach_memory_bytes(hd_stack *stack, uint64_t size, bool undefined);
/* Write a number there, little endian; the bytes are defined then. */
void hd_mach_memory_put(hd_wave_memory memory, uint64_t offset, unsigned size, uint64_t value);

#endif
