/* SPDX-License-Identifier: MIT */
/* pipeline.c - from SPIR-V to machine code, by way of the cache. */
#include <stdlib.h>
#include <string.h>

#include "driver.h"

/* Descriptors of 16 bytes, one behind the other in the order in which the module names them. */
static hd_result
make_layout(const pipeline_info *info, const hd_spirv_options *options, const hd_config *config,
            layout *l)
{
   hd_spirv_info *module;
   hd_result result = hd_spirv_get_info(info->words, info->num_words, options, config, &module);

   *l = (layout){ 0 };
   if (result != HD_OK)
      return result;
   for (uint32_t n = 0; n < module->num_resources && result == HD_OK; n++) {
      const hd_spirv_resource *r = &module->resources[n];
      if (r->set >= MAX_SETS || l->num_bindings == MAX_BINDINGS ||
          r->kind == HD_SPIRV_OTHER_RESOURCE) {
         result = HD_UNSUPPORTED;
         break;
      }
      const uint32_t elements = r->array_size ? r->array_size : 1;
      l->bindings[l->num_bindings++] = (hd_gcn_binding){
         .set = r->set, .binding = r->binding, .offset = l->set_size[r->set], .stride = 16
      };
      l->set_size[r->set] += 16 * elements;
   }
   hd_spirv_info_destroy(module);
   return result;
}

static hd_gcn_driver_abi
make_abi(const layout *l)
{
   hd_gcn_driver_abi abi;

   memset(&abi, HD_GCN_NO_SGPR, sizeof(abi));
   abi.num_user_sgprs = NUM_USER_SGPRS;
   abi.set_pointer[0] = SGPR_SET_0;
   abi.set_pointer[1] = SGPR_SET_1;
   abi.push_pointer = SGPR_PUSH;
   abi.push_inline_count = 0;
   abi.num_workgroups = SGPR_NUM_WORKGROUPS;
   abi.scratch_resource = SGPR_SCRATCH;
   abi.bindings = l->bindings;
   abi.num_bindings = l->num_bindings;
   return abi;
}

static bool
keep(const hd_gcn_binary *binary, code *c)
{
   *c = (code){
      .stats = binary->stats,
      .pgm_rsrc1 = binary->pgm_rsrc1,
      .pgm_rsrc2 = binary->pgm_rsrc2,
      .num_words = binary->code_words,
      .words = malloc(binary->code_words * sizeof(uint32_t)),
   };
   memcpy(c->workgroup_size, binary->workgroup_size, sizeof(c->workgroup_size));
   if (c->words)
      memcpy(c->words, binary->code, binary->code_words * sizeof(uint32_t));
   return c->words;
}

/* What changes the code beside the shader: the contract of registers, and the layout. */
static hd_result
make_key(const hd_shader *shader, const device *dev, const layout *l, hd_hash *key)
{
   uint32_t options[2 + 4 * MAX_BINDINGS] = { NUM_USER_SGPRS, l->num_bindings };

   for (uint32_t n = 0; n < l->num_bindings; n++)
      memcpy(&options[2 + 4 * n], &l->bindings[n], 4 * sizeof(uint32_t));
   return hd_cache_key(shader, hd_gcn_gen_name(dev->target), options, sizeof(options), key);
}

hd_result
pipeline_create(device *dev, const pipeline_info *info, pipeline *p, log *said)
{
   const hd_config config = device_config(dev, said);
   const hd_spirv_options options = {
      .entry_point = info->entry_point,
      .constants = info->constants,
      .num_constants = info->num_constants,
      .no_names = true,
   };
   hd_shader *shader = NULL;
   hd_gcn_binary *binary = NULL;
   hd_hash key;

   *p = (pipeline){ 0 };
   hd_result result = make_layout(info, &options, &config, &p->layout);
   if (result == HD_OK)
      result = hd_spirv_to_shader(info->words, info->num_words, &options, &config, &shader);
   if (result == HD_OK)
      result = make_key(shader, dev, &p->layout, &key);
   if (result == HD_OK && cache_load(dev, &key, &p->code)) {
      p->from_cache = true;
   } else if (result == HD_OK) {
      const hd_gcn_driver_abi abi = make_abi(&p->layout);
      const hd_gcn_options gcn = {
         .target = dev->target, .abi = HD_GCN_ABI_DRIVER, .driver = &abi, .full_subgroups = true
      };
      result = hd_gcn_compile(shader, &gcn, &binary);
      if (result == HD_OK && !keep(binary, &p->code))
         result = HD_OUT_OF_MEMORY;
      if (result == HD_OK)
         cache_store(dev, &key, &p->code);
   }
   hd_gcn_binary_destroy(binary);
   hd_shader_destroy(shader);
   return result;
}

void
pipeline_destroy(pipeline *p)
{
   free(p->code.words);
   *p = (pipeline){ 0 };
}
