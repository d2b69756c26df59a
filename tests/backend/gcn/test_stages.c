/* SPDX-License-Identifier: MIT */
/* test_stages.c - vertex and fragment shaders: machine code leaves what the interpreter leaves, on all
 * generations, on both lowerings, with few registers, without optimisation; what the interface says of a
 * shader; what is refused.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trial.h"
#include "wqm.h"

#include "gen/random_program.h"
#include "heddle/compare.h"
#include "heddle/gcn_asm.h"
#include "heddle/gcn_sim.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/text.h"
#include "heddle/walk.h"
#include "support/heard.h"

struct program {
   hd_shader *shader;
   hd_gcn_driver_abi *abi;
   hd_gcn_binary *binary;
   unsigned places; /* that wqm.h looked at */
};

/* Launches of 64 lanes: all; with helpers, in one and in several workgroups. */
static const uint32_t launches[] = { 0, 1, 7 };

/* What stands in a shader of one function. */
#define ZERO "%zero:32 = const 0;%one:32 = const 1;%two:32 = const 2;"

static const char *const vertices[] = {
   /* Attributes: parts of them, of 64 bits, used twice. */
   "%a:32x4 = load_input %zero location=0;%b:32x2 = load_input %one location=1 component=2;"
   "store_output %a, %zero location=5;store_output %b, %zero location=2 component=1",
   "%a:64x2 = load_input %zero location=1;%b:64 = load_input %zero location=3 component=2;"
   "store_output %b, %zero location=0 component=2;store_output %a, %zero location=1",
   "%a:64x3 = load_input %zero location=0;store_output %a, %zero location=3",
   /* Of 16 bits. */
   "%a:16x4 = load_input %zero location=0;%b:16x2 = load_input %one location=1 component=1;"
   "%c:32x4 = u2u %a;%d:32x2 = i2i %b;store_output %c, %zero location=1;"
   "store_output %d, %zero location=0",
   /* Numbers. */
   "%v:32 = vertex_index;%i:32 = instance_index;%bv:32 = base_vertex;%bi:32 = base_instance;"
   "%d:32 = draw_index;%w:32 = view_index;%k:32x4 = vec %v, %i, %bv, %bi;%l:32x2 = vec %d, %w;"
   "store_output %k, %zero location=0;store_output %l, %zero location=1",
   "%v:32 = vertex_index;%a:32 = load_input %zero location=0;%s:32 = iadd %a, %v;"
   "store_output %s, %zero location=0",
   /* What the chip takes of a vertex. */
   "%a:32x4 = load_input %zero location=0;%x:32 = channel %a, %one;store_position %a;"
   "store_point_size %x;store_output %x, %zero location=0 component=3",
   "%a:32x4 = load_input %zero location=0;%x:32 = channel %a, %one;%k:32 = const 255;"
   "%l:32 = iand %x, %k;store_layer %l;store_viewport_index %l",
   "%a:32 = load_input %zero location=0;%k:32 = const 3;store_clip_distance %a, %zero;"
   "store_clip_distance %a, %k;store_cull_distance %a, %one",
   /* Control flow; a component that is stored in several places. */
   "%a:32 = load_input %zero location=0;%b:32 = load_input %zero location=0 component=1;"
   "%c:1 = ilt %a, %b;if %c {;b1:;store_output %a, %zero location=0;} else {;b2:;"
   "store_output %b, %zero location=0;};b3:;%d:32 = iadd %a, %b;"
   "store_output %d, %zero location=0 component=1;store_output %b, %zero location=1;"
   "store_output %d, %zero location=1",
   "%a:32 = load_input %zero location=0;%k:32 = const 15;%n:32 = iand %a, %k;loop {;b1:;"
   "%i:32 = phi b0: %zero, b5: %next;%s:32 = phi b0: %zero, b5: %sum;%end:1 = ule %n, %i;"
   "if %end {;b2:;break;} else {;b3:;};b4:;store_output %i, %zero location=1;"
   "%v:32 = load_buffer %zero, %i set=0 binding=0;%sum:32 = iadd %s, %v;"
   "%next:32 = iadd %i, %one;} continue {;b5:;};b6:;store_output %s, %zero location=0;"
   "store_output %i, %zero location=1",
};

#define IJ "%ij:32x2 = barycentric;"
#define SAMPLE                                                                                     \
   "image_sample %zero, %zero, %at, %zero, %zero set=0 binding=0 sampler_set=0 sampler_binding=1 dim=d2"

