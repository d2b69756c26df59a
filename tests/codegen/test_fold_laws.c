/* SPDX-License-Identifier: MIT */
/* Every law that the table claims of an op is tried: with all operands at 8 bits, with edges and
 * random numbers above. A law that holds and is not claimed fails too, where it is cheap to see.
 */
#include "fold_harness.h"
#include "heddle/op_enum.h"

uint64_t random_state;

/* Call `check` for each size that the op's operands may have. */
static void
for_sizes(hd_op op, void (*check)(hd_op op, sizes s))
{
   const hd_op_info *info = hd_op_get_info(op);
   bool tried = false;

   for (unsigned n = 1; n <= 64; n *= 2) {
      bool fits = true;
      for (unsigned i = 0; i < info->num_srcs; i++)
         fits &= !info->src[i].size_variable || (info->src[i].sizes & n);
      if (!info->src[0].size_variable && !info->src[info->num_srcs - 1].size_variable && tried)
         continue;
      if (fits) {
         check(op, (sizes){ n, n });
         tried = true;
      }
   }
   assert_true(tried);
}

static void
for_ops(void (*check)(hd_op op, sizes s), unsigned num_srcs)
{
   for (unsigned op = 1; op < HD_NUM_OPS; op++) {
      const hd_op_info *info = hd_op_get_info((hd_op)op);
      if ((info->flags & HD_OP_COMPONENTWISE) && !(info->flags & HD_OP_SIZED) &&
          info->num_srcs == num_srcs)
         for_sizes((hd_op)op, check);
   }
}

static samples xs, ys;

/* Both operands' samples; fewer random ones where pairs are tried. */
static void
sample_operands(hd_op op, sizes s)
{
   const hd_op_info *info = hd_op_get_info(op);

   make_samples(&xs, bits_of(&info->src[0], s), info->src[0].kind, 30);
   make_samples(&ys, bits_of(&info->src[1], s), info->src[1].kind, 30);
}

static void
fill(lanes *l, uint64_t value)
{
   for (unsigned k = 0; k < LANES; k++)
      l->v[k].u64 = value;
}

/* 16 samples from number `first` on; the last one again past the end. */
static void
fill_from(lanes *l, const samples *s, unsigned first)
{
   for (unsigned k = 0; k < LANES; k++)
      l->v[k].u64 = s->v[first + k < s->count ? first + k : s->count - 1];
}

static unsigned
first_difference(const hd_type_info *type, unsigned bits, const lanes *a, const lanes *b)
{
   for (unsigned k = 0; k < LANES; k++)
      if (!same_value(type->kind, bits, a->v[k].u64, b->v[k].u64))
         return k;
   return LANES;
}

static void
break_law(const char *law, const hd_op_info *info, unsigned bits, uint64_t x, uint64_t y)
{
   fail_msg("%s at %u bits is not %s: 0x%llx, 0x%llx", info->name, bits, law, (unsigned long long)x,
            (unsigned long long)y);
}

/* Laws that hold and are not claimed: all are told before the test fails. */
static unsigned missed;

static void
miss(const char *law, const hd_op_info *info, unsigned bits, unsigned element)
{
   print_error("%s at %u bits is %s (hd_element %u), and the table does not say so\n", info->name,
               bits, law, element);
   missed++;
}

/* Whether swapping the first two operands never matters; *x, *y is where it does. */
static bool
commutes(hd_op op, sizes s, uint64_t third, uint64_t *x, uint64_t *y)
{
   const hd_op_info *info = hd_op_get_info(op);
   const unsigned bits = bits_of(&info->result, s);
   lanes a, b, c, forth, back;

   fill(&c, third);
   for (unsigned i = 0; i < xs.count; i++) {
      fill(&a, xs.v[i]);
      for (unsigned j = 0; j < ys.count; j += LANES) {
         fill_from(&b, &ys, j);
         apply(op, s, 0, (const lanes *[]){ &a, &b, &c }, &forth);
         apply(op, s, 0, (const lanes *[]){ &b, &a, &c }, &back);
         const unsigned k = first_difference(&info->result, bits, &forth, &back);
         if (k < LANES) {
            *x = a.v[k].u64;
            *y = b.v[k].u64;
            return false;
         }
      }
   }
   return true;
}

