/* SPDX-License-Identifier: MIT */
/* test_link.c - two stages made to fit: outputs that nothing reads, inputs that are constant, locations. */
#include "support/test.h"

#include <string.h>

#include "heddle/check.h"
#include "heddle/link.h"
#include "heddle/text.h"

static hd_shader *
parse(const char *stage, const char *body)
{
   const hd_config loud = { .diag = hd_diag_to_file(stderr) };
   hd_shader *shader = NULL;
   char text[3000];
   const int length =
       snprintf(text, sizeof(text),
                "shader %s \"t\" {\n  function @main {\n    b0:\n      %%0:32 = const 0\n"
                "      %%1:32 = const 1\n%s  }\n}\n",
                stage, body);

   assert_int_equal(hd_parse(&loud, "t", text, (size_t)length, &shader), HD_OK);
   return shader;
}

static void
expect(hd_shader *shader, const char *has, const char *has_not)
{
   hd_blob text = { 0 };

   assert_int_equal(hd_validate(shader, NULL), HD_OK);
   assert_int_equal(hd_print_shader(shader, NULL, &text), HD_OK);
   if ((has && !strstr((const char *)text.data, has)) ||
       (has_not && strstr((const char *)text.data, has_not)))
      fail_msg("expected '%s' and no '%s' in\n%s", has ? has : "", has_not ? has_not : "",
               (const char *)text.data);
   hd_blob_finish(&text);
}

struct pair {
   hd_shader *vertex, *fragment;
   hd_link_report report;
};

static struct pair
link_pair(const char *vertex, const char *fragment)
{
   struct pair p = { parse("vertex", vertex), parse("fragment", fragment), { 0 } };

   assert_int_equal(hd_link_stages(p.vertex, p.fragment, &p.report), HD_OK);
   return p;
}

static void
finish(struct pair *p)
{
   hd_shader_destroy(p->vertex);
   hd_shader_destroy(p->fragment);
}

/* What the vertex shader stores: a value that varies, constants, one that nobody reads. */
#define STORES                                                                                         \
   "%n:32 = vertex_index\n%f:32 = u2f %n\n%half:32 = const 0x3f000000\n%minus:32 = const 0x80000000\n" \
   "%c:32x2 = vec %half, %minus\n"                                                                     \
   "store_output %f, %0 location=2\nstore_output %c, %0 location=5\nstore_output %f, %1 location=6\n"  \
   "store_output %n, %0 location=9\nstore_position %v\n"
#define POSITION "%z:32 = const 0x3f800000\n%v:32x4 = vec %z, %z, %z, %z\n"
#define LOADS                                                                                      \
   "%w:32x2 = barycentric\n%a:32 = load_interpolated %w, %1 location=1\n"                          \
   "%b:32 = load_interpolated %w, %0 location=5\n%i:32 = load_interpolated %w, %1 location=6\n"    \
   "%s:32 = fadd %a, %b\n%t:32 = fadd %s, %i\nstore_output %t, %0 location=3\n"

static void
test_link(void **unused)
{
   (void)unused;
   struct pair p = link_pair(POSITION STORES, LOADS);
   assert_true(p.report.linked);
   /* Location 9 is not read, location 5 is constant as far as it is read. */
   assert_int_equal(p.report.outputs_removed, 4);
   assert_int_equal(p.report.inputs_constant, 1);
   /* Location 7 has the same number as location 2: both are component 0 of one. */
   assert_int_equal(p.report.num_locations, 1);
   assert_int_equal(p.report.locations_removed, 3);
   expect(p.vertex, "store_position", "location=9");
   expect(p.vertex, "store_output", "location=5");
   expect(p.fragment, "location=3", "location=5");
   expect(p.fragment, "0x3f000000", "location=6");
   finish(&p);
}

/* What must stay: -0 and infinities where they are interpolated, and what two stores make of a slot. */
static void
test_constants(void **unused)
{
   static const char stores[] = "%m:32 = const 0x80000000\nstore_output %m, %0 location=0\n"
                                "%i:32 = const 0x7f800000\nstore_output %i, %0 location=1\n"
                                "store_output %1, %0 location=2\nstore_output %0, %0 location=2\n";
   struct pair p;

   (void)unused;
   p = link_pair(stores, "%w:32x2 = barycentric\n%a:32 = load_interpolated %w, %0 location=0\n"
                         "%b:32 = load_interpolated %w, %0 location=1\n"
                         "%c:32 = load_interpolated %w, %0 location=2\n"
                         "%s:32x3 = vec %a, %b, %c\nstore_output %s, %0 location=0\n");
   assert_true(p.report.linked && p.report.inputs_constant == 0 && p.report.num_locations == 1);
   expect(p.fragment, "component=2", "location=2");
   finish(&p);
   /* Flat ones are the bits that were stored. */
   p = link_pair(stores, "%a:32 = load_input %0 location=0\n%b:32 = load_input %0 location=1\n"
                         "%c:32 = load_input %0 location=2\n"
                         "%s:32x3 = vec %a, %b, %c\nstore_output %s, %0 location=0\n");
   assert_true(p.report.inputs_constant == 2 && p.report.outputs_removed == 2);
   expect(p.fragment, "load_input", NULL);
   finish(&p);
}

