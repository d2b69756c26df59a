/* SPDX-License-Identifier: MIT */
/* ext_access.c - which extended instructions access memory like vload and vstore. */
#include "spirv/ext.h"

#include "spirv/spirv_ext_tables.h"

const struct spirv_vector_access *
hd_spirv_vector_access(unsigned special)
{
   static const struct {
      uint8_t special;
      struct spirv_vector_access access;
   } accesses[] = {
      { SPECIAL_VLOADN, { .load = true } },
      { SPECIAL_VSTOREN, { .load = false } },
      { SPECIAL_VLOAD_HALF, { .load = true, .half = true } },
      { SPECIAL_VLOAD_HALFN, { .load = true, .half = true } },
      { SPECIAL_VLOADA_HALFN, { .load = true, .half = true, .aligned = true } },
      { SPECIAL_VSTORE_HALF, { .half = true } },
      { SPECIAL_VSTORE_HALF_R, { .half = true, .rounds = true } },
      { SPECIAL_VSTORE_HALFN, { .half = true } },
      { SPECIAL_VSTORE_HALFN_R, { .half = true, .rounds = true } },
      { SPECIAL_VSTOREA_HALFN, { .half = true, .aligned = true } },
      { SPECIAL_VSTOREA_HALFN_R, { .half = true, .rounds = true, .aligned = true } },
   };

   for (unsigned n = 0; n < sizeof(accesses) / sizeof(accesses[0]); n++) {
      if (accesses[n].special == special)
         return &accesses[n].access;
   }
   return NULL;
}

/* vloada_halfn: offset, pointer, n. vstorea_halfn: data, offset, pointer. */
uint32_t
hd_spirv_ext_align(struct spirv *s, uint32_t ext_set, const struct spirv_instr *i, uint32_t n)
{
   if (ext_set != EXT_OPENCL || i->words[1] >= SPIRV_NUM_OPENCL_ROWS)
      return 0;
   const struct spirv_ext_row *row = &hd_spirv_opencl_rows[i->words[1]];
   const struct spirv_vector_access *access =
       row->name && row->how == EXT_SPECIAL ? hd_spirv_vector_access(row->which) : NULL;
   if (!access || !access->aligned || n != (access->load ? 1u : 2u))
      return 0;
   const uint32_t value = access->load ? i->type : hd_spirv_id(s, i->words[2])->type;
   const struct spirv_type *t = value ? hd_spirv_type(s, value) : NULL;
   return t && hd_spirv_type_is_leaf(t) ? 2u * (t->components == 3 ? 4 : t->components) : 0;
}

bool
hd_spirv_ext_needs_address(uint32_t ext_set, uint32_t number)
{
   if (ext_set != EXT_OPENCL || number >= SPIRV_NUM_OPENCL_ROWS)
      return false;
   const struct spirv_ext_row *row = &hd_spirv_opencl_rows[number];
   return row->name && row->how == EXT_SPECIAL && hd_spirv_vector_access(row->which);
}
