/* SPDX-License-Identifier: MIT */
/* own_intrinsics.c - the table of a driver's own intrinsics: its checks, its hash, look-ups. */
#include "ir/own_intrinsics.h"

#include "ir/private.h"
#include "util/digest.h"
#include "util/quote.h"

/* Look-ups */

static const hd_intrinsic_table *
table_of(const hd_shader *shader)
{
   return shader->memory->heap.config.intrinsics;
}

const hd_own_intrinsic *
hd_shader_own_intrinsic(const hd_shader *shader, unsigned id)
{
   const hd_intrinsic_table *table = table_of(shader);

   if (!table || id < HD_INTRINSIC_OWN || id - HD_INTRINSIC_OWN >= table->num_rows)
      return NULL;
   return &table->rows[id - HD_INTRINSIC_OWN];
}

const hd_intrinsic_info *
hd_own_shader_info(const hd_shader *shader, unsigned id)
{
   const hd_own_intrinsic *own = hd_shader_own_intrinsic(shader, id);

   return own ? &own->info : hd_intrinsic_get_info(HD_INTRINSIC_NONE);
}

const hd_intrinsic_info *
hd_own_instr_info(const hd_instr *i)
{
   if (!i->block)
      return hd_intrinsic_get_info(HD_INTRINSIC_NONE);
   return hd_own_shader_info(hd_block_function(i->block)->shader, i->op);
}

static int
compare_names(const char *a, size_t a_length, const char *b, size_t b_length)
{
   const int order = memcmp(a, b, a_length < b_length ? a_length : b_length);

   return order ? order : a_length < b_length ? -1 : a_length > b_length;
}

hd_intrinsic_id
hd_shader_find_intrinsic(const hd_shader *shader, const char *name, size_t length)
{
   const hd_intrinsic_id id = hd_intrinsic_from_name(name, length);
   const hd_intrinsic_table *table = table_of(shader);

   if (id != HD_INTRINSIC_NONE || !table)
      return id;
   for (uint32_t low = 0, high = table->num_rows; low < high;) {
      const uint32_t middle = low + (high - low) / 2;
      const hd_intrinsic_info *info = &table->rows[middle].info;
      const int order = compare_names(name, length, info->name, info->name_length);
      if (!order)
         return (hd_intrinsic_id)(HD_INTRINSIC_OWN + middle);
      if (order < 0)
         high = middle;
      else
         low = middle + 1;
   }
   return HD_INTRINSIC_NONE;
}

static void
refuse_intrinsic(const hd_function *f, const hd_instr *i, const hd_diag_sink *sink)
{
   char message[200];

   snprintf(message, sizeof(message),
            "function '@%.100s': no intrinsic has the number %u in this shader", f->name, i->op);
   hd_diag_send(sink, &(hd_diag){ .severity = HD_ERROR, .rule = "OP1", .message = message });
}

void
hd_refuse_intrinsic(const hd_function *f, const hd_instr *i)
{
   refuse_intrinsic(f, i, &hd_shader_config(f->shader)->diag);
}

/* A run of passes begins with this walk: it shall not cost a call a block. */
static inline const hd_cf_node *
next_node(const hd_cf_node *n)
{
   if (n->kind == HD_CF_BLOCK)
      return n->next ? n->next : hd_cf_node_next(n);
   return n->kind == HD_CF_IF ? hd_node_as_if(n)->then_list.first : hd_node_as_loop(n)->body.first;
}

bool
hd_knows_intrinsics(const hd_shader *shader, const hd_diag_sink *sink)
{
   hd_foreach_function(f, shader) {
      for (const hd_cf_node *n = f->body.first; n; n = next_node(n)) {
         const hd_block *b = hd_node_as_block(n);
         for (const hd_instr *i = b ? b->first : NULL; i; i = i->next) {
            if (i->kind != HD_INSTR_INTRINSIC || hd_knows_intrinsic(shader, i))
               continue;
            refuse_intrinsic(f, i, sink);
            return false;
         }
      }
   }
   return true;
}

/* What distinguishes tables */

static void
add_string(hd_digest *d, const char *string)
{
   hd_digest_add(d, string, strlen(string) + 1);
}

static void
add_type(hd_digest *d, const hd_type_info *type)
{
   const uint8_t fields[] = {
      type->kind,           type->sizes,          (uint8_t)type->size_variable,
      type->min_components, type->max_components, type->linked,
      type->flags,
   };

   add_string(d, type->name ? type->name : "");
   hd_digest_add(d, fields, sizeof(fields));
}