/* A component that is the same constant on all ways, of a vector that is not; but not one that differs. */
static void
test_constants_on_all_ways(void **unused)
{
   struct pair p;

   (void)unused;
   p = link_pair("%x:32 = vertex_index\n%y:32 = instance_index\n%c:1 = ult %y, %x\nif %c {\nb1:\n"
                 "%a:32x3 = vec %x, %1, %0\n} else {\nb2:\n%b:32x3 = vec %0, %1, %1\n}\nb3:\n"
                 "%v:32x3 = phi b1: %a, b2: %b\nstore_output %v, %0 location=1\n",
                 "%v:32x3 = load_input %0 location=1\nstore_output %v, %0 location=0\n");
   assert_true(p.report.linked && p.report.inputs_constant == 1);
   assert_true(p.report.outputs_removed == 1 && p.report.num_locations == 1);
   finish(&p);
}

static void
test_unknown(void **unused)
{
   (void)unused;
   /* An index that is not known; a location that is too large. */
   struct pair p = link_pair("store_output %1, %0 location=4\n",
                             "%i:32 = primitive_id\n%a:32 = load_input %i location=0\n"
                             "store_output %a, %0 location=0\n");
   assert_true(!p.report.linked && p.report.outputs_removed == 0);
   expect(p.vertex, "location=4", NULL);
   finish(&p);
   p = link_pair("store_output %1, %0 location=64\n", "store_output %1, %0 location=0\n");
   assert_true(!p.report.linked);
   expect(p.vertex, "location=64", NULL);
   finish(&p);
   hd_shader *vertex = parse("vertex", "");
   assert_int_equal(hd_link_stages(vertex, vertex, NULL), HD_INVALID);
   hd_shader_destroy(vertex);
}

/* An input is not read where a constant decides against it. */
static void
test_dead_reads(void **unused)
{
   (void)unused;
   struct pair p =
       link_pair("%n:32 = vertex_index\n%f:32 = u2f %n\n%g:32 = fadd %f, %f\n"
                 "store_output %f, %0 location=2\nstore_output %g, %0 location=3\n",
                 "%w:32x2 = barycentric\n%a:32 = load_interpolated %w, %0 location=2\n"
                 "%b:32 = load_interpolated %w, %0 location=3\n%c:1 = ult %0, %0\n"
                 "if %c {\nb1:\n%x:32 = fadd %a, %b\nstore_output %x, %0 location=1\n}\n"
                 "b3:\nstore_output %b, %0 location=0\n");
   assert_true(p.report.linked && p.report.num_locations == 1 && p.report.outputs_removed == 1);
   expect(p.fragment, "load_interpolated", "if");
   finish(&p);
}

/* Distances are inputs behind all others; those that nobody loads are not. */
static void
test_distances(void **unused)
{
   static const char stores[] =
       "%n:32 = vertex_index\n%f:32 = u2f %n\n%g:32 = fadd %f, %f\n%h:32 = fmul %f, %g\n"
       "store_output %f, %0 location=3\nstore_clip_distance %g, %0\nstore_clip_distance %h, %1\n"
       "store_cull_distance %h, %0\n";

   (void)unused;
   struct pair p = link_pair(stores, "%w:32x2 = barycentric\n%a:32 = load_clip_distance %1\n"
                                     "%b:32 = load_interpolated %w, %0 location=3\n"
                                     "%s:32x2 = vec %a, %b\nstore_output %s, %0 location=0\n");
   assert_true(p.report.linked && p.report.num_locations == 1 && p.report.outputs_removed == 0);
   expect(p.fragment, "load_interpolated", "load_clip_distance");
   expect(p.vertex, "store_output %6, %7 component=1", "store_output %5");
   expect(p.vertex, "store_clip_distance %6, %1", NULL);
   finish(&p);
   p = link_pair(stores, "%a:32 = load_cull_distance %0\nstore_output %a, %0 location=0\n");
   assert_true(p.report.linked && p.report.num_locations == 1);
   expect(p.vertex, "store_output %6, %7", "location=");
   finish(&p);
   /* One that is not known. */
   p = link_pair(stores, "%i:32 = primitive_id\n%a:32 = load_clip_distance %i\n"
                         "store_output %a, %0 location=0\n");
   expect(p.fragment, "load_clip_distance", "load_interpolated");
   finish(&p);
}

