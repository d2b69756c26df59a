/* SPDX-License-Identifier: MIT */
/* test_graphics.c - what the simulator does for pixels: attributes from LDS by primitive, exports as they are
 * sent, and what a program must not do: overwrite what an export has not read, export after the last.
 */
#include "support/test.h"

#include <string.h>

#include "heddle/gcn_asm.h"
#include "heddle/gcn_sim.h"
#include "support/heard.h"

/* Dword n of LDS is the float n. */
#define FILL                                                                                       \
   "s_mov_b32 m0, -1\nv_lshlrev_b32_e32 v1, 2, v0\nv_cvt_f32_u32_e32 v2, v0\ns_nop 0\n"            \
   "ds_write_b32 v1, v2\ns_waitcnt lgkmcnt(0)\n"
/* Quad 1 begins a second primitive; i and j. */
#define SET_UP "s_mov_b32 m0, 0x10000\nv_mov_b32_e32 v3, 2.0\nv_mov_b32_e32 v4, 0.5\n"

struct sent {
   unsigned num;
   hd_gcn_sim_export last;
   float values[4][64];
};

static void
note(void *user, const hd_gcn_sim_export *e)
{
   struct sent *s = user;

   s->num++;
   s->last = *e;
   for (unsigned n = 0; n < 4; n++) {
      if (e->values[n])
         memcpy(s->values[n], e->values[n], sizeof(s->values[n]));
   }
}

static hd_result
run(hd_gcn_gen gen, const char *text, struct sent *sent, struct heard *heard)
{
   hd_blob code = { 0 };

   *sent = (struct sent){ 0 };
   *heard = (struct heard){ 0 };
   assert_int_equal(hd_gcn_assemble(NULL, gen, NULL, text, strlen(text), &code), HD_OK);
   const hd_gcn_sim_launch launch = {
      .target = gen,
      .code = (const uint32_t *)(const void *)code.data,
      .code_words = (uint32_t)(code.size / 4),
      .workgroup_size = { 64 },
      .pgm_rsrc1 = 3 | 1 << 6,
      .lds_size = 256,
      .scratch_resource = HD_GCN_NO_SGPR,
      .flat_scratch_init = HD_GCN_NO_SGPR,
      .options = { .user = sent, .exported = note, .diag = { heard, hear } },
   };
   const hd_result result = hd_gcn_sim_run(NULL, &launch, NULL);
   hd_blob_finish(&code);
   return result;
}

static void
test_interpolation(void **state)
{
   (void)state;
   for (hd_gcn_gen gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      struct sent s;
      struct heard heard;
      assert_int_equal(run(gen,
                           FILL SET_UP "s_nop 0\n"
                                       "v_interp_p1_f32 v5, v3, attr0.x\n"
                                       "v_interp_p2_f32 v5, v4, attr0.x\n"
                                       "v_interp_p1_f32 v6, v3, attr1.y\n"
                                       "v_interp_p2_f32 v6, v4, attr1.y\n"
                                       "v_interp_mov_f32 v7, p20, attr1.w\n"
                                       "exp mrt3 v5, v6, off, v7 done vm\n"
                                       "s_endpgm\n",
                           &s, &heard),
                       HD_OK);
      assert_int_equal(s.num, 1);
      assert_int_equal(s.last.target, 3);
      assert_int_equal(s.last.channels, 11);
      assert_true(s.last.done && s.last.valid && !s.last.pairs && s.last.lanes == UINT64_MAX);
      assert_null(s.last.values[2]);
      for (unsigned l = 0; l < 64; l++) {
         /* Attribute a of primitive p begins at 12 (2 a + p). */
         const float first = l < 4 ? 0.0f : 12.0f, second = first + 24.0f;
         assert_true(s.values[0][l] == (first + 4) * 2 + first + (first + 8) / 2);
         assert_true(s.values[1][l] == (second + 5) * 2 + second + 1 + (second + 9) / 2);
         assert_true(s.values[3][l] == second + 11);
      }
   }
}

static void
must_fail(hd_gcn_gen gen, const char *text, const char *words)
{
   struct sent s;
   struct heard heard;

   assert_int_equal(run(gen, text, &s, &heard), HD_FAULT);
   if (!strstr(heard.all, words))
      fail_msg("%s", heard.all);
}

static void
test_faults(void **state)
{
   struct sent s;
   struct heard heard;

   (void)state;
   for (hd_gcn_gen gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      must_fail(gen, "exp mrt0 v0, v0, v0, v0\nv_mov_b32_e32 v0, 0\ns_endpgm\n",
                "which the export at 0x0 may not have read yet: expcnt was not waited for");
      assert_int_equal(run(gen,
                           "exp mrt0 v0, v0, v0, v0\ns_waitcnt expcnt(0)\n"
                           "v_mov_b32_e32 v0, 0\ns_endpgm\n",
                           &s, &heard),
                       HD_OK);
      must_fail(gen, "exp mrt0 v0, v0, v0, v0 done vm\nexp mrtz v0, off, off, off\ns_endpgm\n",
                "an export to colours or depth after the one that was the last of them");
      assert_int_equal(run(gen,
                           "exp pos0 v0, v0, v0, v0 done\nexp param0 v0, off, off, off\n"
                           "exp mrt1 v0, v0, v0, v0 compr\ns_endpgm\n",
                           &s, &heard),
                       HD_OK);
      assert_true(s.num == 3 && s.last.pairs && s.last.values[1] && !s.last.values[2]);
      must_fail(gen, "v_interp_mov_f32 v1, p0, attr0.x\ns_endpgm\n",
                "the place of attributes in m0");
      must_fail(gen, "s_mov_b32 m0, 0\ns_nop 0\nv_interp_mov_f32 v1, p0, attr32.x\ns_endpgm\n",
                "an attribute at 0x600 of LDS, which has 256 bytes");
   }
   must_fail(HD_GCN_GFX900, "s_mov_b32 m0, 0\nv_interp_mov_f32 v1, p0, attr0.x\ns_endpgm\n",
             "reads m0 right after a scalar instruction wrote");
}

/* Only linear images are read; what else a resource says is refused by name. */
static void
test_tilings(void **state)
{
   static const char load[] = "s_mov_b32 s0, 0\ns_mov_b32 s1, 0\ns_mov_b32 s2, 0\ns_mov_b32 s4, 0\n"
                              "s_mov_b32 s5, 0\ns_mov_b32 s6, 0\ns_mov_b32 s7, 0\n"
                              "v_mov_b32_e32 v1, 0\nv_mov_b32_e32 v2, 0\n"
                              "image_load v3, v[1:2], s[0:7] dmask:0x1 unorm\ns_endpgm\n";

   (void)state;
   for (hd_gcn_gen gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      for (unsigned tiling = 0; tiling < 32; tiling++) {
         const bool gfx9 = gen >= HD_GCN_GFX900;
         char text[600];
         struct sent s;
         struct heard heard;
         snprintf(text, sizeof(text), "s_mov_b32 s3, 0x%x\n%s", 9u << 28 | tiling << 20, load);
         run(gen, text, &s, &heard);
         const bool refused =
             strstr(heard.all, gfx9 ? "expected a linear image, found a swizzled one"
                                    : "expected a linear image, found a tiled one");
         assert_int_equal(refused, tiling != (gfx9 ? 0u : 8u));
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_interpolation),
      cmocka_unit_test(test_faults),
      cmocka_unit_test(test_tilings),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