static const char *const fragments[] = {
   /* What is interpolated, what is not; a location of which only some components are read. */
   IJ "%a:32x4 = load_interpolated %ij, %zero location=0;%b:32x2 = load_input %zero location=2 "
      "component=1;store_output %a, %zero location=0;store_output %b, %one location=0 component=2",
   "%s:32x2 = barycentric interp_location=sample;%c:32x2 = barycentric interp_location=centroid "
   "interp_mode=noperspective;%a:32 = load_interpolated %s, %zero location=1 component=3;"
   "%b:32 = load_interpolated %c, %zero location=3;store_output %a, %zero location=0;"
   "store_output %b, %zero location=0 component=1",
   "%a:64x2 = load_input %zero location=1;%b:64 = channel %a, %one;%w:32x2 = unpack_64_2x32 %b;"
   "store_output %w, %zero location=0",
   /* The rasteriser. */
   "%k:32x4 = frag_coord;%x:32 = channel %k, %zero;%z:32 = channel %k, %two;%f:1 = front_facing;"
   "%b:32 = b2i %f;%m:32 = sample_mask_in;%v:32x4 = vec %x, %z, %b, %m;"
   "store_output %v, %zero location=0",
   "%l:32 = view_index;%p:32 = viewport_index;%v:32x2 = vec %l, %p;"
   "store_output %v, %zero location=0",
   /* Interpolated on the machine, by the coordinates that the shader reads. */
   IJ "%p:32x2 = point_coord;store_output %p, %zero location=0;"
      "store_output %ij, %zero location=0 component=2",
   /* Depth and the like. */
   "%a:32 = load_input %zero location=0;store_depth %a;store_stencil %a",
   "%a:32 = load_input %zero location=0;store_sample_mask %a;store_output %a, %zero location=7",
   "%a:32 = load_input %zero location=0;store_buffer %a, %zero, %zero set=0 binding=0",
   /* Derivatives of what is computed; nothing is discarded. */
   IJ "%a:32x2 = load_interpolated %ij, %zero location=0;%dx:32x2 = ddx %a;%dy:32x2 = ddy_fine %a;"
      "store_output %dx, %zero location=0;store_output %dy, %zero location=0 component=2",
   /* Discarded, where nothing else needs helpers; in arms and loops. */
   "%a:32 = load_input %zero location=0;%l:32 = subgroup_invocation;%k:32 = const 3;"
   "%p:32 = iand %l, %k;%c:1 = ult %p, %two;demote_if %c;store_output %a, %zero location=0",
   "%a:32 = load_input %zero location=0;%l:32 = subgroup_invocation;%c:1 = ult %l, %two;if %c {;b1:;"
   "%k:32 = subgroup_invocation;%z:1 = ieq %k, %zero;if %z {;b2:;halt;} else {;b3:;};b4:;"
   "demote;} else {;b5:;};b6:;store_output %a, %zero location=0",
   "%a:32 = load_input %zero location=0;%l:32 = subgroup_invocation;loop {;b1:;"
   "%i:32 = phi b0: %zero, b7: %next;%same:1 = ieq %i, %l;%even:32 = iand %l, %one;"
   "%odd:1 = ine %even, %zero;%gone:1 = iand %same, %odd;demote_if %gone;"
   "%k:32 = const 20;%end:1 = ule %k, %i;if %end {;b2:;break;} else {;b3:;};b4:;"
   "%next:32 = iadd %i, %one;} continue {;b7:;};b8:;store_output %a, %zero location=0",
   "%a:32 = load_input %zero location=0;demote;store_output %a, %zero location=0",
   /* Demoted, and read by others of the quad afterwards; effects before and after. */
   "%l:32 = subgroup_invocation;%k:32 = const 3;%x:32 = load_input %zero location=0;"
   "%p:32 = iand %l, %k;%c:1 = ult %p, %two;demote_if %c;%f:32 = u2f %l;%s:32 = fmul %f, %f;"
   "%d:32 = ddx %s;%e:32 = ddy %s;%four:32 = ishl %l, %two;"
   "store_buffer %d, %zero, %four set=0 binding=0;store_output %d, %zero location=0;"
   "store_output %e, %zero location=0 component=1",
   "%l:32 = subgroup_invocation;%four:32 = ishl %l, %two;%f:32 = u2f %l;"
   "store_buffer %f, %zero, %four set=0 binding=0;%old:32 = buffer_atomic %zero, %zero, %one "
   "atomic_op=iadd set=0 binding=1;%h:1 = is_helper;%g:32 = b2i %h;%s:32 = fmul %f, %f;"
   "%d:32 = ddx_fine %s;store_output %d, %zero location=0;"
   "store_output %g, %zero location=0 component=1",
   "%l:32 = subgroup_invocation;%k:32 = const 5;%m:32 = iand %l, %k;%c:1 = ieq %m, %k;"
   "%f:32 = u2f %l;if %c {;b1:;demote;} else {;b2:;};b3:;%s:32 = fmul %f, %f;%d:32 = ddx %s;"
   "%low:1 = flt %d, %s;if %low {;b4:;%four:32 = ishl %l, %two;"
   "store_buffer %d, %zero, %four set=0 binding=0;} else {;b5:;demote;};b6:;%e:32 = ddy %s;"
   "store_output %e, %zero location=0",
   "%l:32 = subgroup_invocation;%f:32 = u2f %l;loop {;b1:;%i:32 = phi b0: %zero, b7: %next;"
   "%x:32 = phi b0: %f, b7: %y;%k:32 = const 9;%gone:1 = ieq %i, %l;demote_if %gone;"
   "%sq:32 = fmul %x, %x;%d:32 = ddx %sq;%half:32 = const 0.125;%sc:32 = fmul %d, %half;"
   "%y:32 = fadd %f, %sc;%end:1 = ule %k, %i;if %end {;b2:;break;} else {;b3:;};b4:;"
   "%next:32 = iadd %i, %one;} continue {;b7:;};b8:;store_output %y, %zero location=0",
   /* Lanes that do not count. */
   "%l:32 = subgroup_invocation;%k:32 = const 3;%p:32 = iand %l, %k;%c:1 = ult %p, %one;"
   "demote_if %c;%t:1 = const true;%b:32x4 = ballot %t;%e:1 = elect;%bits:32 = b2i %e;"
   "%u:1 = vote_all %t;%un:1 = inot %c;%all:1 = vote_all %un;%bits2:32 = b2i %all;%f:32 = u2f %l;"
   "%d:32 = ddx %f;%n:32 = channel %b, %zero;%v:32x4 = vec %d, %n, %bits, %bits2;"
   "store_output %v, %zero location=0",
   /* A loop around an atomic that no helper lane may run. */
   "%l:32 = subgroup_invocation;%k:32 = const 3;%p:32 = iand %l, %k;%c:1 = ieq %p, %k;demote_if %c;"
   "%f:32 = u2f %l;%o:32 = buffer_atomic %zero, %zero, %f atomic_op=fmax set=0 binding=0;"
   "%d:32 = ddx %f;store_output %d, %zero location=0",
   /* Samples: their level is that of the quad. */
   "%l:32 = subgroup_invocation;%k:32 = const 3;%p:32 = iand %l, %k;%c:1 = ieq %p, %k;"
   "demote_if %c;%f:32 = u2f %l;%q:32 = const 0.0625;%x:32 = fmul %f, %q;%y:32 = fmul %x, %x;"
   "%at:32x2 = vec %x, %y;%t:32x4 = " SAMPLE ";store_output %t, %zero location=0",
   "%l:32 = subgroup_invocation;%f:32 = u2f %l;%q:32 = const 0.03125;%x:32 = fmul %f, %q;"
   "%at:32x2 = vec %x, %x;%t:32x4 = " SAMPLE ";%tx:32 = channel %t, %zero;%half:32 = const 0.5;"
   "%low:1 = flt %tx, %half;demote_if %low;store_output %t, %zero location=0",
   /* Reductions and shuffles, which are loops that read lanes on gfx600: helpers are read, too. */
   "%l:32 = subgroup_invocation;%k:32 = const 3;%p:32 = iand %l, %k;%c:1 = ieq %p, %k;"
   "demote_if %c;%s:32 = reduce %l reduce_op=iadd;%f:32 = u2f %s;%g:32 = u2f %l;%d:32 = ddx %g;"
   "store_output %s, %zero location=0;store_output %d, %zero location=0 component=1",
   "%l:32 = subgroup_invocation;%k:32 = const 5;%m:32 = iand %l, %k;%c:1 = ieq %m, %k;demote_if %c;%f:32 = u2f %l;"
   "%sq:32 = fmul %f, %f;%n:32 = ixor %l, %one;%s:32 = shuffle %sq, %n;%d:32 = ddx %s;%e:32 = inclusive_scan %m reduce_op=umax;"
   "store_output %d, %zero location=0;store_output %e, %zero location=0 component=1",
};

