/* SPDX-License-Identifier: MIT */
/* dispatch.c - descriptor sets, user registers, and a run on the simulated GPU. */
#include "driver.h"

hd_result
dispatch_run(device *dev, const pipeline *p, const dispatch *d, hd_gcn_sim_stats *stats, log *said)
{
   const hd_config config = device_config(dev, said);
   hd_result result = HD_OK;
   space s;

   space_init(&s, &p->layout);
   if (d->num_buffers > MAX_BINDINGS || !space_push(&s, d->push, d->push_size))
      return HD_UNSUPPORTED;
   for (uint32_t n = 0; n < d->num_buffers && result == HD_OK; n++)
      result = bind_buffer(&s, &d->buffers[n]);
   hd_gcn_sim_launch launch = space_launch(&s, dev, &p->code);
   launch.options.diag = config.diag;
   for (unsigned n = 0; n < 3; n++) {
      launch.num_workgroups[n] = d->groups[n];
      launch.workgroup_size[n] = p->code.workgroup_size[n];
      launch.user_sgprs[SGPR_NUM_WORKGROUPS + n] = d->groups[n];
   }
   if (result == HD_OK)
      result = hd_gcn_sim_run(&config, &launch, stats);
   space_finish(&s);
   return result;
}
