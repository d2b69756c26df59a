/* SPDX-License-Identifier: MIT */
/* opt_vars_to_constants.c - move arrays of constants to the constant data of the shader.
 *
 *    store_var $x, 10, 0                constants "0a000000 ff000000 07000000 ..."
 *    store_var $x, 255, 1
 *    store_var $x, 7, 2            =>
 *    ...
 *    %2 = load_var $x, %i               %3 = ishl %i, 2
 *                                       %2 = load_constant %3 align_mul=4
 *
 *    (elements 0 to 3 are 2, 1, 3, 0)   %3 = ishl %i, 1
 *    %2 = load_var $x, %i          =>   %4 = ushr 0b00110110, %3
 *                                       %2 = iand %4, 3
 *
 * An array is constant if only constants are stored to it, at constant indices, and no two
 * different ones at one index. When they are stored does not matter: a load before the store is
 * undefined, and may give what will be stored. Small elements are packed into one word, as in the
 * lower drawing, if all fit. Of the others, the larger arrays go to memory; lower_vars_to_selects
 * takes the small ones. Equal tables are merged. For eight elements with a divergent index, a load
 * takes half of the cycles of the selects if other waves hide its latency, and almost twice as many
 * in a wave that is alone.
 *
 * Requires:  valid IR, nothing more.
 * Preserves: all that depends on the graph alone.
 * Leaves:    arrays with fewer components than `components`; arrays that would make the constant
 *            data of the shader larger than `bytes`.
 * Tests:     tests/passes/opt_vars_to_constants.hd, tests/passes/test_run.c
 */
#include "analysis/known_bits.h"
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "passes/lower.h"
#include "passes/vars.h"
#include "util/digest.h"

#define MOST_ALIGN 16u
/* Elements that nothing is stored to may be so many, and as many as those that something is. */
#define MOST_UNSTORED 64u
/* Each component takes three instructions; a load takes two, and its time. */
#define MOST_FIELDS 2u

enum kind { STAYS, ONE_VALUE, PACKED, IN_MEMORY };

/* A component of all elements as fields of a word: `bias` is added to each. */
struct fields {
   uint64_t word;
   uint64_t bias;
   uint8_t width; /* of a field: a power of two */
   bool wide;     /* the word has 64 bits */
};

struct table {
   const hd_var *var;
   bool found;   /* so far, it is one */
   bool dynamic; /* an element is read that is not known */
   uint32_t num_stores;
   uint64_t *values; /* element by element, component by component */
   bool *stored;     /* by element */
   uint8_t kind;
   struct fields fields[HD_MAX_COMPONENTS];
   uint8_t *bytes;
   uint64_t num_bytes, digest;
   uint32_t stride, align, address;
};

struct state {
   hd_function *f;
   hd_stack *stack;
   const opt_vars_to_constants_options *options;
   struct table *tables; /* by variable's index */
   uint32_t num;
   struct table **slots; /* tables in memory, by digest: open addressing */
   uint32_t mask;
   hd_undefs undefs;
};

/* Finding them */

static bool
is_undef(const hd_src *src)
{
   return hd_def_instr(src->def)->kind == HD_INSTR_UNDEF;
}

static void
look_at(struct state *s, const hd_var_access *access)
{
   struct table *t = &s->tables[access->var->index];
   const bool known = var_const_index(access) != NULL;

   if (access->instr.kind == HD_INSTR_LOAD_VAR) {
      t->dynamic |= !known;
      return;
   }
   t->num_stores++;
   t->found &= known && (hd_src_as_const(&access->src[0]) || is_undef(&access->src[0]));
}

static void
look_at_store(struct state *s, const hd_var_access *store)
{
   struct table *t = &s->tables[store->var->index];
   const hd_const *value = hd_src_as_const(&store->src[0]);
   const uint32_t element = var_const_index(store)->value[0].u32;
   const unsigned components = store->var->num_components;

   if (!value || element >= store->var->array_length)
      return;
   uint64_t *to = &t->values[(size_t)element * components];
   for (unsigned c = 0; c < components; c++) {
      t->found &= !t->stored[element] || to[c] == hd_lower_const(value, c);
      to[c] = hd_lower_const(value, c);
   }
   t->stored[element] = true;
}