static void
check_commutative(hd_op op, sizes s)
{
   const hd_op_info *info = hd_op_get_info(op);
   const unsigned bits = bits_of(&info->src[0], s);
   uint64_t x, y;

   if (bits != bits_of(&info->src[1], s) || info->num_srcs > 3)
      return;
   sample_operands(op, s);
   if (info->flags & HD_OP_COMMUTATIVE) {
      const unsigned tries = info->num_srcs == 3 ? 4 : 1;
      for (unsigned i = 0; i < tries; i++)
         if (!commutes(op, s, random64() & low_bits(bits), &x, &y))
            break_law("commutative", info, bits, x, y);
   } else if (info->num_srcs == 2 && info->src[0].kind == info->src[1].kind &&
              commutes(op, s, 0, &x, &y)) {
      fail_msg("%s is commutative at %u bits, and does not say so", info->name, bits);
   }
}

static void
test_commutative(void **state)
{
   (void)state;
   for_ops(check_commutative, 2);
   for_ops(check_commutative, 3);
}

static void
check_elements(hd_op op, sizes s)
{
   const hd_op_info *info = hd_op_get_info(op);
   const unsigned bits = bits_of(&info->result, s);
   const struct law {
      const char *name;
      uint8_t element;
      bool left, absorbs;
   } laws[] = { { "identity", info->identity, false, false },
                { "identity on the left", info->identity_left, true, false },
                { "absorbing", info->absorbing, false, true },
                { "absorbing on the left", info->absorbing_left, true, true } };

   sample_operands(op, s);
   for (unsigned l = 0; l < sizeof laws / sizeof *laws; l++) {
      if (laws[l].element == HD_ELEMENT_NONE)
         continue;
      const unsigned e_bits = bits_of(&info->src[laws[l].left ? 0 : 1], s);
      const samples *others = laws[l].left ? &ys : &xs;
      const uint64_t e = hd_element_value((hd_element)laws[l].element, e_bits);
      lanes element, x, out;
      fill(&element, e);
      for (unsigned i = 0; i < others->count; i += LANES) {
         fill_from(&x, others, i);
         const lanes *srcs[] = { laws[l].left ? &element : &x, laws[l].left ? &x : &element };
         apply(op, s, 0, srcs, &out);
         const unsigned k =
             first_difference(&info->result, bits, &out, laws[l].absorbs ? &element : &x);
         if (k < LANES)
            break_law(laws[l].name, info, bits, x.v[k].u64, e);
      }
   }
}

/* Whether op(x, e), or op(e, x), is x, or e, for every x. */
static bool
element_holds(hd_op op, sizes s, hd_element element, bool left, bool absorbs)
{
   const hd_op_info *info = hd_op_get_info(op);
   const unsigned bits = bits_of(&info->result, s);
   const unsigned e_bits = bits_of(&info->src[left ? 0 : 1], s);
   const unsigned x_bits = bits_of(&info->src[left ? 1 : 0], s);
   const uint64_t e = hd_element_value(element, e_bits);
   const samples *others = left ? &ys : &xs;

   /* Numbers of different sizes are not the same; zeros are as good as that. */
   if (absorbs ? e_bits != bits && e != 0 : x_bits != bits)
      return false;
   for (unsigned i = 0; i < others->count; i++) {
      const uint64_t x = others->v[i];
      const uint64_t r = apply1(op, s, 0, left ? e : x, left ? x : e, 0, 0);
      if (!same_value(info->result.kind, bits, r, absorbs ? e : x))
         return false;
   }
   return true;
}

