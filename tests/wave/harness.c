/* SPDX-License-Identifier: MIT */
#include "support/test.h"

#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
keep_first(void *user, const hd_diag *diag)
{
   struct outcome *o = user;

   if (o->num_messages++ == 0)
      snprintf(o->message, sizeof(o->message), "%s", diag->message);
}

hd_shader *
parse_shader(const char *text, struct outcome *to)
{
   const hd_config config = { .diag = { to, keep_first } };
   hd_shader *shader = NULL;

   *to = (struct outcome){ 0 };
   if (hd_parse(&config, "test", text, strlen(text), &shader) != HD_OK)
      fail_msg("%s in\n%s", to->message, text);
   if (hd_validate(shader, NULL) != HD_OK)
      fail_msg("%s in\n%s", to->message, text);
   return shader;
}

struct outcome
run_text(const char *text, const hd_wave_launch *launch)
{
   struct outcome o;
   hd_shader *shader = parse_shader(text, &o);

   o.result = hd_wave_run(shader, launch, &o.stats);
   hd_shader_destroy(shader);
   return o;
}

struct outcome
run_lanes(const char *body, unsigned lanes, uint32_t *out)
{
   uint8_t undefined[HD_WAVE_MAX_LANES * 4] = { 0 };
   const hd_wave_buffer buffer = { .memory = { out, undefined, lanes * 4 } };
   const hd_wave_launch launch = {
      .lanes = lanes,
      .workgroup_size = { lanes },
      .buffers = &buffer,
      .num_buffers = 1,
      .max_steps = 100000,
   };
   char *text = malloc(strlen(body) + 1000);

   memset(out, 0, lanes * 4);
   sprintf(text,
           "shader compute \"t\" {\n shared 256\n scratch 16\n function @main {\n b0:\n"
           "%%lane:32 = subgroup_invocation\n %%zero:32 = const 0\n %%one:32 = const 1\n"
           "%%four:32 = const 4\n %%at:32 = imul %%lane, %%four\n %s\n }\n }\n",
           body);
   struct outcome o = run_text(text, &launch);
   for (unsigned l = 0; l < lanes; l++) {
      if (undefined[l * 4] | undefined[l * 4 + 1] | undefined[l * 4 + 2] | undefined[l * 4 + 3])
         out[l] = 0xdead;
   }
   free(text);
   return o;
}
