/* SPDX-License-Identifier: MIT */
/* machine.c - explorer: machine code after each phase: lines, live registers, finally bytes. */
#include <inttypes.h>
#include <string.h>

#include "explore/explore.h"

static const char *const kinds[HD_NUM_MACHINE_CLASSES] = {
   [HD_MACHINE_SCALAR] = "scalar",   [HD_MACHINE_VECTOR] = "vector", [HD_MACHINE_MEMORY] = "memory",
   [HD_MACHINE_CONTROL] = "control", [HD_MACHINE_WAIT] = "waits",    [HD_MACHINE_PSEUDO] = "pseudo",
};

/* Instructions by their keys. */

static struct key_slot *
find_key(const struct machine *m, const void *key)
{
   uint32_t h = (uint32_t)((uint64_t)(uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15) >> 32);

   while (m->keys[h & (m->num_keys - 1)].key && m->keys[h & (m->num_keys - 1)].key != key)
      h++;
   return &m->keys[h & (m->num_keys - 1)];
}

static void
grow_keys(side *s)
{
   struct machine *m = &s->machine;
   const struct key_slot *old = m->keys;
   const uint32_t num = m->num_keys;

   m->num_keys = num ? 2 * num : 256;
   m->keys = hd_stack_alloc_zero(&s->x->stack, m->num_keys * sizeof(*m->keys));
   for (uint32_t n = 0; n < num; n++) {
      if (old[n].key)
         *find_key(m, old[n].key) = old[n];
   }
}

/* The node of a location of the machine code: labels are those of the newest rows. */
static uint32_t
node_of(const side *s, const hd_shader *shader, uint32_t location)
{
   const uint32_t label = hd_explore_label_of(shader, location);

   return label && label <= s->rows.num ? s->rows.at[label - 1].node : NO_NODE;
}

static uint32_t
inst_of(side *s, const hd_machine_phase *phase, const hd_machine_inst *inst)
{
   struct machine *m = &s->machine;
   struct key_slot *slot = NULL;

   if (inst->key) {
      if (m->insts.num >= m->num_keys / 2)
         grow_keys(s);
      slot = find_key(m, inst->key);
      if (slot->key)
         return slot->number;
      *slot = (struct key_slot){ inst->key, m->insts.num };
   }
   *PUSH(s->x, m->insts) = node_of(s, phase->shader, inst->location);
   return m->insts.num - 1;
}

/* Lines */

static void
write_block(side *s, const hd_machine_phase *phase, const hd_machine_block *block)
{
   hd_blob *line = &s->line;

   line->size = 0;
   hd_blob_printf(line, "[%u,%" PRIu32 ",\"b%" PRIu32 ":\",-1,[", ROW_MACHINE_BLOCK,
                  block->loop_depth, block->number);
   for (uint32_t n = 0; n < block->num_succs; n++)
      hd_blob_printf(line, "%s%" PRIu32, n ? "," : "", phase->blocks[block->succs[n]].number);
   hd_blob_printf(line, "]]");
}

/* Columns of an assembler's text are not kept. */
static void
write_text(side *s, const char *text)
{
   hd_blob *out = &s->scratch;

   out->size = 0;
   for (const char *c = text; *c; c++) {
      if (*c != ' ' || (out->size && c[1] && c[1] != ' '))
         hd_blob_append(out, c, 1);
   }
   hd_blob_json(&s->line, out->data ? out->data : "", out->size);
}

static void
write_inst(side *s, const hd_machine_block *block, const hd_machine_inst *inst, uint32_t number)
{
   hd_blob *line = &s->line;

   line->size = 0;
   hd_blob_printf(line, "[%u,%" PRIu32 ",", ROW_MACHINE_INST, block->loop_depth);
   write_text(s, inst->text);
   hd_blob_printf(line, ",%" PRIu32 ",%u]", number, inst->kind);
}

/* Of the first `num` instructions. */
static void
add_numbers(side *s, const char *name, const hd_machine_phase *phase, uint32_t num, size_t field)
{
   hd_blob_printf(&s->machine.phases, ",\"%s\":[", name);
   for (uint32_t n = 0; n < num; n++) {
      uint32_t value;
      memcpy(&value, (const char *)&phase->insts[n] + field, sizeof(value));
      hd_blob_printf(&s->machine.phases, "%s%" PRIu32, n ? "," : "", value);
   }
   hd_blob_append(&s->machine.phases, "]", 1);
}