/* True if there is any. */
static bool
find_tables(struct state *s)
{
   bool arrays = false, any = false;

   hd_foreach_var(var, s->f) {
      s->tables[var->index] = (struct table){ .var = var, .found = var->array_length != 0 };
      arrays |= var->array_length != 0;
   }
   if (!arrays)
      return false;
   hd_foreach_block(b, s->f) {
      hd_foreach_instr(i, b) {
         const hd_var_access *access = hd_instr_as_var_access(i);
         pass_step(s->f, 1);
         if (access && access->var->array_length)
            look_at(s, access);
      }
   }
   hd_foreach_var(var, s->f) {
      struct table *t = &s->tables[var->index];
      t->found &= t->dynamic && t->num_stores &&
                  var->array_length <= 2 * (uint64_t)t->num_stores + MOST_UNSTORED;
      if (!t->found)
         continue;
      any = true;
      t->values = hd_stack_alloc_zero(s->stack, (size_t)var->array_length * var->num_components *
                                                    sizeof(*t->values));
      t->stored = hd_stack_alloc_zero(s->stack, var->array_length);
   }
   if (!any)
      return false;
   hd_foreach_block(b, s->f) {
      hd_foreach_instr(i, b) {
         const hd_var_access *access = hd_instr_as_var_access(i);
         if (access && i->kind == HD_INSTR_STORE_VAR && s->tables[access->var->index].found)
            look_at_store(s, access);
      }
   }
   return true;
}

/* Deciding what becomes of them */

static int64_t
sign_extend(uint64_t value, unsigned bits)
{
   return bits == 64 ? (int64_t)value : (int64_t)(value << (64 - bits)) >> (64 - bits);
}

/* The least value and how far the others are above it, by whichever order that is less. */
static uint64_t
spread(const struct table *t, unsigned c, uint64_t *least)
{
   const hd_var *var = t->var;
   uint64_t low = 0, high = 0;
   int64_t lowest = 0, highest = 0;
   bool any = false;

   for (uint32_t n = 0; n < var->array_length; n++) {
      const uint64_t u = t->values[(size_t)n * var->num_components + c];
      const int64_t i = sign_extend(u, var->bit_size);
      if (!t->stored[n])
         continue;
      low = any && low < u ? low : u;
      high = any && high > u ? high : u;
      lowest = any && lowest < i ? lowest : i;
      highest = any && highest > i ? highest : i;
      any = true;
   }
   const uint64_t by_sign = (uint64_t)highest - (uint64_t)lowest;
   *least = high - low <= by_sign ? low : (uint64_t)lowest;
   return high - low <= by_sign ? high - low : by_sign;
}

/* Whether all elements have room in a word; the difference takes an instruction, where it does not
 * make the fields smaller there is none.
 */
static bool
pack(const struct state *s, struct table *t, unsigned c, uint64_t least, uint64_t most)
{
   const hd_var *var = t->var;
   struct fields *f = &t->fields[c];
   unsigned width = 1;

   if (var->bit_size > 32)
      return false;
   while (most >> width)
      width *= 2;
   const uint64_t bits = (uint64_t)width * var->array_length;
   /* Two words in one are no better than a select. */
   if (width > 16 || bits > s->options->word)
      return false;
   if (least <= ~most && !((least + most) >> width))
      least = 0;
   *f = (struct fields){ .bias = least, .width = (uint8_t)width, .wide = bits > 32 };
   for (uint32_t n = 0; n < var->array_length; n++) {
      const uint64_t value = t->values[(size_t)n * var->num_components + c] - least;
      if (t->stored[n])
         f->word |= (value & ((UINT64_C(1) << width) - 1)) << (n * width);
   }
   return true;
}

static unsigned
bytes_of_component(const hd_var *var)
{
   return var->bit_size == 1 ? 1 : var->bit_size / 8u;
}

