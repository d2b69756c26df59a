/* SPDX-License-Identifier: MIT */
/* constants.c - constants and tagged pointers on any host: a program without a test library, so that
 * it is built for hosts that have none.
 */
#include <stdio.h>
#include <string.h>

#include "heddle/heddle.h"
#include "util/bytes.h"

static unsigned num, failed;

static void
check(bool good, const char *what)
{
   printf("%s %u - %s\n", good ? "ok" : "not ok", ++num, what);
   failed += !good;
}

static const hd_const_value *
value_of(hd_def *def)
{
   return hd_instr_as_const(hd_def_instr(def))->value;
}

/* Each way to make a constant, and each member that reads it. */
static void
check_members(hd_builder *b)
{
   const uint32_t words[3] = { 1, UINT32_C(0x80000000), 7 };
   const float floats[2] = { 1.5f, -2.0f };
   const hd_const_value *v = value_of(hd_imm_u32(b, 7));

   check(v->u32 == 7 && v->u64 == 7 && v->u8 == 7 && v->u16 == 7 && v->i32 == 7, "hd_imm_u32");
   v = value_of(hd_imm_i32(b, -2));
   check(v->i32 == -2 && v->u64 == UINT32_C(0xfffffffe), "hd_imm_i32");
   v = value_of(hd_imm_u64(b, UINT64_C(0x123456789abcdef0)));
   check(v->u64 == UINT64_C(0x123456789abcdef0) && v->i64 > 0, "hd_imm_u64");
   v = value_of(hd_imm_bool(b, true));
   check(v->b && v->u64 == 1, "hd_imm_bool");
   v = value_of(hd_imm_uint(b, 8, 0xfe));
   check(v->u8 == 0xfe && v->i8 == -2 && v->u64 == 0xfe, "hd_imm_uint of 8 bits");
   v = value_of(hd_imm_uint(b, 16, 0xfffe));
   check(v->u16 == 0xfffe && v->i16 == -2 && v->u64 == 0xfffe, "hd_imm_uint of 16 bits");
   v = value_of(hd_imm_f32(b, -0.5f));
   check(v->f32 == -0.5f && v->u64 == UINT32_C(0xbf000000), "hd_imm_f32");
   v = value_of(hd_imm_f64(b, -0.5));
   check(v->f64 == -0.5 && v->u64 == UINT64_C(0xbfe0000000000000), "hd_imm_f64");
   v = value_of(hd_imm_float(b, 16, -0.5));
   check(v->u16 == 0xb800 && v->u64 == 0xb800, "hd_imm_float of 16 bits");
   v = value_of(hd_imm_vec_u32(b, 3, words));
   check(v[0].u32 == 1 && v[1].u64 == words[1] && v[2].u8 == 7, "hd_imm_vec_u32");
   v = value_of(hd_imm_vec_f32(b, 2, floats));
   check(v[0].f32 == 1.5f && v[1].f32 == -2.0f && v[1].u64 == UINT32_C(0xc0000000),
         "hd_imm_vec_f32");

   hd_const_value written = { .u64 = 0 };
   written.u16 = 0x1234;
   check(written.u64 == 0x1234, "a member that is written is the low bits");
}

/* Sources know their instruction and their place; the list of uses comes back whole. */
static void
check_uses(hd_builder *b)
{
   hd_def *x = hd_imm_u32(b, 1), *y = hd_imm_u32(b, 2);
   hd_def *sum = hd_iadd(b, x, y), *all = hd_bitselect(b, x, y, x);
   unsigned uses = 0, right = 0;

   hd_foreach_use(use, x) {
      hd_instr *reader = hd_src_instr(use);
      uses++;
      right += (reader == hd_def_instr(sum) && hd_src_slot(use) == 0) ||
               (reader == hd_def_instr(all) && (hd_src_slot(use) == 0 || hd_src_slot(use) == 2));
   }
   check(uses == 3 && right == 3, "uses name their instructions and places");
   hd_push_if(b, hd_ult(b, sum, all));
   hd_pop_if(b);
}

/* `if true` keeps the arm that runs; through the text and the binary form, too. */
static void
check_if_true(hd_builder *b)
{
   hd_def *at = hd_imm_u32(b, 0);

   hd_push_if(b, hd_imm_bool(b, true));
   hd_store_shared(b, hd_imm_u32(b, 40), at, 0, 4, 0, HD_ACCESS_VOLATILE);
   hd_push_else(b);
   hd_store_shared(b, hd_imm_u32(b, 41), at, 0, 4, 0, HD_ACCESS_VOLATILE);
   hd_pop_if(b);

   hd_shader *shader, *again = NULL;
   hd_blob binary = { 0 }, text = { 0 };
   check(hd_builder_finish(b, &shader) == HD_OK, "a shader is built");
   shader->shared_size = 4;
   check(hd_write_binary(shader, &binary) == HD_OK &&
             hd_read_binary(NULL, NULL, binary.data, binary.size, &again) == HD_OK,
         "it is written and read");
   check(hd_run_pipeline(again, "O2", NULL, NULL) == HD_OK &&
             hd_print_shader(again, NULL, &text) == HD_OK && strstr(text.data, "40") &&
             !strstr(text.data, "41"),
         "the arm of a true condition stays");
   hd_blob_finish(&text);
   hd_blob_finish(&binary);
   hd_shader_destroy(again);
   hd_shader_destroy(shader);
}

static void
check_bytes(void)
{
   uint8_t bytes[8];

   put_number(bytes, 8, UINT64_C(0x0807060504030201));
   check(bytes[0] == 1 && bytes[7] == 8 && get_number(bytes, 8) == UINT64_C(0x0807060504030201) &&
             get_number(bytes, 4) == UINT32_C(0x04030201) && get_number(bytes, 2) == 0x0201,
         "numbers as bytes");
   check(_Alignof(hd_src) >= 8 && _Alignof(hd_cf_node) >= 8, "addresses have room for tags");
}

int
main(void)
{
   hd_config config = { .diag = hd_diag_to_file(stderr) };
   hd_builder b = hd_builder_create(&config, HD_STAGE_COMPUTE, "constants");

   check_members(&b);
   check_uses(&b);
   check_if_true(&b);
   check_bytes();
   printf("1..%u\n", num);
   return failed != 0;
}