static hd_gcn_options ways[] = {
   { .lowering = HD_GCN_LOWERING_TREE },
   { .lowering = HD_GCN_LOWERING_RECONVERGING },
   { .quick = true },
   { .max_sgprs = 40, .max_vgprs = 16 },
   { .lowering = HD_GCN_LOWERING_RECONVERGING, .max_sgprs = 40, .max_vgprs = 16 },
   { .no_schedule = true, .skip = HD_GCN_SKIP_ALWAYS },
   { .skip = HD_GCN_SKIP_NEVER },
};

#define NUM(array) (sizeof(array) / sizeof((array)[0]))

static void
run_everywhere(const char *stage, const char *body, const uint32_t *numbers, size_t num_numbers)
{
   text t = { 0 };

   for (size_t w = 0; w < NUM(ways); w++) {
      for (size_t l = 0; l < num_numbers; l++) {
         const trial_options options = { .compile = ways[w],
                                         .seed = 1 + l,
                                         .first_launch = numbers[l] };
         say(&t, "shader %s \"t\" {;subgroup 64;function @main {;b0:;%s%s;};};", stage, ZERO, body);
         const char *shader = said(&t);
         for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++)
            must_do_the_same(shader, (hd_gcn_gen)gen, &options);
      }
   }
   hd_blob_finish(&t);
}

static void
test_vertices(void **unused)
{
   (void)unused;
   for (size_t n = 0; n < NUM(vertices); n++)
      run_everywhere("vertex", vertices[n], launches, 1);
}

static void
test_fragments(void **unused)
{
   (void)unused;
   for (size_t n = 0; n < NUM(fragments); n++)
      run_everywhere("fragment", fragments[n], launches, NUM(launches));
}

/* Can a lane learn that it is a helper, and branch by it? */
static bool
asks_for_helpers(const hd_shader *shader)
{
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            if (i->kind == HD_INSTR_INTRINSIC &&
                (i->op == HD_INTRINSIC_IS_HELPER || i->op == HD_INTRINSIC_ELECT ||
                 i->op == HD_INTRINSIC_BALLOT))
               return true;
         }
      }
   }
   return false;
}

/* Random programs, in which lanes are demoted and read each other, in one way each. */

#define NUM_PROGRAMS 200

static hd_result
run_binary(void *user, const hd_wave_launch *launch)
{
   const struct program *p = user;
   const hd_gcn_sim_options options = { .max_steps = launch->max_steps * 200,
                                        .diag = launch->diag };

   return hd_gcn_sim_run_wave(p->binary, p->abi, p->shader, launch, &options, NULL);
}

static void
must_be_the_same(uint64_t seed, struct program *p, hd_diff_test *trial)
{
   struct heard heard = { 0 };
   const hd_diag_sink sink = { &heard, hear };
   hd_blob shader = { 0 };

   const char *wrong = wrong_quad_mode(p->binary, p->abi->scratch_resource,
                                       asks_for_helpers(p->shader), &p->places);
   if (!wrong && hd_diff_test_compare_run(trial, run_binary, p, &sink) == HD_OK)
      return;
   hd_print_shader(p->shader, NULL, &shader);
   fprintf(stderr, "seed %u, %s: %s\n%s\n%s", (unsigned)seed, hd_gcn_gen_name(p->binary->target),
           wrong ? wrong : heard.all, shader.data, p->binary->text);
   fail();
}

/* That is one of each lane in these launches, where the machine has one of a primitive. */
static bool
asks_for_primitive(const hd_shader *shader)
{
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            if (i->kind == HD_INSTR_INTRINSIC && i->op == HD_INTRINSIC_PRIMITIVE_ID)
               return true;
         }
      }
   }
   return false;
}