/* Where the table names no element, none of those that it could name will do. */
static void
check_no_elements(hd_op op, sizes s)
{
   const hd_op_info *info = hd_op_get_info(op);

   if (info->result.kind == HD_KIND_BOOL)
      return;
   sample_operands(op, s);
   for (unsigned law = 0; law < 4; law++) {
      const bool left = law & 1, absorbs = law & 2;
      const uint8_t claimed = absorbs ? (left ? info->absorbing_left : info->absorbing)
                                      : (left ? info->identity_left : info->identity);
      const bool is_float = info->src[left ? 0 : 1].kind == HD_KIND_FLOAT;
      const unsigned first = is_float ? HD_ELEMENT_FLOAT_ZERO : HD_ELEMENT_ZERO;
      /* An op on signs hands NaNs through, which is not to say that it has a law of them. */
      const unsigned last = !is_float                    ? HD_ELEMENT_INT_MAX
                            : info->flags & HD_OP_ROUNDS ? HD_ELEMENT_FLOAT_NAN
                                                         : HD_ELEMENT_FLOAT_NEG_INF;
      for (unsigned e = first; !claimed && e <= last; e++)
         if (element_holds(op, s, (hd_element)e, left, absorbs))
            miss(absorbs ? "absorbing" : "identity", info, bits_of(&info->result, s), e);
   }
}

static void
test_identity_and_absorbing(void **state)
{
   (void)state;
   for_ops(check_elements, 2);
   missed = 0;
   for_ops(check_no_elements, 2);
   assert_int_equal(missed, 0);
}

/* What op(x, x) is claimed to be. */
static uint64_t
same_result(hd_same same, unsigned bits, uint64_t x)
{
   switch (same) {
   case HD_SAME_OPERAND:
      return x;
   case HD_SAME_ONE:
   case HD_SAME_TRUE:
      return 1;
   case HD_SAME_ALL_ONES:
      return low_bits(bits);
   default:
      return 0;
   }
}

static void
check_same(hd_op op, sizes s)
{
   const hd_op_info *info = hd_op_get_info(op);
   const unsigned bits = bits_of(&info->result, s);
   bool operand = true, constant = true;
   uint64_t first = 0;

   if (bits_of(&info->src[0], s) != bits_of(&info->src[1], s))
      return;
   sample_operands(op, s);
   for (unsigned i = 0; i < xs.count; i++) {
      const uint64_t x = xs.v[i], r = apply1(op, s, 0, x, x, 0, 0);
      if (info->same != HD_SAME_UNKNOWN &&
          !same_value(info->result.kind, bits, r, same_result((hd_same)info->same, bits, x)))
         break_law("what it says of equal operands", info, bits, x, r);
      operand &= same_value(info->result.kind, bits, r, x);
      first = i ? first : r;
      constant &= r == first;
   }
   if (info->same == HD_SAME_UNKNOWN && (operand || constant))
      fail_msg("%s of equal operands is known, and the table does not say so", info->name);
}

static void
test_same(void **state)
{
   (void)state;
   for_ops(check_same, 2);
}

static void
check_unary(hd_op op, sizes s)
{
   const hd_op_info *info = hd_op_get_info(op);
   const unsigned bits = bits_of(&info->result, s);
   bool idempotent = true, self_inverse = true;

   if (bits != bits_of(&info->src[0], s))
      return;
   make_samples(&xs, bits, info->src[0].kind, 300);
   for (unsigned i = 0; i < xs.count; i++) {
      const uint64_t x = xs.v[i], once = apply1(op, s, 0, x, 0, 0, 0);
      const uint64_t twice = apply1(op, s, 0, once, 0, 0, 0);
      idempotent &= same_value(info->result.kind, bits, twice, once);
      self_inverse &= same_value(info->result.kind, bits, twice, x);
      if ((info->flags & HD_OP_IDEMPOTENT) && !idempotent)
         break_law("idempotent", info, bits, x, once);
      if ((info->flags & HD_OP_SELF_INVERSE) && !self_inverse)
         break_law("self-inverse", info, bits, x, once);
   }
   /* fcanonicalize changes NaNs and denormals, which laws leave aside: it is no way back. */
   if (op == HD_OP_FCANONICALIZE)
      return;
   if (idempotent != !!(info->flags & HD_OP_IDEMPOTENT) ||
       self_inverse != !!(info->flags & HD_OP_SELF_INVERSE))
      fail_msg("%s has a law that the table does not claim", info->name);
}