/* 64-bit numbers take two components each. */
static void
test_wide(void **unused)
{
   (void)unused;
   struct pair p =
       link_pair("%d:64 = const 5\n%v:64x2 = vec %d, %d\nstore_output %v, %0 location=3\n"
                 "store_output %d, %0 location=4\n",
                 "%a:32 = load_input %0 location=3 component=2\nstore_output %a, %0 location=0\n");
   assert_true(p.report.linked && p.report.outputs_removed == 1 && p.report.inputs_constant == 0);
   assert_int_equal(p.report.num_locations, 1);
   expect(p.fragment, "load_input %0 component=2", "location=3");
   finish(&p);
}

/* Components that nothing reads go, others are packed; flat ones have locations of their own. */
static void
test_components(void **unused)
{
   static const char stores[] =
       "%n:32 = vertex_index\n%f:32 = u2f %n\n%g:32 = fadd %f, %f\n%h:32 = fmul %f, %g\n"
       "%v:32x4 = vec %f, %g, %h, %n\nstore_output %v, %0 location=3\n"
       "%w:32x3 = vec %g, %h, %n\nstore_output %w, %0 location=7\n";
   struct pair p;

   (void)unused;
   /* y of the one is x of the other. */
   p = link_pair(stores, "%w:32x2 = barycentric\n%a:32x4 = load_interpolated %w, %0 location=3\n"
                         "%b:32x3 = load_interpolated %w, %0 location=7\n"
                         "%y:32 = channel %a, %1\n%z:32 = channel %b, %0\n%u:32 = channel %b, %1\n"
                         "%s:32 = fadd %y, %z\n%t:32 = fadd %s, %u\n"
                         "store_output %t, %0 location=0\n");
   assert_true(p.report.linked && p.report.num_locations == 1);
   assert_int_equal(p.report.outputs_removed, 5);
   expect(p.vertex, "component=1", "component=2");
   expect(p.fragment, "component=1", "component=2");
   finish(&p);
   /* One is flat, the other is not: they are not one, and lie in two locations. A vector that is read whole stays. */
   p = link_pair(stores, "%w:32x2 = barycentric\n%a:32x4 = load_interpolated %w, %0 location=3\n"
                         "%b:32x3 = load_input %0 location=7\n"
                         "store_output %a, %0 location=0\nstore_output %b, %0 location=1\n");
   assert_true(p.report.linked && p.report.num_locations == 2 && p.report.outputs_removed == 0);
   expect(p.fragment, "vec", NULL);
   expect(p.fragment, "load_interpolated", "location=3");
   finish(&p);
}

/* Components of a sum of vectors are values, too: one of them is what is stored elsewhere. */
static void
test_parts_of_sums(void **unused)
{
   (void)unused;
   struct pair p = link_pair(
       "%n:32 = vertex_index\n%v:32x2 = vec %n, %n\n%k:32x2 = const (0, 1)\n%s:32x2 = iadd %v, %k\n"
       "store_output %s, %0 location=0\nstore_output %n, %0 location=1\n",
       "%a:32x2 = load_input %0 location=0\n%b:32 = load_input %0 location=1\n"
       "store_output %a, %0 location=0\nstore_output %b, %0 location=1\n");
   assert_true(p.report.linked && p.report.num_locations == 1 && p.report.outputs_removed == 1);
   expect(p.vertex, "component=1", "component=2");
   finish(&p);
}

/* Equal values in two blocks are not equal where one of them is not stored. */
static void
test_not_same(void **unused)
{
   (void)unused;
   struct pair p = link_pair(
       "%n:32 = vertex_index\n%c:1 = ult %n, %1\nstore_output %n, %0 location=0\nif %c {\nb1:\n"
       "store_output %n, %0 location=1\n} else {\nb2:\n}\nb3:\n",
       "%a:32 = load_input %0 location=0\n%b:32 = load_input %0 location=1\n"
       "%s:32 = iadd %a, %b\nstore_output %s, %0 location=0\n");
   assert_true(p.report.linked && p.report.outputs_removed == 0);
   expect(p.fragment, "component=1", NULL);
   finish(&p);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_link),
      cmocka_unit_test(test_constants),
      cmocka_unit_test(test_constants_on_all_ways),
      cmocka_unit_test(test_unknown),
      cmocka_unit_test(test_wide),
      cmocka_unit_test(test_components),
      cmocka_unit_test(test_not_same),
      cmocka_unit_test(test_dead_reads),
      cmocka_unit_test(test_distances),
      cmocka_unit_test(test_parts_of_sums),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