/* Was it compiled? *judged grows if the checker said something of it. */
static bool
try_program(uint64_t seed, unsigned *judged)
{
   const program_options how = {
      .size = 6 + seed % 30, .fragment = true, .no_images = seed % 3 != 0, .machine_images = true
   };
   const hd_diff_test_options launch = { .seed = seed,
                                         .first_launch = launches[seed % NUM(launches)],
                                         .num_launches = 1 };
   struct heard heard = { 0 };
   hd_gcn_options options = ways[seed % NUM(ways)];
   struct program p = { .shader = random_program(NULL, seed, &how) };
   hd_diff_test *trial;
   bool compiled = false;

   assert_non_null(p.shader);
   p.shader->subgroup_size = 64;
   assert_int_equal(hd_diff_test_create(p.shader, &launch, &trial), HD_OK);
   assert_int_equal(hd_gcn_sim_abi_create(p.shader, NULL, &p.abi), HD_OK);
   options.target = (hd_gcn_gen)(seed / NUM(ways) % HD_GCN_NUM_GENS);
   options.abi = HD_GCN_ABI_DRIVER;
   options.driver = p.abi;
   options.keep_text = options.verify_regalloc = true;
   options.diag = (hd_diag_sink){ &heard, hear };
   if (hd_diff_test_num_runs(trial, NULL) == 1 && !asks_for_primitive(p.shader)) {
      compiled = hd_gcn_compile(p.shader, &options, &p.binary) == HD_OK;
      if (compiled)
         must_be_the_same(seed, &p, trial);
      else if (getenv("HEDDLE_VERBOSE"))
         fprintf(stderr, "seed %u: %s", (unsigned)seed, heard.all);
   }
   *judged += p.places != 0;
   hd_gcn_binary_destroy(p.binary);
   hd_gcn_sim_abi_destroy(p.shader, p.abi);
   hd_diff_test_destroy(trial);
   hd_shader_destroy(p.shader);
   return compiled;
}

/* Where lanes leave loops one by one, or several in each other; where no lane runs, or nobody branches to; where a lane
 * branches by whether it is a helper.
 */
static const uint64_t kept_seeds[] = { 11793,  40529,  60474,   60592,   60804,   61948,
                                       700914, 900564, 2002046, 2004642, 2006878, 2007887 };

static void
test_random(void **unused)
{
   const char *first = getenv("HEDDLE_FIRST_SEED"), *num = getenv("HEDDLE_SEEDS");
   const uint64_t begin = first ? strtoull(first, NULL, 0) : 1;
   const uint64_t end = begin + (num ? strtoull(num, NULL, 0) : NUM_PROGRAMS);
   unsigned compiled = 0, judged = 0;

   (void)unused;
   for (uint64_t seed = begin; seed < end; seed++)
      compiled += try_program(seed, &judged);
   for (size_t n = 0; n < NUM(kept_seeds) && !num; n++)
      compiled += try_program(kept_seeds[n], &judged);
   printf("# %u programs, of %u it is proven where helpers run\n", compiled, judged);
   assert_true(num || (compiled >= NUM_PROGRAMS / 2 && judged * 100 >= compiled * 95));
}

/* Formats of colour targets */

static hd_shader *
parse_shader(const char *body, const char *stage)
{
   char lines[2048];
   hd_shader *shader;

   snprintf(lines, sizeof(lines),
            "shader %s \"t\" {\nfunction @main {\nb0:\n%%zero:32 = const 0\n%s\n}\n}\n", stage,
            body);
   assert_int_equal(hd_parse(NULL, "t", lines, strlen(lines), &shader), HD_OK);
   return shader;
}

struct sent {
   unsigned num, channels;
   bool pairs, last;
   uint32_t values[4];
};

static void
note(void *user, const hd_gcn_sim_export *e)
{
   struct sent *s = user;

   s->num++;
   s->channels = e->channels;
   s->pairs = e->pairs;
   s->last = e->done && e->valid;
   for (unsigned n = 0; n < 4; n++)
      s->values[n] = e->values[n] ? e->values[n][0] : 0;
}

static const struct color {
   hd_gcn_color_format format;
   uint32_t stored[4];
   unsigned channels;
   bool pairs;
   uint32_t sent[4];
} colors[] = {
   { HD_GCN_COLOR_NONE, { 1, 2, 3, 4 }, 0, false, { 0 } },
   { HD_GCN_COLOR_32_R, { 1, 2, 3, 4 }, 1, false, { 1 } },
   { HD_GCN_COLOR_32_GR, { 1, 2, 3, 4 }, 3, false, { 1, 2 } },
   { HD_GCN_COLOR_32_AR, { 1, 2, 3, 4 }, 9, false, { 1, 0, 0, 4 } },
   { HD_GCN_COLOR_32_ABGR, { 1, 2, 3, 4 }, 15, false, { 1, 2, 3, 4 } },
   /* 1, 1.9999999, -2, 65536: toward zero, and so to the largest. */
   { HD_GCN_COLOR_FP16_ABGR,
     { 0x3f800000, 0x3fffffff, 0xc0000000, 0x47800000 },
     15,
     true,
     { 0x3fff3c00, 0x7bffc000 } },
   { HD_GCN_COLOR_UNORM16_ABGR,
     { 0x3f800000, 0xbf800000, 0x00000000, 0x40000000 },
     15,
     true,
     { 0x0000ffff, 0xffff0000 } },
   { HD_GCN_COLOR_SNORM16_ABGR,
     { 0x3f800000, 0xbf800000, 0x00000000, 0xc0000000 },
     15,
     true,
     { 0x80017fff, 0x80010000 } },
   { HD_GCN_COLOR_UINT16_ABGR, { 1, 65535, 65536, 7 }, 15, true, { 0xffff0001, 0x0007ffff } },
   { HD_GCN_COLOR_SINT16_ABGR,
     { 1, 0xffffffff, 40000, 0x80000000 },
     15,
     true,
     { 0xffff0001, 0x80007fff } },
};

