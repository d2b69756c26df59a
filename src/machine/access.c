/* SPDX-License-Identifier: MIT */
/* access.c - accesses of the IR, and the pieces of them that one instruction moves. */
#include "machine/access.h"

hd_mach_ir_access
hd_mach_ir_access_of(const hd_intrinsic *i)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);
   const bool store = !i->instr.def.bit_size;
   const bool buffer = (info->reads | info->writes) & HD_MEMORY_BUFFER;
   const hd_def *moved = store ? i->src[0].def : &i->instr.def;

   return (hd_mach_ir_access){
      .intrinsic = i,
      .memory = (hd_memory_class)(info->reads | info->writes),
      .address = &i->src[store + buffer],
      .array_index = buffer ? &i->src[store] : NULL,
      .value = store ? moved : NULL,
      .access = hd_intrinsic_index(i, HD_INDEX_ACCESS),
      .offset = (int32_t)hd_intrinsic_index(i, HD_INDEX_OFFSET),
      /* An atomic's address is a multiple of its size. */
      .align_mul = info->slots[HD_INDEX_ALIGN_MUL] ? hd_intrinsic_index(i, HD_INDEX_ALIGN_MUL)
                                                   : moved->bit_size / 8u,
      .align_offset = hd_intrinsic_index(i, HD_INDEX_ALIGN_OFFSET),
      .bits = moved->bit_size,
      .components = moved->num_components,
   };
}

unsigned
hd_mach_cut(const hd_mach_ir_access *a, const hd_mach_access_size *sizes, bool joins,
            hd_mach_access_piece pieces[HD_MACH_MAX_PIECES])
{
   const unsigned component = a->bits / 8, total = a->components * component;
   unsigned num = 0, at = 0;

   while (at < total) {
      const hd_mach_access_size *s = sizes;
      for (;; s++) {
         const unsigned unit = s->bytes < 4 ? s->bytes : 4;
         if (s->bytes > total - at || at % (unit < component ? unit : component))
            continue;
         if (!joins && s->bytes > component)
            continue;
         /* Halves of a component are put together only where nothing larger can be had. */
         if (component == 8 && s->bytes == 12)
            continue;
         if (s->bytes == 1 || hd_mach_align_at(a, at) >= s->align)
            break;
      }
      pieces[num++] = (hd_mach_access_piece){ (uint8_t)at, s->bytes };
      at += s->bytes;
   }
   return num;
}
