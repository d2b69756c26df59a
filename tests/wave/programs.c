/* SPDX-License-Identifier: MIT */
#include "support/test.h"

#include "programs.h"

#include <stdio.h>
#include <string.h>

void
put_head(bool flat)
{
   length = 0;
   put("shader compute \"t\" {\n%s function @main {\n var $k:32\n b0:\n"
       "%%zero:32 = const 0\n%%one:32 = const 1\n%%four:32 = const 4\n%%sixteen:32 = const 16\n"
       "%%true:1 = const true\n%%false:1 = const false\n"
       "%%l:32 = subgroup_invocation\n%%at:32 = imul %%l, %%four\n"
       "%%word:32 = load_buffer %%zero, %%at\nstore_var $k, %%zero\n",
       flat ? "flat" : "");
}

void
put_decision(unsigned number, bool later)
{
   const unsigned n = number;

   put("%%k%u:32 = load_var $k\n%%s%u:32 = ushr %%word, %%k%u\n%%t%u:32 = iand %%s%u, %%one\n"
       "%%d%u:1 = ine %%t%u, %%zero\n%%e%u:1 = ult %%k%u, %%sixteen\n"
       "%%c%u:1 = select %%e%u, %%d%u, %%%s\n%%n%u:32 = iadd %%k%u, %%one\nstore_var $k, %%n%u\n",
       n, n, n, n, n, n, n, n, n, n, n, n, later ? "true" : "false", n, n, n);
}

/* By widening rings around the exit. */
bool
first_is_nearer(const struct graph *g, int b)
{
   int distance[8];

   for (int n = 0; n < 8; n++)
      distance[n] = n == g->num + 1 ? 0 : 100;
   for (int round = 0; round <= g->num; round++) {
      for (int n = 1; n <= g->num; n++) {
         for (int k = 0; k < g->list[n].num; k++) {
            if (distance[g->list[n].succ[k]] + 1 < distance[n])
               distance[n] = distance[g->list[n].succ[k]] + 1;
         }
      }
   }
   return distance[g->list[b].succ[0]] <= distance[g->list[b].succ[1]];
}

void
put_graph(const struct graph *g, uint64_t *declare)
{
   put_head(true);
   put("goto b1\n");
   for (int n = 1; n <= g->num; n++) {
      put("b%d", n);
      if (declare && next_random(declare, 4) == 0)
         put(" header");
      if (declare && next_random(declare, 3) == 0)
         put(" in b%u", 1 + next_random(declare, (uint32_t)g->num));
      if (declare && next_random(declare, 5) == 0)
         put(" continues b%u", 1 + next_random(declare, (uint32_t)g->num));
      put(":\n");
      if (g->list[n].num == 1) {
         put("goto b%d\n", g->list[n].succ[0]);
      } else {
         put_decision((unsigned)n, first_is_nearer(g, n));
         put("goto_if %%c%d, b%d, b%d\n", n, g->list[n].succ[0], g->list[n].succ[1]);
      }
   }
   put("b%d:\nreturn\n}\n}\n", g->num + 1);
}

hd_shader *
parse_quietly(void)
{
   hd_shader *shader = NULL;

   if (hd_parse(NULL, "test", text, length, &shader) != HD_OK)
      fail_msg("%s", text);
   if (hd_validate(shader, NULL) != HD_OK) {
      hd_shader_destroy(shader);
      return NULL;
   }
   return shader;
}

unsigned
all_graphs(int num, unsigned every, graph_fn *try, void *user)
{
   struct graph g = { .num = num };
   unsigned long code = 0;
   unsigned found = 0, run = 0;

   while (next_small_graph(num, &code, g.list)) {
      if (found++ % every == 0) {
         try(&g, user);
         run++;
      }
   }
   printf("%d blocks: %u graphs, %u run\n", num, found, run);
   return found;
}