static void
try_color(const struct color *c, hd_gcn_gen gen)
{
   hd_shader *shader = parse_shader(
       "%a:32x4 = load_input %zero location=0\nstore_output %a, %zero location=0", "fragment");
   uint32_t inputs[4][4], outputs[4][4] = { { 0 } };
   struct sent sent = { 0 };
   hd_gcn_driver_abi *abi;
   hd_gcn_binary *binary;
   const hd_wave_launch launch = { .workgroup_size = { 4 },
                                   .inputs = { inputs, NULL, sizeof(inputs) },
                                   .outputs = { outputs, NULL, sizeof(outputs) },
                                   .num_input_locations = 1,
                                   .num_output_locations = 1 };
   const hd_gcn_sim_options sim = { .user = &sent, .exported = note };

   for (unsigned n = 0; n < 4; n++)
      memcpy(inputs[n], c->stored, sizeof(inputs[n]));
   assert_int_equal(hd_gcn_sim_abi_create(shader, NULL, &abi), HD_OK);
   abi->color_format[0] = (uint8_t)c->format;
   const hd_gcn_options options = { .target = gen, .abi = HD_GCN_ABI_DRIVER, .driver = abi };
   assert_int_equal(hd_gcn_compile(shader, &options, &binary), HD_OK);
   assert_int_equal(hd_gcn_sim_run_wave(binary, abi, shader, &launch, &sim, NULL), HD_OK);
   assert_int_equal(binary->graphics.color_formats, c->format);
   assert_true(sent.num == 1 && sent.last && sent.pairs == c->pairs);
   assert_int_equal(sent.channels, c->channels);
   assert_memory_equal(sent.values, c->sent, sizeof(sent.values));
   /* Nothing is sent to a target that is not there, but the wave ends as all do. */
   abi->color_format[0] = HD_GCN_NUM_COLOR_FORMATS;
   hd_gcn_binary *none;
   assert_int_equal(hd_gcn_compile(shader, &options, &none), HD_INVALID);
   hd_gcn_binary_destroy(binary);
   hd_gcn_sim_abi_destroy(shader, abi);
   hd_shader_destroy(shader);
}

static void
test_colors(void **unused)
{
   (void)unused;
   for (size_t n = 0; n < NUM(colors); n++) {
      for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++)
         try_color(&colors[n], (hd_gcn_gen)gen);
   }
}

/* Attributes that advance by instance. */

static void
try_divisor(uint32_t divisor, hd_gcn_gen gen)
{
   hd_shader *shader = parse_shader(
       "%a:32 = load_input %zero location=1\nstore_output %a, %zero location=0", "vertex");
   enum { NUM_VERTICES = 128 };
   static uint32_t inputs[NUM_VERTICES][8], outputs[NUM_VERTICES][4], instances[NUM_VERTICES],
       base[NUM_VERTICES];
   const hd_wave_builtin given[] = {
      { .id = HD_INTRINSIC_INSTANCE_INDEX, .memory = { instances, NULL, sizeof(instances) } },
      { .id = HD_INTRINSIC_BASE_INSTANCE, .memory = { base, NULL, sizeof(base) } },
   };
   const hd_gcn_attribute attribute = { 1, divisor };
   const hd_wave_launch launch = { .workgroup_size = { NUM_VERTICES },
                                   .inputs = { inputs, NULL, sizeof(inputs) },
                                   .outputs = { outputs, NULL, sizeof(outputs) },
                                   .num_input_locations = 2,
                                   .num_output_locations = 1,
                                   .given = given,
                                   .num_given = NUM(given) };
   hd_gcn_driver_abi *abi;
   hd_gcn_binary *binary;

   for (unsigned n = 0; n < NUM_VERTICES; n++) {
      inputs[n][4] = 1000 + n;
      base[n] = 3;
      instances[n] = 3 + n;
   }
   assert_int_equal(hd_gcn_sim_abi_create(shader, NULL, &abi), HD_OK);
   abi->base_instance = abi->num_user_sgprs++;
   abi->attributes = &attribute;
   abi->num_attributes = 1;
   const hd_gcn_options options = { .target = gen, .abi = HD_GCN_ABI_DRIVER, .driver = abi };
   assert_int_equal(hd_gcn_compile(shader, &options, &binary), HD_OK);
   assert_int_equal(hd_gcn_sim_run_wave(binary, abi, shader, &launch, NULL, NULL), HD_OK);
   for (unsigned n = 0; n < NUM_VERTICES; n++) {
      const uint32_t element = 3 + (divisor ? n / divisor : 0);
      /* Past the end a buffer has zeroes. */
      assert_int_equal(outputs[n][0], element < NUM_VERTICES ? 1000 + element : 0);
   }
   hd_gcn_binary_destroy(binary);
   hd_gcn_sim_abi_destroy(shader, abi);
   hd_shader_destroy(shader);
}

static void
test_divisors(void **unused)
{
   static const uint32_t divisors[] = { 0, 1, 2, 3, 5, 7, 16, 100, 0x80000001, UINT32_MAX };

   (void)unused;
   for (size_t n = 0; n < NUM(divisors); n++) {
      for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++)
         try_divisor(divisors[n], (hd_gcn_gen)gen);
   }
}

/* Barycentric coordinates elsewhere: a triangle whose perspective differs from pixel to pixel. Lanes are pixels of quads in
 * a row, or a sample of each.
 */

enum { NUM_PIXELS = 64 };

static void
pixel_of(uint64_t lane, double at[2])
{
   at[0] = (double)(lane / 4 * 2 + lane % 2) + 0.5;
   at[1] = (double)(lane / 2 % 2) + 0.5;
}

static double
one_over_w(const double at[2])
{
   return 0.25 + 0.03125 * at[0] + 0.0625 * at[1];
}