/* Numbers of indices and their values differ from version to version; their names do not. */
static void
add_index(hd_digest *d, hd_index index)
{
   const hd_index_info *info = hd_index_get_info(index);

   add_string(d, info->name);
   hd_digest_add_u64(d, info->kind);
   for (uint32_t n = 0; n < info->num_values; n++)
      add_string(d, info->values[n].name);
}

static void
add_row(hd_digest *d, const hd_intrinsic_info *info)
{
   add_string(d, info->name);
   hd_digest_add_u64(d, info->flags);
   hd_digest_add_u64(d, (uint64_t)info->reads << 32 | info->writes);
   hd_digest_add_u64(d, (uint64_t)info->divergence << 16 | info->helpers << 8 | info->stages);
   hd_digest_add_u64(d, (uint64_t)info->num_srcs << 8 | info->num_indices);
   for (unsigned n = 0; n < info->num_srcs; n++)
      add_type(d, &info->src[n]);
   for (unsigned n = 0; n < info->num_indices; n++)
      add_index(d, (hd_index)info->indices[n]);
   if (info->flags & HD_HAS_RESULT)
      add_type(d, &info->result);
}

hd_hash
hd_intrinsic_table_hash(const hd_intrinsic_table *table)
{
   hd_hash hash = { { 0 } };
   hd_digest d;

   if (!table || !table->num_rows)
      return hash;
   hd_digest_init(&d, 0, 0);
   for (uint32_t n = 0; n < table->num_rows; n++)
      add_row(&d, &table->rows[n].info);
   hd_digest_finish(&d, hash.bytes);
   return hash;
}

bool
hd_same_intrinsics(const hd_shader *a, const hd_shader *b)
{
   const hd_intrinsic_table *of_a = table_of(a), *of_b = table_of(b);

   if (of_a == of_b)
      return true;
   const hd_hash hash_a = hd_intrinsic_table_hash(of_a), hash_b = hd_intrinsic_table_hash(of_b);
   return !memcmp(hash_a.bytes, hash_b.bytes, sizeof(hash_a.bytes));
}

/* What a row must obey: as src/codegen/ir/schema.py has it for the library's own. Each gives what
 * is wrong, or NULL.
 */

#define MEMORY_NEVER_WRITTEN                                                                       \
   (HD_MEMORY_PUSH | HD_MEMORY_KERNARG | HD_MEMORY_CONSTANT | HD_MEMORY_INPUT)
#define EFFECTS (HD_EFFECT_WRITE | HD_EFFECT_BARRIER | HD_EFFECT_DEMOTE)

/* Lower-case words joined by underscores. */
static bool
is_name(const char *name)
{
   bool begins = true;
   size_t length = 0;

   for (; name[length]; length++) {
      const char c = name[length];
      const bool letter = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
      if (!letter && (begins ? !digit || !length : !digit && c != '_'))
         return false;
      begins = c == '_';
   }
   return length && !begins && length <= UINT8_MAX;
}

static bool
is_word_of_text(const char *name)
{
   static const char words[][10] = {
      "const",  "phi",  "undef",    "call",    "load_var", "store_var", "break",     "continue",
      "return", "halt", "goto",     "goto_if", "switch",   "if",        "else",      "loop",
      "var",    "flat", "function", "shader",  "in",       "header",    "continues",
   };

   for (size_t n = 0; n < sizeof(words) / sizeof(words[0]); n++) {
      if (!strcmp(name, words[n]))
         return true;
   }
   /* The name of a block. */
   return name[0] == 'b' && name[1] && !name[1 + strspn(name + 1, "0123456789")];
}

static const char *
fault_of_name(const hd_intrinsic_info *info, const hd_intrinsic_info *before)
{
   if (!info->name || !is_name(info->name))
      return "its name is not lower-case words joined by underscores";
   if (info->name_length != strlen(info->name))
      return "name_length is not the length of its name";
   if (hd_op_from_name(info->name, info->name_length) != HD_OP_NONE)
      return "an op has this name";
   if (hd_intrinsic_from_name(info->name, info->name_length) != HD_INTRINSIC_NONE)
      return "an intrinsic of the library has this name";
   if (is_word_of_text(info->name))
      return "this name is a word of the text form";
   if (before && strcmp(before->name, info->name) >= 0)
      return "its name does not come after that of the row before, in ascending order";
   return NULL;
}

