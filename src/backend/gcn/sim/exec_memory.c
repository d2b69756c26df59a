/* SPDX-License-Identifier: MIT */
/* exec_memory.c - loads, stores and atomics of a lane, whatever kind of memory holds the bytes. */
#include "backend/gcn/sim/exec_memory.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "backend/gcn/sim/lane_undef.h"
#include "util/bytes.h"

bool
hd_gcn_check_alignment(hd_gcn_wave *wave, int lane, uint64_t address, unsigned align)
{
   return address % align == 0 ||
          hd_gcn_fault(wave, lane, "address 0x%" PRIx64 " is not aligned to %u bytes", address,
                       align);
}

bool
hd_gcn_lane_address(hd_gcn_wave *wave, unsigned vgpr, unsigned dwords, unsigned lane, uint64_t *out)
{
   uint64_t value = 0, undef = 0;

   for (unsigned n = 0; n < dwords; n++) {
      value |= (uint64_t)wave->vgpr[vgpr + n][lane] << 32 * n;
      undef |= (uint64_t)wave->vgpr_undef[vgpr + n][lane] << 32 * n;
   }
   if (undef)
      return hd_gcn_fault(wave, (int)lane, "undefined bits 0x%" PRIx64 " reach an address", undef);
   *out = value;
   return true;
}

void
hd_gcn_data_from_lane(const hd_gcn_wave *wave, unsigned vgpr, unsigned dwords, unsigned lane,
                      hd_gcn_data *data)
{
   for (unsigned n = 0; n < dwords; n++) {
      data->value[n] = wave->vgpr[vgpr + n][lane];
      data->undef[n] = wave->vgpr_undef[vgpr + n][lane];
   }
}

void
hd_gcn_data_to_lane(hd_gcn_wave *wave, unsigned vgpr, unsigned dwords, unsigned lane,
                    const hd_gcn_data *data)
{
   for (unsigned n = 0; n < dwords; n++) {
      wave->vgpr[vgpr + n][lane] = data->value[n];
      wave->vgpr_undef[vgpr + n][lane] = data->undef[n];
   }
}

/* The bytes as they come from memory are in the low part of the first dword. */
void
hd_gcn_data_loaded(const hd_gcn_access *access, hd_gcn_data *data, uint32_t old, uint32_t old_undef)
{
   if (access->bytes >= 4)
      return;
   const unsigned bits = 8u * access->bytes;
   uint32_t x = data->value[0] & (uint32_t)low_bits(bits);
   uint32_t u = data->undef[0] & (uint32_t)low_bits(bits);

   if (access->is_signed) {
      x = (uint32_t)sign_extend(bits, x);
      u = (uint32_t)sign_extend(bits, u);
   }
   if (access->d16) {
      const unsigned shift = access->hi ? 16 : 0;
      const uint32_t keep = access->hi ? 0xffff : 0xffff0000;
      x = (old & keep) | (x & 0xffff) << shift;
      u = (old_undef & keep) | (u & 0xffff) << shift;
   }
   data->value[0] = x;
   data->undef[0] = u;
}

/* Atomics ------------------------------------------------------------------------------------ */

static uint64_t
join(const uint32_t *x, unsigned bytes)
{
   return x[0] | (bytes == 8 ? (uint64_t)x[1] << 32 : 0);
}

static void
part(uint64_t x, uint32_t *out)
{
   out[0] = (uint32_t)x;
   out[1] = (uint32_t)(x >> 32);
}

void
hd_gcn_atomic_apply(const hd_gcn_wave *wave, const hd_gcn_access *access, const hd_gcn_data *old,
                    const hd_gcn_data *operand, const hd_gcn_data *second, hd_gcn_data *out)
{
   const unsigned bytes = access->bytes;
   const uint64_t a = join(old->value, bytes), ua = join(old->undef, bytes);
   const uint64_t b = join(operand->value, bytes), ub = join(operand->undef, bytes);
   const uint64_t c = join(second->value, bytes), uc = join(second->undef, bytes);

   part(access->atomic->value(8 * bytes, wave->mode >> HD_GCN_MODE_DENORM32, a, b, c), out->value);
   part(access->atomic->undef(a, ua, b, ub, c, uc), out->undef);
}

/* Callers have no more than hd_gcn_data holds; compilers that unroll the loops see it here. */
#define MAX_DWORDS (sizeof(hd_gcn_data) / 2 / 4)

static unsigned
whole_dwords(unsigned size)
{
   return size / 4 < MAX_DWORDS ? size / 4 : MAX_DWORDS;
}