static void
coordinates(const double at[2], bool linear, float out[2])
{
   const double w = linear ? 1 : one_over_w(at);

   out[0] = (float)((0.125 + 0.015625 * at[0] - 0.03125 * at[1]) / w);
   out[1] = (float)((0.0625 + 0.0078125 * at[0] + 0.125 * at[1]) / w);
}

static bool
elsewhere(void *user, const hd_wave_barycentric *b, uint32_t out[2])
{
   static const double places[][2] = {
      { 0.375, 0.125 }, { 0.875, 0.375 }, { 0.125, 0.625 }, { 0.625, 0.875 }
   };
   double at[2];
   float offset[2], found[2];

   (void)user;
   memcpy(offset, b->offset, sizeof(offset));
   pixel_of(b->invocation, at);
   for (unsigned n = 0; n < 2; n++)
      at[n] += b->is_sample ? places[b->sample & 3][n] - 0.5 : (double)offset[n];
   coordinates(at, b->interp_mode == HD_INTERP_NOPERSPECTIVE, found);
   memcpy(out, found, sizeof(found));
   return true;
}

#define PLACES                                                                                     \
   "%x:32 = const 0.375\n%y:32 = const -0.25\n%one:32 = const 1\n%two:32 = const 2\n"              \
   "%three:32 = const 3\n%lane:32 = subgroup_invocation\n%n:32 = iand %lane, %three\n"             \
   "%f:32 = u2f %n\n%k:32 = const 0.125\n%v:32 = fmul %f, %k\n%o:32x2 = vec %x, %v\n"              \
   "%q:32x2 = vec %v, %y\n"
#define STORES                                                                                     \
   "store_output %a, %zero location=0\nstore_output %b, %zero location=0 component=2\n"            \
   "store_output %c, %one location=0\nstore_output %s, %one location=0 component=2"

/* In a row; where lanes of a quad have branched off. */
static const char *const everywhere[] = {
   PLACES "%a:32x2 = barycentric_at_offset %o\n"
          "%b:32x2 = barycentric_at_offset %q interp_mode=noperspective\n"
          "%c:32x2 = barycentric_at_sample %n\n"
          "%s:32x2 = barycentric_at_sample %two interp_mode=noperspective\n" STORES,
   PLACES "%t:1 = ieq %n, %two\nif %t {\nb1:\n%a1:32x2 = barycentric_at_offset %o\n"
          "%s1:32x2 = barycentric_at_sample %two interp_mode=noperspective\n} else {\nb2:\n"
          "%a2:32x2 = barycentric_at_offset %q\n"
          "%s2:32x2 = barycentric_at_offset %o interp_mode=noperspective\n}\nb3:\n"
          "%a:32x2 = phi b1: %a1, b2: %a2\n%s:32x2 = phi b1: %s1, b2: %s2\n%u:1 = ult %zero, %n\n"
          "if %u {\nb4:\n%b1:32x2 = barycentric_at_offset %q interp_mode=noperspective\n"
          "%c1:32x2 = barycentric_at_sample %n\n} else {\nb5:\n}\nb6:\n"
          "%b:32x2 = phi b4: %b1, b5: %a\n%c:32x2 = phi b4: %c1, b5: %s\n" STORES,
};

static void
try_elsewhere(const char *program, hd_gcn_gen gen, hd_gcn_lowering lowering, bool of_samples)
{
   static float smooth[NUM_PIXELS][2], linear[NUM_PIXELS][2], coord[NUM_PIXELS][4];
   static float expected[NUM_PIXELS][8], found[NUM_PIXELS][8];
   hd_shader *shader = parse_shader(program, "fragment");
   const hd_wave_builtin given[] = {
      { .id = HD_INTRINSIC_BARYCENTRIC,
        .interp_mode = HD_INTERP_SMOOTH,
        .interp_location = HD_INTERP_AT_CENTER,
        .memory = { smooth, NULL, sizeof(smooth) } },
      { .id = HD_INTRINSIC_BARYCENTRIC,
        .interp_mode = HD_INTERP_NOPERSPECTIVE,
        .interp_location = HD_INTERP_AT_CENTER,
        .memory = { linear, NULL, sizeof(linear) } },
      { .id = HD_INTRINSIC_FRAG_COORD, .memory = { coord, NULL, sizeof(coord) } },
   };
   hd_wave_launch launch = { .workgroup_size = { NUM_PIXELS },
                             .outputs = { expected, NULL, sizeof(expected) },
                             .num_output_locations = 2,
                             .given = given,
                             .num_given = NUM(given),
                             .barycentric_at = elsewhere,
                             .num_samples = 4 };
   hd_gcn_driver_abi *abi;
   hd_gcn_binary *binary;

   for (unsigned n = 0; n < NUM_PIXELS; n++) {
      double at[2];
      pixel_of(n, at);
      coordinates(at, false, smooth[n]);
      coordinates(at, true, linear[n]);
      at[0] += of_samples ? 0.375 : 0;
      at[1] -= of_samples ? 0.125 : 0;
      coord[n][0] = (float)at[0];
      coord[n][1] = (float)at[1];
      coord[n][3] = (float)one_over_w(at);
   }
   assert_int_equal(hd_wave_run(shader, &launch, NULL), HD_OK);
   launch.outputs.data = found;
   assert_int_equal(hd_gcn_sim_abi_create(shader, &launch, &abi), HD_OK);
   assert_int_equal(abi->num_samples, 4);
   hd_gcn_options options = {
      .target = gen, .abi = HD_GCN_ABI_DRIVER, .driver = abi, .lowering = lowering
   };
   assert_int_equal(hd_gcn_compile(shader, &options, &binary), HD_OK);
   assert_int_equal(hd_gcn_sim_run_wave(binary, abi, shader, &launch, NULL, NULL), HD_OK);
   for (unsigned n = 0; n < NUM_PIXELS; n++) {
      for (unsigned c = 0; c < 8; c++) {
         const float more = expected[n][c] + 4e-6f, less = expected[n][c] - 4e-6f;
         if (!(found[n][c] >= less && found[n][c] <= more))
            fail_msg("%s, lane %u: coordinate %u is %g, not %g", hd_gcn_gen_name(gen), n, c,
                     (double)found[n][c], (double)expected[n][c]);
      }
   }
   hd_gcn_binary_destroy(binary);
   abi->num_samples = 3;
   assert_int_equal(hd_gcn_compile(shader, &options, &binary), HD_INVALID);
   hd_gcn_sim_abi_destroy(shader, abi);
   hd_shader_destroy(shader);
}