static const char *
fault_of_type(const hd_type_info *type)
{
   if (type->kind > HD_KIND_RAW)
      return "has a kind that is none";
   const unsigned sizes = type->kind == HD_KIND_FLOAT  ? 16 | 32 | 64
                          : type->kind == HD_KIND_BOOL ? 1
                          : type->kind == HD_KIND_RAW  ? 1 | 8 | 16 | 32 | 64
                                                       : 8 | 16 | 32 | 64;
   if (!type->sizes || type->sizes & ~sizes)
      return "has no size, or one that its kind cannot have";
   if (type->size_variable && (type->size_variable < 'A' || type->size_variable > 'Z'))
      return "has a size variable that is no capital letter";
   if (!type->min_components || type->min_components > type->max_components ||
       type->max_components > HD_MAX_COMPONENTS)
      return "has a number of components that cannot be";
   return NULL;
}

/* One size variable stands for the same sizes everywhere. */
static bool
variables_agree(const hd_type_info *a, const hd_type_info *b)
{
   return !a->size_variable || a->size_variable != b->size_variable || a->sizes == b->sizes;
}

static const char *
fault_of_operand(const hd_intrinsic_info *info, unsigned n)
{
   const hd_type_info *type = &info->src[n];
   const char *fault = fault_of_type(type);

   if (fault)
      return fault;
   if (!type->name || !is_name(type->name))
      return "has a name that is not lower-case words joined by underscores";
   if (type->flags & ~(HD_OPERAND_UNIFORM | HD_OPERAND_DESCRIPTOR | HD_OPERAND_DEFINED))
      return "has flags that do not exist";
   if (type->flags & HD_OPERAND_DESCRIPTOR && !info->slots[HD_INDEX_ACCESS])
      return "is a descriptor, which needs the index access";
   for (unsigned k = 0; k < n; k++) {
      if (!strcmp(type->name, info->src[k].name))
         return "has the name of another";
      if (!variables_agree(type, &info->src[k]))
         return "has another size than its size variable has elsewhere";
   }
   return NULL;
}

static const char *
fault_of_indices(const hd_intrinsic_info *info)
{
   unsigned slots = 0;

   if (info->num_indices > HD_MAX_INDICES)
      return "it has too many indices";
   for (unsigned n = 0; n < info->num_indices; n++) {
      if (info->indices[n] >= HD_NUM_INDICES)
         return "it has an index that does not exist";
      if (info->slots[info->indices[n]] != n + 1)
         return "slots does not say where each index is";
   }
   for (unsigned n = 0; n < HD_NUM_INDICES; n++)
      slots += info->slots[n] != 0;
   return slots != info->num_indices ? "slots has what indices does not" : NULL;
}

static const char *
fault_of_divergence(const hd_intrinsic_info *info)
{
   if (info->divergence > HD_DIVERGENCE_CLUSTER)
      return "its divergence is none";
   if ((info->divergence == HD_DIVERGENCE_NONE) == (info->flags & HD_HAS_RESULT ? true : false))
      return "divergence is said exactly if there is a result";
   if (info->divergence == HD_DIVERGENCE_MEMORY && (!info->reads || !info->slots[HD_INDEX_ACCESS]))
      return "divergence by memory needs reads and the index access";
   if (info->divergence == HD_DIVERGENCE_CLUSTER && !info->slots[HD_INDEX_CLUSTER_SIZE])
      return "divergence by cluster needs the index cluster_size";
   return NULL;
}

static const char *
fault_of_effects(const hd_intrinsic_info *info)
{
   const unsigned speculate = info->flags & (HD_CAN_SPECULATE | HD_CAN_SPECULATE_BY_ACCESS);

   if ((info->reads | info->writes) & ~HD_MEMORY_ALL)
      return "it reads or writes a class of memory that does not exist";
   if (info->writes & MEMORY_NEVER_WRITTEN)
      return "it writes memory that is never written";
   if (!(info->flags & HD_EFFECT_WRITE) != !(info->writes & ~HD_MEMORY_HELPER) ||
       !(info->flags & HD_EFFECT_DEMOTE) != !(info->writes & HD_MEMORY_HELPER))
      return "its effects do not fit what it writes";
   if (!(info->flags & HD_CAN_ELIMINATE) != !!(info->flags & EFFECTS))
      return "it can be eliminated exactly if it has no effect";
   if (speculate && info->flags & (EFFECTS | HD_CROSS_LANE))
      return "what has an effect or reads other lanes cannot be speculated";
   if (info->flags & HD_CAN_SPECULATE && info->reads)
      return "reading memory is never safe for all lanes";
   if (info->flags & HD_CAN_SPECULATE_BY_ACCESS && !info->slots[HD_INDEX_ACCESS])
      return "speculation by access needs the index access";
   for (unsigned n = 0; n < info->num_srcs; n++) {
      if (info->flags & HD_CAN_SPECULATE && info->src[n].flags & HD_OPERAND_DEFINED)
         return "an operand that must be defined need not be for lanes that did not ask";
   }
   return NULL;
}