static void
add_reads(side *s, const hd_machine_phase *phase, uint32_t num)
{
   hd_blob *out = &s->machine.phases;
   const char *between;

   hd_blob_printf(out, ",\"reads\":[");
   for (uint32_t n = 0; n < num; n++) {
      const hd_machine_inst *inst = &phase->insts[n];
      between = "";
      hd_blob_append(out, n ? ",[" : "[", n ? 2 : 1);
      for (uint32_t k = 0; k < inst->num_reads; k++) {
         if (inst->reads[k] >= num)
            continue;
         hd_blob_printf(out, "%s%" PRIu32, between, inst->reads[k]);
         between = ",";
      }
      hd_blob_append(out, "]", 1);
   }
   hd_blob_append(out, "]", 1);
}

/* How many instructions there was room for. */
static uint32_t
add_lines(side *s, const hd_machine_phase *phase)
{
   const size_t most = hd_explore_room(s->x) / 4 * 3;
   uint32_t num = 0;
   hd_blob *out = &s->machine.phases;
   const uint32_t first = s->runs.num;
   bool cut = false;

   for (uint32_t n = 0; n < phase->num_blocks && !cut; n++) {
      const hd_machine_block *block = &phase->blocks[n];
      write_block(s, phase, block);
      hd_explore_add_line(s, first);
      for (uint32_t k = 0; k < block->num_insts && !cut; k++) {
         const uint32_t number = inst_of(s, phase, &phase->insts[num]);
         write_inst(s, block, &phase->insts[num], number);
         hd_explore_add_line(s, first);
         num++;
         cut = s->lines.size + s->machine.phases.size > most;
      }
   }
   cut = num < phase->num_insts;
   s->left_out |= cut;
   hd_blob_printf(out, "%s,\"lines\":[", cut ? ",\"cut\":true" : "");
   for (uint32_t n = first; n < s->runs.num; n++)
      hd_blob_printf(out, "%s%" PRIu32, n > first ? "," : "", s->runs.at[n]);
   hd_blob_append(out, "]", 1);
   s->runs.num = first;
   return num;
}

static void
add_phase(side *s, const hd_machine_phase *phase, uint64_t nanoseconds)
{
   hd_blob *out = &s->machine.phases;
   uint32_t counts[HD_NUM_MACHINE_CLASSES] = { 0 };
   const bool is_output = !strcmp(phase->name, "output");

   hd_blob_printf(out, "%s{\"name\":\"%s\"", out->size ? ",\n" : "", phase->name);
   if (s->x->options->clock)
      hd_blob_printf(out, ",\"nanoseconds\":%" PRIu64, nanoseconds);
   for (uint32_t n = 0; n < phase->num_insts; n++)
      counts[phase->insts[n].kind]++;
   hd_blob_printf(out, ",\"counts\":[");
   for (unsigned n = 0; n < HD_NUM_MACHINE_CLASSES; n++)
      hd_blob_printf(out, "%s%" PRIu32, n ? "," : "", counts[n]);
   hd_blob_append(out, "]", 1);
   const uint32_t num = add_lines(s, phase);
   for (unsigned file = 0; phase->has_live && num && file < phase->num_files; file++) {
      char name[16];
      snprintf(name, sizeof(name), "live%u", file);
      add_numbers(s, name, phase, num,
                  offsetof(hd_machine_inst, live) + file * sizeof(phase->insts->live[0]));
   }
   if (is_output) {
      s->machine.num_offsets = phase->num_insts;
      s->machine.offsets =
          hd_stack_alloc(&s->x->stack, (phase->num_insts + (size_t)1) * sizeof(uint32_t));
      s->machine.blocks_of =
          hd_stack_alloc_zero(&s->x->stack, (phase->num_insts + (size_t)1) * sizeof(uint32_t));
      for (uint32_t n = 0; n < phase->num_insts; n++)
         s->machine.offsets[n] = phase->insts[n].offset;
      for (uint32_t n = 0; n < phase->num_blocks; n++) {
         for (uint32_t k = 0; k < phase->blocks[n].num_insts; k++)
            s->machine.blocks_of[phase->blocks[n].first_inst + k] = n;
      }
      add_numbers(s, "offsets", phase, num, offsetof(hd_machine_inst, offset));
      add_numbers(s, "sizes", phase, num, offsetof(hd_machine_inst, size));
      add_reads(s, phase, num);
   }
   hd_blob_append(out, "}", 1);
   hd_explore_check(s->x, out);
}