static void
test_barycentrics(void **unused)
{
   (void)unused;
   for (unsigned n = 0; n < HD_GCN_NUM_GENS * 8u; n++)
      try_elsewhere(everywhere[n & 1], (hd_gcn_gen)(n / 8),
                    n & 2 ? HD_GCN_LOWERING_RECONVERGING : HD_GCN_LOWERING_TREE, n & 4);
}

/* The checker itself: what is wrong is found. */

#define DPP  "v_mov_b32_dpp v1, v0 quad_perm:[1,1,3,3] row_mask:0xf bank_mask:0xf bound_ctrl:0\n"
#define EXP  "exp mrt0 v1, v1, v1, v1 done vm\ns_endpgm\n"
#define WQM  "s_not_b64 s[0:1], exec\ns_wqm_b64 exec, exec\n"
#define LESS "v_cmp_lt_f32_e32 vcc, v0, v1\n"

#define LEAVE(boolean, inner)                                                                      \
   "loop:\n" LESS "s_and_saveexec_b64 s[26:27], vcc\nv_cmp_gt_f32_e32 vcc, v0, v1\n"               \
   "s_or_b64 s[28:29], s[0:1], vcc\ns_andn2_b64 s[30:31], s[22:23], exec\n"                        \
   "s_and_b64 s[28:29], " boolean ", exec\ns_or_b64 s[22:23], s[30:31], s[28:29]\n"                \
   "inner:\n" LESS inner "s_cbranch_vccz inner\n"                                                  \
   "s_andn2_b64 exec, s[26:27], exec\ns_cbranch_scc0 none\ns_branch loop\n"                        \
   "none:\ns_mov_b64 exec, s[20:21]\n" DPP "s_andn2_b64 exec, exec, s[22:23]\n" EXP

/* Lanes leave a loop whose condition is at its end; or in an arm, from those that are put aside. */
#define ROTATED(again)                                                                             \
   "s_branch head\nbody:\nv_mov_b32 v1, v2\nhead:\n" LESS "s_andn2_b64 s[22:23], s[22:23], vcc\n"  \
   "s_and_b64 s[24:25], s[0:1], vcc\ns_or_b64 s[22:23], s[22:23], s[24:25]\n"                      \
   "s_andn2_b64 exec, exec, vcc\n" again " body\ns_mov_b64 exec, s[20:21]\n" DPP                   \
   "s_andn2_b64 exec, exec, s[22:23]\n" EXP
#define ASIDE(mask)                                                                                \
   "loop:\n" LESS "s_and_saveexec_b64 s[26:27], vcc\n" LESS "s_cbranch_vccz stay\n"                \
   "s_or_b64 s[22:23], s[22:23], " mask "\ns_andn2_b64 s[26:27], s[26:27], exec\nstay:\n"          \
   "s_mov_b64 exec, s[26:27]\ns_cbranch_execnz loop\ns_mov_b64 exec, s[20:21]\n" DPP               \
   "s_andn2_b64 exec, exec, s[22:23]\n" EXP