static const char *
fault_of_helpers(const hd_intrinsic_info *info)
{
   const bool writes = info->flags & HD_EFFECT_WRITE;
   const unsigned skip = info->writes == HD_MEMORY_SCRATCH ? HD_HELPER_RUN : HD_HELPER_SKIP;

   if (info->helpers > HD_HELPER_NEEDED)
      return "what helper lanes do is none";
   if (writes && info->helpers != skip)
      return "helper lanes skip what writes, but to their own memory";
   if (info->helpers == HD_HELPER_UNCOUNTED && !(info->reads & HD_MEMORY_HELPER))
      return "what does not count helper lanes reads which they are";
   if (info->helpers >= HD_HELPER_UNCOUNTED && !(info->flags & HD_CROSS_LANE))
      return "only what reads other lanes counts or needs helper lanes";
   if (!info->stages || info->stages & ~HD_ALL_STAGES)
      return "its stages are none";
   return NULL;
}

static const char *
fault_of_row(const hd_intrinsic_info *info, const hd_intrinsic_info *before, int *operand)
{
   const unsigned all = HD_CROSS_LANE | EFFECTS | HD_CAN_ELIMINATE | HD_CAN_SPECULATE |
                        HD_CAN_SPECULATE_BY_ACCESS | HD_HAS_RESULT;
   const char *fault = fault_of_name(info, before);

   *operand = -1;
   if (fault)
      return fault;
   if (info->flags & ~all)
      return "it has flags that do not exist";
   if (info->num_srcs > HD_MAX_INTRINSIC_SRCS)
      return "it has too many operands";
   if (info->num_srcs && !info->src)
      return "its operands are not given";
   fault = fault_of_indices(info);
   if (fault)
      return fault;
   for (unsigned n = 0; n < info->num_srcs; n++) {
      fault = fault_of_operand(info, n);
      *operand = (int)n;
      if (fault)
         return fault;
      if (info->flags & HD_HAS_RESULT && !variables_agree(&info->src[n], &info->result))
         return "has another size than its size variable has in the result";
   }
   *operand = HD_MAX_INTRINSIC_SRCS;
   fault = info->flags & HD_HAS_RESULT ? fault_of_type(&info->result) : NULL;
   if (fault)
      return fault;
   *operand = -1;
   fault = fault_of_divergence(info);
   if (!fault)
      fault = fault_of_effects(info);
   return fault ? fault : fault_of_helpers(info);
}

static hd_result
refuse_table(hd_diag_sink sink, const char *message)
{
   hd_diag_send(&sink, &(hd_diag){ .severity = HD_ERROR, .message = message });
   return HD_INVALID;
}

hd_result
hd_intrinsic_table_check(const hd_intrinsic_table *table, hd_diag_sink sink)
{
   const hd_intrinsic_info *before = NULL;
   char message[400], place[32] = "";

   if (!table)
      return HD_OK;
   if (table->num_rows > HD_MAX_OWN_INTRINSICS)
      return refuse_table(sink, "the table of intrinsics has too many rows");
   if (table->num_rows && !table->rows)
      return refuse_table(sink, "the table of intrinsics has no rows");
   for (uint32_t n = 0; n < table->num_rows; n++) {
      const hd_intrinsic_info *info = &table->rows[n].info;
      int operand;
      const char *fault = fault_of_row(info, before, &operand);
      if (!fault) {
         before = info;
         continue;
      }
      if (operand == HD_MAX_INTRINSIC_SRCS)
         snprintf(place, sizeof(place), "the result ");
      else if (operand >= 0)
         snprintf(place, sizeof(place), "operand %d ", operand);
      snprintf(message, sizeof(message), "row %u of the table of intrinsics, '%.100s': %s%s",
               (unsigned)n, info->name ? info->name : "", place, fault);
      return refuse_table(sink, message);
   }
   return HD_OK;
}