/* The low byte of each dword first. */
static void
to_bytes(uint8_t *bytes, const uint32_t *dwords, unsigned size)
{
   const unsigned whole = whole_dwords(size);

   for (unsigned n = 0; n < whole; n++)
      put_number(bytes + (size_t)4 * n, 4, dwords[n]);
   for (unsigned n = 4 * whole; n < size; n++)
      bytes[n] = (uint8_t)(dwords[n / 4] >> n % 4 * 8);
}

static void
from_bytes(uint32_t *dwords, const uint8_t *bytes, unsigned size)
{
   unsigned n = 0;

   for (; n + 4 <= size; n += 4)
      dwords[n / 4] = (uint32_t)get_number(bytes + n, 4);
   for (; n < size; n++) {
      const unsigned shift = n % 4 * 8;
      dwords[n / 4] = (dwords[n / 4] & ~(UINT32_C(0xff) << shift)) | (uint32_t)bytes[n] << shift;
   }
}

bool
hd_gcn_move_data(hd_gcn_wave *wave, hd_gcn_mover *move, int lane, uint64_t address, unsigned size,
                 uint32_t *value, uint32_t *undef, bool store)
{
   uint8_t bytes[sizeof(hd_gcn_data) / 2], shadow[sizeof(hd_gcn_data) / 2];

   if (store) {
      to_bytes(bytes, value, size);
      to_bytes(shadow, undef, size);
   }
   if (!move(wave, lane, address, size, bytes, shadow, store))
      return false;
   if (!store) {
      from_bytes(value, bytes, size);
      from_bytes(undef, shadow, size);
   }
   return true;
}

/* Of a lane ---------------------------------------------------------------------------------- */

static bool
access_atomic(hd_gcn_wave *wave, const hd_gcn_access *access, hd_gcn_mover *move, unsigned lane,
              uint64_t address, int dst, int src)
{
   const unsigned dwords = access->bytes / 4;
   hd_gcn_data old = { { 0 }, { 0 } }, operand = { { 0 }, { 0 } }, second = { { 0 }, { 0 } };
   hd_gcn_data new = { { 0 }, { 0 } };

   if (!hd_gcn_check_alignment(wave, (int)lane, address, access->bytes) ||
       !hd_gcn_move_data(wave, move, (int)lane, address, access->bytes, old.value, old.undef,
                         false))
      return false;
   hd_gcn_data_from_lane(wave, (unsigned)src, dwords, lane, &operand);
   /* A compare and swap has what is written first, what is compared after it. */
   if (access->atomic->compares)
      hd_gcn_data_from_lane(wave, (unsigned)src + dwords, dwords, lane, &second);
   hd_gcn_atomic_apply(wave, access, &old, &operand, &second, &new);
   if (!hd_gcn_move_data(wave, move, (int)lane, address, access->bytes, new.value, new.undef, true))
      return false;
   if (dst >= 0)
      hd_gcn_data_to_lane(wave, (unsigned)dst, dwords, lane, &old);
   return true;
}

bool
hd_gcn_access_lane(hd_gcn_wave *wave, const hd_gcn_access *access, hd_gcn_mover *move,
                   unsigned lane, uint64_t address, int dst, int src)
{
   const unsigned dwords = access->bytes < 4 ? 1 : access->bytes / 4u;
   hd_gcn_data data;

   /* Less than a dword leaves the rest of the first one. */
   data.value[0] = data.undef[0] = 0;
   if (access->kind == HD_GCN_ACCESS_ATOMIC)
      return access_atomic(wave, access, move, lane, address, dst, src);
   if (access->kind == HD_GCN_ACCESS_STORE) {
      hd_gcn_data_from_lane(wave, (unsigned)src, dwords, lane, &data);
      if (access->hi) {
         data.value[0] >>= 16;
         data.undef[0] >>= 16;
      }
      return hd_gcn_move_data(wave, move, (int)lane, address, access->bytes, data.value, data.undef,
                              true);
   }
   if (!hd_gcn_move_data(wave, move, (int)lane, address, access->bytes, data.value, data.undef,
                         false))
      return false;
   hd_gcn_data_loaded(access, &data, wave->vgpr[dst][lane], wave->vgpr_undef[dst][lane]);
   hd_gcn_data_to_lane(wave, (unsigned)dst, dwords, lane, &data);
   return true;
}

bool
hd_gcn_move_memory(hd_gcn_wave *wave, int lane, uint64_t address, unsigned size, uint8_t *value,
                   uint8_t *undef, bool store)
{
   /* gfx6 has no access to dwords across dwords; the others are set up to have it. */
   if (hd_gcn_wave_gen(wave) == HD_GCN_GFX600 &&
       !hd_gcn_check_alignment(wave, lane, address, size < 4 ? size : 4))
      return false;
   return store ? hd_gcn_memory_store(wave, lane, address, size, value, undef)
                : hd_gcn_memory_load(wave, lane, address, size, value, undef);
}