/* Elements take a power of two of bytes, or a multiple of 16. */
static void
lay_out(struct state *s, struct table *t)
{
   const hd_var *var = t->var;
   const unsigned size = bytes_of_component(var), element = size * var->num_components;
   hd_digest d;
   uint8_t sum[HD_DIGEST_SIZE];

   for (t->align = 1; t->align < element && t->align < MOST_ALIGN;)
      t->align *= 2;
   t->stride = (element + t->align - 1) & ~(t->align - 1);
   t->num_bytes = (uint64_t)t->stride * var->array_length;
   if (s->f->shader->constants_size + t->num_bytes + MOST_ALIGN > s->options->bytes)
      return;
   t->kind = IN_MEMORY;
   t->bytes = hd_stack_alloc_zero(s->stack, (size_t)t->num_bytes);
   for (uint32_t n = 0; n < var->array_length; n++) {
      for (unsigned c = 0; c < var->num_components; c++) {
         const uint64_t value = t->values[(size_t)n * var->num_components + c];
         for (unsigned byte = 0; byte < size; byte++)
            t->bytes[(size_t)n * t->stride + c * size + byte] = (uint8_t)(value >> 8 * byte);
      }
   }
   hd_digest_init(&d, t->align, 0);
   hd_digest_add(&d, t->bytes, (size_t)t->num_bytes);
   hd_digest_finish(&d, sum);
   memcpy(&t->digest, sum, sizeof(t->digest));
}

/* Where it is: after what the shader has, or where an equal one is. */
static void
place(struct state *s, struct table *t)
{
   uint32_t n = (uint32_t)t->digest & s->mask;

   for (; s->slots[n]; n = (n + 1) & s->mask) {
      const struct table *other = s->slots[n];
      if (other->digest == t->digest && other->align == t->align &&
          other->num_bytes == t->num_bytes &&
          !memcmp(other->bytes, t->bytes, (size_t)t->num_bytes)) {
         t->address = other->address;
         return;
      }
   }
   s->slots[n] = t;
   t->address = hd_shader_add_constants(s->f->shader, t->bytes, (uint32_t)t->num_bytes, t->align);
}

static void
decide(struct state *s, struct table *t)
{
   const hd_var *var = t->var;
   bool one = true, packed = true;

   for (unsigned c = 0; c < var->num_components && (one || packed); c++) {
      uint64_t least;
      const uint64_t most = spread(t, c, &least);
      one &= most == 0;
      packed &= c < MOST_FIELDS && pack(s, t, c, least, most);
   }
   t->kind = one ? ONE_VALUE : packed ? PACKED : STAYS;
   if (t->kind != STAYS)
      return;
   if ((uint64_t)var->array_length * var->num_components < s->options->components)
      return;
   lay_out(s, t);
   if (t->kind == IN_MEMORY)
      place(s, t);
}

/* Loads */

static hd_def *
build_constant(hd_builder *b, const hd_var *var, const uint64_t *values)
{
   hd_const_value constants[HD_MAX_COMPONENTS] = { 0 };

   for (unsigned c = 0; c < var->num_components; c++)
      constants[c].u64 = values[c];
   return hd_imm(b, var->num_components, var->bit_size, constants);
}

static unsigned
log2_of(uint32_t power)
{
   unsigned n = 0;

   while (power >> (n + 1))
      n++;
   return n;
}

static hd_def *
times(hd_builder *b, hd_def *index, uint32_t by)
{
   if (by == 1)
      return index;
   if (by & (by - 1))
      return hd_imul(b, index, hd_imm_u32(b, by));
   return hd_ishl(b, index, hd_imm_u32(b, log2_of(by)));
}

static hd_def *
build_field(hd_builder *b, const hd_var *var, const struct fields *f, hd_def *index)
{
   hd_def *word = hd_imm_uint(b, f->wide ? 64 : 32, f->word);
   hd_def *value = hd_ushr(b, word, times(b, index, f->width));

   if (f->wide)
      value = hd_u2u(b, value, 32);
   value = hd_iand(b, value, hd_imm_u32(b, (UINT32_C(1) << f->width) - 1));
   if (var->bit_size == 1)
      return hd_ine(b, value, hd_imm_u32(b, 0));
   if (f->bias)
      value = hd_iadd(b, value, hd_imm_u32(b, (uint32_t)f->bias));
   return var->bit_size == 32 ? value : hd_u2u(b, value, var->bit_size);
}