static const struct judged {
   const char *text, *what; /* NULL: it is right */
   unsigned places;
} checked[] = {
   { WQM DPP "s_andn2_b64 exec, exec, s[0:1]\n" EXP, NULL, 2 },
   { EXP, NULL, 1 },
   { WQM DPP EXP, "a helper lane may run", 2 },
   { DPP EXP, "no helper lane runs", 1 },
   { WQM "s_andn2_b64 exec, exec, s[0:1]\n" DPP EXP, "no helper lane runs", 1 },
   /* Demoted lanes are added, and the store is for the others; or not for them. */
   { WQM LESS "s_or_b64 s[0:1], s[0:1], vcc\ns_andn2_b64 exec, exec, s[0:1]\n" EXP, NULL, 1 },
   { WQM LESS "s_and_b64 s[0:1], s[0:1], vcc\ns_andn2_b64 exec, exec, s[0:1]\n" EXP,
     "a helper lane may run", 1 },
   /* Exec is as it was before the store; and a skip over it. */
   { WQM "s_andn1_saveexec_b64 s[2:3], s[0:1]\ns_cbranch_scc0 after\n"
         "buffer_store_dword v0, off, s[8:11], 0\nafter:\ns_mov_b64 exec, s[2:3]\n" DPP
         "s_andn2_b64 exec, exec, s[0:1]\n" EXP,
     NULL, 3 },
   { WQM "s_andn1_saveexec_b64 s[2:3], s[0:1]\ns_mov_b64 exec, s[2:3]\n"
         "buffer_store_dword v0, off, s[8:11], 0\n" EXP,
     "a helper lane may run", 1 },
   /* A branch that is always taken. */
   { WQM "s_cmp_eq_u32 0, 0\ns_cbranch_scc1 after\nbuffer_store_dword v0, off, s[8:11], 0\nafter:\n"
         "s_endpgm\n",
     NULL, 1 },
   { WQM "s_cmp_lg_u32 0, 0\ns_cbranch_scc1 after\nbuffer_store_dword v0, off, s[8:11], 0\nafter:\n"
         "s_endpgm\n",
     "a helper lane may run", 1 },
   /* No lane runs: no helper has to. */
   { WQM "s_mov_b64 s[2:3], exec\ns_mov_b64 s[4:5], 0\ns_and_b64 exec, exec, s[4:5]\n" DPP
         "s_andn2_b64 exec, s[2:3], s[0:1]\n" EXP,
     NULL, 2 },
   { WQM
     "s_mov_b64 s[2:3], exec\ns_and_b64 exec, exec, s[4:5]\ns_andn2_b64 exec, exec, s[0:1]\n" DPP
         EXP,
     "no helper lane runs", 2 },
   /* In a loop the boolean grows; or is another one. */
   { WQM "s_mov_b64 s[2:3], exec\nloop:\ns_andn2_b64 exec, s[2:3], s[0:1]\n"
         "buffer_store_dword v0, off, s[8:11], 0\ns_mov_b64 exec, s[2:3]\n" DPP LESS
         "s_or_b64 s[0:1], s[0:1], vcc\ns_cbranch_vccz loop\n"
         "s_andn2_b64 exec, exec, s[0:1]\n" EXP,
     NULL, 3 },
   { WQM "s_mov_b64 s[2:3], exec\nloop:\ns_andn2_b64 exec, s[2:3], s[0:1]\n"
         "buffer_store_dword v0, off, s[8:11], 0\ns_mov_b64 exec, s[2:3]\n" LESS
         "s_mov_b64 s[0:1], vcc\ns_cbranch_vccz loop\n" EXP,
     "a helper lane may run", 1 },
   /* Lanes leave a loop, each with its bit in a boolean that has none of the others; or without it; or it is lost in
    * a loop inside.
    */
   { WQM "s_mov_b64 s[20:21], exec\n" LEAVE("s[28:29]", ""), NULL, 2 },
   { WQM "s_mov_b64 s[20:21], exec\n" LEAVE("vcc", ""), "a helper lane may run", 2 },
   { WQM "s_mov_b64 s[20:21], exec\ns_mov_b64 exec, s[2:3]\n" LEAVE("s[28:29]", ""),
     "a helper lane may run", 2 },
   { WQM "s_mov_b64 s[20:21], exec\n" LEAVE("s[28:29]", "s_mov_b64 s[22:23], vcc\n"),
     "a helper lane may run", 2 },
   { WQM "s_mov_b64 s[20:21], exec\n" LEAVE("s[28:29]", "s_mov_b64 s[22:23], s[36:37]\n"),
     "a helper lane may run", 2 },
   { WQM "s_mov_b64 s[20:21], exec\n" LEAVE(
         "s[28:29]", "s_mov_b64 s[38:39], s[22:23]\ns_mov_b64 s[22:23], s[36:37]\n"
                     "s_mov_b64 s[36:37], s[38:39]\n"),
     "a helper lane may run", 2 },
   { WQM "s_mov_b64 s[20:21], exec\n" ROTATED("s_cbranch_scc1"), NULL, 2 },
   { WQM "s_mov_b64 s[20:21], exec\n" ROTATED("s_cbranch_vccnz"), "a helper lane may run", 2 },
   { WQM "s_mov_b64 s[20:21], exec\n" ASIDE("exec"), NULL, 2 },
   { WQM "s_mov_b64 s[20:21], exec\n" ASIDE("s[30:31]"), "a helper lane may run", 2 },
   /* What holds where no lane is left. */
   { WQM "s_mov_b64 s[20:21], exec\ns_and_b64 exec, s[2:3], exec\ns_cbranch_scc0 none\n"
         "s_endpgm\nnone:\ns_andn2_b64 exec, s[20:21], s[0:1]\n" EXP,
     NULL, 1 },
   { WQM "s_mov_b64 s[20:21], exec\ns_and_b64 exec, s[2:3], exec\ns_cbranch_scc0 none\n"
         "s_endpgm\nnone:\ns_and_b64 exec, s[20:21], s[2:3]\n" EXP,
     NULL, 1 },
   { WQM "s_mov_b64 s[20:21], exec\ns_and_b64 exec, s[2:3], exec\ns_cbranch_scc0 none\n"
         "s_endpgm\nnone:\ns_andn2_b64 exec, s[20:21], s[2:3]\n" EXP,
     "a helper lane may run", 1 },
};

static void
test_checker(void **unused)
{
   (void)unused;
   for (size_t n = 0; n < NUM(checked); n++) {
      hd_blob code = { 0 };
      unsigned places = 0;
      assert_int_equal(hd_gcn_assemble(NULL, HD_GCN_GFX900, NULL, checked[n].text,
                                       strlen(checked[n].text), &code),
                       HD_OK);
      const hd_gcn_binary binary = { .target = HD_GCN_GFX900,
                                     .code = (const uint32_t *)(const void *)code.data,
                                     .stats.code_size = (uint32_t)code.size };
      const char *wrong = wrong_quad_mode(&binary, HD_GCN_NO_SGPR, false, &places);
      if (checked[n].what ? !wrong || !strstr(wrong, checked[n].what) : wrong != NULL)
         fail_msg("%s\n%s", checked[n].text, wrong ? wrong : "nothing is wrong");
      assert_true(places >= checked[n].places);
      hd_blob_finish(&code);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_vertices),     cmocka_unit_test(test_fragments),
      cmocka_unit_test(test_random),       cmocka_unit_test(test_colors),
      cmocka_unit_test(test_checker),      cmocka_unit_test(test_divisors),
      cmocka_unit_test(test_barycentrics),
   };

   return cmocka_run_group_tests_name("backend/gcn/stages", tests, NULL, NULL);
}
