/* SPDX-License-Identifier: MIT */
/* elf.h - ELF64 structures and HSA's kernel descriptor, as far as code objects use them.
 *
 * All numbers are little-endian. Structures are written and read by offset, as their bytes are not
 * the host's.
 */
#ifndef HEDDLE_OBJECT_ELF_H
#define HEDDLE_OBJECT_ELF_H

#include "heddle/gcn.h"

enum {
   ELF_HEADER_SIZE = 64,
   ELF_SEGMENT_SIZE = 56,
   ELF_SECTION_SIZE = 64,
   ELF_SYMBOL_SIZE = 24,
   ELF_RELA_SIZE = 24,
   ELF_DYNAMIC_SIZE = 16,

   ELF_TYPE_SHARED = 3,
   ELF_TYPE_RELOCATABLE = 1,
   ELF_MACHINE_AMDGPU = 224,
   ELF_OS_HSA = 64,
   ELF_ABI_V3 = 1, /* EI_ABIVERSION of the code object's version 3; 4 to 6 follow */
   ELF_ABI_V5 = 3,
   ELF_ABI_V6 = 4,

   ELF_SEGMENT_LOAD = 1,
   ELF_SEGMENT_DYNAMIC = 2,
   ELF_SEGMENT_NOTE = 4,
   ELF_SEGMENT_PHDR = 6,
   ELF_SEGMENT_STACK = 0x6474e551,
   ELF_EXECUTE = 1,
   ELF_WRITE = 2,
   ELF_READ = 4,

   ELF_SECTION_PROGBITS = 1,
   ELF_SECTION_SYMTAB = 2,
   ELF_SECTION_STRTAB = 3,
   ELF_SECTION_HASH = 5,
   ELF_SECTION_DYNAMIC = 6,
   ELF_SECTION_NOTE = 7,
   ELF_SECTION_DYNSYM = 11,
   ELF_SECTION_GNU_HASH = 0x6ffffff6,
   ELF_FLAG_WRITE = 1,
   ELF_FLAG_ALLOC = 2,
   ELF_FLAG_EXECUTE = 4,

   ELF_DYNAMIC_HASH = 4,
   ELF_DYNAMIC_STRTAB = 5,
   ELF_DYNAMIC_SYMTAB = 6,
   ELF_DYNAMIC_RELA = 7,
   ELF_DYNAMIC_RELASZ = 8,
   ELF_DYNAMIC_STRSZ = 10,
   ELF_DYNAMIC_SYMENT = 11,
   ELF_DYNAMIC_GNU_HASH = 0x6ffffef5,

   ELF_SYMBOL_OBJECT = 1,
   ELF_SYMBOL_FUNC = 2,
   ELF_GLOBAL = 1,
   ELF_HIDDEN = 2,
   ELF_PROTECTED = 3,

   ELF_NOTE_METADATA = 32, /* NT_AMDGPU_METADATA, of "AMDGPU" */

   ELF_RELOC_ABS32_LO = 1,
   ELF_RELOC_ABS32_HI = 2,
   ELF_RELOC_ABS64 = 3,
   ELF_RELOC_ABS32 = 6,
   ELF_RELOC_RELATIVE64 = 13,
};

/* e_flags: the chip, and whether xnack is off (2), on (3) or of no matter (1). */
#define ELF_MACH_MASK   0xffu
#define ELF_XNACK_SHIFT 8u

static inline uint32_t
elf_mach_of(hd_gcn_gen gen)
{
   return gen == HD_GCN_GFX600 ? 0x20 : gen == HD_GCN_GFX803 ? 0x2a : 0x2c;
}

/* The kernel descriptor: 64 bytes. */
enum {
   KD_SIZE = 64,
   KD_LDS_SIZE = 0,
   KD_SCRATCH_SIZE = 4,
   KD_KERNARG_SIZE = 8,
   KD_ENTRY = 16, /* 64 bits, from the descriptor's own address */
   KD_RSRC3 = 44,
   KD_RSRC1 = 48,
   KD_RSRC2 = 52,
   KD_PROPERTIES = 56, /* 16 bits */
   KD_PRELOAD = 58,    /* 16 bits */
};

/* KERNEL_CODE_PROPERTIES: user SGPRs that are there, in this order. */
enum {
   KD_PRIVATE_SEGMENT_BUFFER = 1u << 0, /* 4 */
   KD_DISPATCH_PTR = 1u << 1,           /* 2, and so on */
   KD_QUEUE_PTR = 1u << 2,
   KD_KERNARG_SEGMENT_PTR = 1u << 3,
   KD_DISPATCH_ID = 1u << 4,
   KD_FLAT_SCRATCH_INIT = 1u << 5,
   KD_PRIVATE_SEGMENT_SIZE = 1u << 6, /* 1 */
   KD_WAVE32 = 1u << 10,
   KD_DYNAMIC_STACK = 1u << 11,
};

static inline uint64_t
elf_get(const uint8_t *p, unsigned size)
{
   uint64_t value = 0;

   for (unsigned n = size; n--;)
      value = value << 8 | p[n];
   return value;
}

static inline void
elf_put(uint8_t *p, unsigned size, uint64_t value)
{
   for (unsigned n = 0; n < size; n++)
      p[n] = (uint8_t)(value >> 8 * n);
}

#endif