static hd_def *
build_fields(hd_builder *b, const struct table *t, hd_def *index)
{
   hd_def *parts[HD_MAX_COMPONENTS];

   for (unsigned c = 0; c < t->var->num_components; c++)
      parts[c] = build_field(b, t->var, &t->fields[c], index);
   return hd_build_vec(b, t->var->num_components, parts);
}

static hd_def *
build_load(hd_builder *b, const struct table *t, hd_def *index)
{
   const hd_var *var = t->var;
   const bool inside = hd_known_most(hd_known_bits_of(index), 32) < var->array_length;
   hd_def *address = times(b, index, t->stride);
   const unsigned bits = var->bit_size == 1 ? 8 : var->bit_size;
   hd_def *value = hd_load_constant(b, address, var->num_components, bits, (int32_t)t->address,
                                    t->align, 0, inside ? HD_ACCESS_SPECULATABLE : 0);

   return var->bit_size == 1 ? hd_ine(b, value, hd_lower_imm_like(b, value, 0)) : value;
}

static void
replace_load(struct state *s, const struct table *t, hd_var_access *load)
{
   const hd_const *constant = var_const_index(load);
   const uint32_t element = constant ? constant->value[0].u32 : 0;
   const uint32_t first_new = s->f->num_defs;
   hd_builder b = hd_builder_at(hd_before_instr(&load->instr));
   hd_def *index = load->src[0].def, *by;

   b.loc = load->instr.loc;
   if (constant && (element >= t->var->array_length || !t->stored[element])) {
      hd_var_remove_access(&s->undefs, load);
      return;
   }
   if (constant || t->kind == ONE_VALUE) {
      uint32_t n = element;
      while (!constant && n + 1 < t->var->array_length && !t->stored[n])
         n++;
      by = build_constant(&b, t->var, &t->values[(size_t)n * t->var->num_components]);
   } else {
      by = t->kind == PACKED ? build_fields(&b, t, index) : build_load(&b, t, index);
   }
   hd_lower_replace(&load->instr, by, first_new);
   assert(b.result == HD_OK);
}

static void
replace_accesses(struct state *s)
{
   hd_foreach_block(b, s->f) {
      hd_foreach_instr_safe(i, b) {
         hd_var_access *access = hd_instr_as_var_access(i);
         pass_step(s->f, 1);
         if (!access || s->tables[access->var->index].kind == STAYS)
            continue;
         if (i->kind == HD_INSTR_STORE_VAR)
            hd_instr_remove(i);
         else
            replace_load(s, &s->tables[access->var->index], access);
      }
   }
}

bool
hd_opt_vars_to_constants(hd_function *f, const opt_vars_to_constants_options *o)
{
   struct state s = { .f = f, .stack = hd_shader_stack(f->shader), .options = o };
   bool progress = false;

   s.num = f->num_vars;
   s.tables = hd_stack_alloc_zero(s.stack, (s.num + 1) * sizeof(*s.tables));
   if (!find_tables(&s))
      return hd_progress(f, false, OPT_VARS_TO_CONSTANTS_KEEPS);
   s.mask = 1;
   while (s.mask < 2 * s.num)
      s.mask = 2 * s.mask + 1;
   s.slots = hd_stack_alloc_zero(s.stack, (s.mask + 1) * sizeof(*s.slots));
   for (uint32_t n = 0; n < s.num; n++) {
      if (s.tables[n].found)
         decide(&s, &s.tables[n]);
      progress |= s.tables[n].kind != STAYS;
   }
   if (!progress)
      return hd_progress(f, false, OPT_VARS_TO_CONSTANTS_KEEPS);
   hd_undefs_init(&s.undefs, f);
   replace_accesses(&s);
   for (hd_var *var = f->first_var, *next; var; var = next) {
      next = var->next;
      if (s.tables[var->index].kind != STAYS)
         hd_var_remove(f, var);
   }
   return hd_progress(f, true, OPT_VARS_TO_CONSTANTS_KEEPS);
}