static void
test_unary(void **state)
{
   (void)state;
   for_ops(check_unary, 1);
}

static void
check_inverse(hd_op op, sizes s)
{
   const hd_op_info *info = hd_op_get_info(op);
   const bool swaps = info->flags & HD_OP_INVERSE_SWAPS;

   if (!info->inverse)
      return;
   sample_operands(op, s);
   for (unsigned i = 0; i < xs.count; i++) {
      for (unsigned j = 0; j < ys.count; j += LANES) {
         lanes a, b, answer, opposite;
         fill(&a, xs.v[i]);
         fill_from(&b, &ys, j);
         apply(op, s, 0, (const lanes *[]){ &a, &b }, &answer);
         apply((hd_op)info->inverse, s, 0, (const lanes *[]){ swaps ? &b : &a, swaps ? &a : &b },
               &opposite);
         for (unsigned k = 0; k < LANES; k++)
            if (answer.v[k].u64 == opposite.v[k].u64)
               break_law("the opposite of its inverse", info, s.n, a.v[k].u64, b.v[k].u64);
      }
   }
}

static void
test_inverse(void **state)
{
   (void)state;
   for_ops(check_inverse, 2);
}

/* op(op(x, y), z) and op(x, op(y, z)) for one x, one y and all z. */
static bool
associates(hd_op op, sizes s, uint64_t x, uint64_t y, const samples *zs)
{
   const hd_op_info *info = hd_op_get_info(op);
   lanes a, b, c, xy, yz, left, right;

   fill(&a, x);
   fill(&b, y);
   apply(op, s, 0, (const lanes *[]){ &a, &b }, &xy);
   for (unsigned i = 0; i < zs->count; i += LANES) {
      fill_from(&c, zs, i);
      apply(op, s, 0, (const lanes *[]){ &xy, &c }, &left);
      apply(op, s, 0, (const lanes *[]){ &b, &c }, &yz);
      apply(op, s, 0, (const lanes *[]){ &a, &yz }, &right);
      if (first_difference(&info->result, bits_of(&info->result, s), &left, &right) < LANES)
         return false;
   }
   return true;
}

static void
check_associative(hd_op op, sizes s)
{
   const hd_op_info *info = hd_op_get_info(op);
   const unsigned bits = bits_of(&info->result, s);

   for (unsigned i = 0; i < 2; i++)
      if (bits_of(&info->src[i], s) != bits || info->src[i].kind != info->result.kind)
         return;
   bool always = true;
   make_samples(&xs, bits, info->src[0].kind, 4);
   /* At 8 bits all pairs x, y, each with 32 z: all triples would take ten seconds. */
   ys = xs;
   if (xs.count == 256) {
      ys.count = 0;
      for (unsigned i = 0; i < 2 * LANES; i++)
         add_sample(&ys, bits, i < 4 ? i : i < 12 ? 118 + i : i < 16 ? i - 16 : random64());
   }
   for (unsigned i = 0; i < xs.count && always; i++)
      for (unsigned j = 0; j < xs.count && always; j++)
         always &= associates(op, s, xs.v[i], xs.v[j], &ys);
   if (always && !(info->flags & HD_OP_ASSOCIATIVE))
      miss("associative", info, bits, 0);
   if (!always && (info->flags & HD_OP_ASSOCIATIVE))
      fail_msg("%s at %u bits is not associative", info->name, bits);
}

static void
test_associative(void **state)
{
   (void)state;
   missed = 0;
   for_ops(check_associative, 2);
   assert_int_equal(missed, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_commutative), cmocka_unit_test(test_identity_and_absorbing),
      cmocka_unit_test(test_same),        cmocka_unit_test(test_unary),
      cmocka_unit_test(test_inverse),     cmocka_unit_test(test_associative),
   };

   seed_random();
   return cmocka_run_group_tests(tests, NULL, NULL);
}