static void
note_machine(side *s, const hd_machine_phase *phase)
{
   struct machine *m = &s->machine;

   m->num_files = phase->num_files;
   for (uint32_t n = 0; n < phase->num_files; n++)
      m->files[n] = phase->files[n];
   if (!phase->num_occupancy || m->num_occupancy)
      return;
   m->occupancy = hd_stack_alloc(&s->x->stack, phase->num_occupancy * sizeof(*m->occupancy));
   memcpy(m->occupancy, phase->occupancy, phase->num_occupancy * sizeof(*m->occupancy));
   m->num_occupancy = phase->num_occupancy;
}

void
hd_explore_before_phase(void *user, const char *name)
{
   side *s = user;

   (void)name;
   s->began = hd_explore_now(s->x);
}

void
hd_explore_end_phase(void *user, const char *name)
{
   side *s = user;

   (void)name;
   s->took = hd_explore_now(s->x) - s->began;
}

/* Nothing may be unwound through the compiler. */
void
hd_explore_after_phase(void *user, const hd_machine_phase *phase)
{
   side *s = user;
   hd_unwind u;

   if (s->failed != HD_OK)
      return;
   if (HD_TRY(&s->x->heap, &u)) {
      note_machine(s, phase);
      add_phase(s, phase, s->took);
   }
   s->failed = hd_heap_leave(&s->x->heap, &u);
   s->began = hd_explore_now(s->x);
}

static void
write_figures(const side *s, hd_blob *out)
{
   hd_explore_statistic figures[HD_EXPLORE_MAX_STATISTICS];
   const unsigned num = s->binary && s->input->measure ? s->input->measure(s->binary, figures) : 0;

   hd_blob_printf(out, ",\"figures\":[");
   for (unsigned n = 0; n < num && n < HD_EXPLORE_MAX_STATISTICS; n++) {
      hd_blob_printf(out, n ? ",[" : "[");
      hd_explore_string(out, figures[n].name);
      hd_blob_printf(out, ",%" PRIu64 "]", figures[n].value);
   }
   hd_blob_append(out, "]", 1);
}

void
hd_explore_write_machine(const side *s, hd_blob *out)
{
   const struct machine *m = &s->machine;

   hd_blob_printf(out, "\"machine\":{\"files\":[");
   for (uint32_t n = 0; n < m->num_files; n++)
      hd_blob_printf(out, "%s\"%s\"", n ? "," : "", m->files[n]);
   hd_blob_printf(out, "],\"classes\":[");
   for (unsigned n = 0; n < HD_NUM_MACHINE_CLASSES; n++)
      hd_blob_printf(out, "%s\"%s\"", n ? "," : "", kinds[n]);
   hd_blob_printf(out, "],\"occupancy\":[");
   for (uint32_t n = 0; n < m->num_occupancy; n++) {
      hd_blob_printf(out, "%s[%" PRIu32, n ? "," : "", m->occupancy[n].waves);
      for (uint32_t file = 0; file < m->num_files; file++)
         hd_blob_printf(out, ",%" PRIu32, m->occupancy[n].registers[file]);
      hd_blob_append(out, "]", 1);
   }
   hd_blob_printf(out, "],\"phases\":[\n");
   hd_blob_append(out, m->phases.data ? m->phases.data : "", m->phases.size);
   hd_blob_printf(out, "],\"insts\":[");
   for (uint32_t n = 0; n < m->insts.num; n++)
      hd_blob_printf(out, "%s%d", n ? "," : "",
                     m->insts.at[n] == NO_NODE ? -1 : (int)m->insts.at[n]);
   hd_blob_printf(out, "]");
   if (s->binary)
      hd_blob_printf(out,
                     ",\"code_size\":%zu,\"shared_size\":%" PRIu32 ",\"scratch_size\":%" PRIu32,
                     s->binary->code_size, s->binary->shared_size, s->binary->scratch_size);
   write_figures(s, out);
   hd_blob_append(out, "}", 1);
}
