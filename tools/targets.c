/* SPDX-License-Identifier: MIT */
/* targets.c - the table of machines, one a backend. */
#include "targets.h"

#include "heddle/config.h"
#include "heddle/target.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct {
   const char *backend;
   const machine *machine;
} machines[] = {
#if HD_HAS_GCN
   { "gcn", &gcn_machine },
#endif
#if HD_HAS_GEN9
   { "gen9", &gen9_machine },
#endif
#if HD_HAS_NYUZI
   { "nyuzi", &nyuzi_machine },
#endif
#if HD_HAS_R700
   { "r700", &r700_machine },
#endif
   { NULL, NULL },
};

const char *const unit_figure_names[NUM_UNIT_FIGURES] = { "valu", "salu",    "smem",  "vmem",
                                                          "lds",  "scratch", "spills" };

static void
print_unknown(const char *name)
{
   const unsigned num = hd_num_targets();
   char list[200] = "";

   if (!num) {
      trouble("this build has no backend: there is no target");
      return;
   }
   for (unsigned n = 0; n < num; n++) {
      const size_t length = strlen(list);
      snprintf(list + length, sizeof(list) - length, "%s%s",
               n == 0        ? ""
               : n + 1 < num ? ", "
                             : " or ",
               hd_target_get_name(hd_target_get(n)));
   }
   trouble("--target is %s, not '%s'", list, name);
}

static const hd_target *
default_target(void)
{
   const hd_target *first = hd_target_get(0);
   const hd_target *target = first ? hd_target_find(machine_of(first)->default_target) : NULL;

   return target ? target : first;
}

const hd_target *
find_target(const tool *t)
{
   const char *name = option_value(t, "target");
   const hd_target *target = name ? hd_target_find(name) : default_target();

   if (!target)
      print_unknown(name ? name : "");
   return target;
}

void
print_targets(void)
{
   const hd_target *target;

   for (unsigned n = 0; (target = hd_target_get(n)); n++) {
      const char *const *lowering = machine_of(target)->lowerings;
      printf("  %-8s %s%s; lowering: ", hd_target_get_name(target),
             hd_target_get_description(target), target == default_target() ? " (default)" : "");
      for (; *lowering; lowering++)
         printf("%s%s", *lowering, lowering[1] ? ", " : "\n");
   }
}

const hd_target *
find_named_target(const char *name)
{
   const hd_target *target = hd_target_find(name);

   if (!target)
      print_unknown(name);
   return target;
}

const machine *
machine_of(const hd_target *target)
{
   unsigned n = 0;

   while (strcmp(machines[n].backend, hd_target_get_backend(target)))
      n++;
   return machines[n].machine;
}

const machine *
find_object_machine(void)
{
   for (unsigned n = 0; machines[n].machine; n++) {
      if (machines[n].machine->run_object)
         return machines[n].machine;
   }
   return NULL;
}

bool
read_level(const tool *t, unsigned *level)
{
   const char *value = option_value(t, "optimize");

   *level = 2;
   if (!value)
      return true;
   if (value[0] < '0' || value[0] > '2' || value[1]) {
      trouble("-O is 0, 1 or 2, not '%s'", value);
      return false;
   }
   *level = (unsigned)(value[0] - '0');
   return true;
}

bool
read_number(const tool *t, const char *name, uint32_t most, uint32_t *out)
{
   const char *value = option_value(t, name);
   char *end;

   if (!value)
      return true;
   unsigned long long n = strtoull(value, &end, 10);
   if (*value < '0' || *value > '9' || *end || n > most) {
      trouble("--%s wants a number up to %u, not '%s'", name, most, value);
      return false;
   }
   *out = (uint32_t)n;
   return true;
}

void
print_after_phase(void *user, const char *phase, const char *text)
{
   const char *wanted = user;

   if (!*wanted || !strcmp(wanted, phase))
      fprintf(stderr, "// after %s\n%s", phase, text);
}

bool
refuse_options(const tool *t, const char *const *names, const hd_target *target)
{
   for (size_t n = 0; names[n]; n++) {
      if (option_given(t, names[n])) {
         trouble("--%s is not for %s", names[n], hd_target_get_name(target));
         return true;
      }
   }
   return false;
}

void
print_step_json(uint32_t workgroup, uint32_t wave, uint64_t pc, uint64_t mask, const char *text)
{
   printf("{\"workgroup\":%" PRIu32 ",\"wave\":%" PRIu32 ",\"pc\":%" PRIu64
          ",\"mask\":\"%016" PRIx64 "\",\"text\":",
          workgroup, wave, pc, mask);
   print_json_string(stdout, text + strspn(text, " "));
   puts("}");
}

unsigned
measure_binary(const hd_target_binary *binary, hd_explore_statistic out[HD_EXPLORE_MAX_STATISTICS])
{
   figures f;
   unsigned num = 0;

   machine_of(binary->target)->count(binary, &f);
   const struct {
      const char *name;
      uint32_t value;
   } rows[] = {
      { "instructions", f.instructions }, { "that only manage lanes", f.mask_instructions },
      { "branches", f.branches },         { "scalar registers", f.scalars },
      { "vector registers", f.vectors },  { "bytes", f.bytes }
   };
   for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++)
      out[num++] = (hd_explore_statistic){ rows[n].name, rows[n].value };
   for (unsigned n = 0; n < NUM_UNIT_FIGURES; n++) {
      if (f.units[n] != NO_FIGURE)
         out[num++] = (hd_explore_statistic){ unit_figure_names[n], f.units[n] };
   }
   return num;
}

hd_result
measure_shader(const hd_target *target, unsigned lowering, const hd_shader *shader,
               const hd_wave_launch *launch, figures *out)
{
   const machine *machine = machine_of(target);
   hd_target_binary *binary = NULL;
   hd_result result = HD_OK;
   void *own = NULL;

   if (machine->create_options)
      result = machine->create_options(shader, launch, lowering, &own);
   if (result == HD_OK)
      result = hd_compile(shader, target, &(hd_compile_options){ .own = own }, &binary);
   if (result == HD_OK)
      machine->count(binary, out);
   hd_target_binary_destroy(binary);
   if (own)
      machine->destroy_options(shader, own);
   return result;
}

void
tell_register(void *user, const hd_wave_register *reg)
{
   hd_explore_trace_register(user, reg);
}

void
tell_store(void *user, const hd_wave_stored *store)
{
   hd_explore_trace_store(user, store);
}
