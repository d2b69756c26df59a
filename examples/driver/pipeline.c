/* SPDX-License-Identifier: MIT */
/* pipeline.c - from SPIR-V to machine code, by way of the cache. */
#include <stdlib.h>
#include <string.h>

#include "driver.h"

/* What a descriptor takes in its set; 0: the driver has none of this kind. */
static uint32_t
descriptor_size(hd_spirv_resource_kind kind)
{
   switch (kind) {
   case HD_SPIRV_UNIFORM_BUFFER:
   case HD_SPIRV_STORAGE_BUFFER:
   case HD_SPIRV_SAMPLER:
      return 16;
   case HD_SPIRV_SAMPLED_IMAGE:
   case HD_SPIRV_STORAGE_IMAGE:
      return 32;
   case HD_SPIRV_COMBINED_IMAGE_SAMPLER:
      return MAX_DESCRIPTOR;
   default:
      return 0;
   }
}

static bool
add_resource(layout *l, const hd_spirv_resource *r)
{
   const uint32_t size = descriptor_size(r->kind), elements = r->array_size ? r->array_size : 1;

   for (uint32_t n = 0; n < l->num_bindings; n++) {
      /* Another stage has it, too. */
      if (l->bindings[n].set == r->set && l->bindings[n].binding == r->binding)
         return l->bindings[n].stride == size;
   }
   if (r->set >= MAX_SETS || l->num_bindings == MAX_BINDINGS || !size || elements > MAX_BINDINGS ||
       l->set_size[r->set] + size * elements > MAX_DESCRIPTOR * MAX_BINDINGS)
      return false;
   l->bindings[l->num_bindings++] = (hd_gcn_binding){
      .set = r->set,
      .binding = r->binding,
      .offset = l->set_size[r->set],
      .stride = size,
      .sampler = r->kind == HD_SPIRV_COMBINED_IMAGE_SAMPLER ? 32 : 0,
   };
   l->set_size[r->set] += size * elements;
   return true;
}

/* Descriptors one behind the other in the order in which modules name them. */
static hd_result
extend_layout(layout *l, const pipeline_info *info, const hd_config *config)
{
   const hd_spirv_options options = {
      .entry_point = info->entry_point,
      .constants = info->constants,
      .num_constants = info->num_constants,
   };
   hd_spirv_info *module;
   hd_result result = hd_spirv_get_info(info->words, info->num_words, &options, config, &module);

   if (result != HD_OK)
      return result;
   for (uint32_t n = 0; n < module->num_resources && result == HD_OK; n++) {
      if (!add_resource(l, &module->resources[n]))
         result = HD_UNSUPPORTED;
   }
   hd_spirv_info_destroy(module);
   return result;
}

static hd_gcn_driver_abi
make_abi(const layout *l, hd_stage stage)
{
   hd_gcn_driver_abi abi;

   memset(&abi, HD_GCN_NO_SGPR, sizeof(abi));
   abi.num_user_sgprs = NUM_USER_SGPRS;
   abi.set_pointer[0] = SGPR_SET_0;
   abi.set_pointer[1] = SGPR_SET_1;
   abi.push_pointer = SGPR_PUSH;
   abi.push_inline_count = 0;
   if (stage == HD_STAGE_COMPUTE)
      abi.num_workgroups = SGPR_NUM_WORKGROUPS;
   if (stage == HD_STAGE_VERTEX) {
      abi.vertex_buffers = SGPR_VERTEX_BUFFERS;
      abi.base_vertex = SGPR_BASE_VERTEX;
      abi.base_instance = SGPR_BASE_INSTANCE;
   }
   abi.scratch_resource = SGPR_SCRATCH;
   /* One target, whose format the shader does not depend on. */
   memset(abi.color_format, HD_GCN_COLOR_NONE, sizeof(abi.color_format));
   abi.color_format[0] = HD_GCN_COLOR_32_ABGR;
   abi.num_samples = 1;
   abi.bindings = l->bindings;
   abi.num_bindings = l->num_bindings;
   abi.attributes = NULL;
   abi.num_attributes = 0;
   return abi;
}

static bool
keep(const hd_gcn_binary *binary, code *c)
{
   *c = (code){
      .stats = binary->stats,
      .pgm_rsrc1 = binary->pgm_rsrc1,
      .pgm_rsrc2 = binary->pgm_rsrc2,
      .graphics = binary->graphics,
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
   uint32_t options[2 + 5 * MAX_BINDINGS] = { NUM_USER_SGPRS, l->num_bindings };

   for (uint32_t n = 0; n < l->num_bindings; n++)
      memcpy(&options[2 + 5 * n], &l->bindings[n], 5 * sizeof(uint32_t));
   return hd_cache_key(shader, hd_gcn_gen_name(dev->target), options, sizeof(options), key);
}

static hd_result
read_shader(const pipeline_info *info, hd_stage stage, const hd_config *config, hd_shader **shader)
{
   const hd_spirv_options options = {
      .entry_point = info->entry_point,
      .stages = 1u << stage,
      .constants = info->constants,
      .num_constants = info->num_constants,
      .no_names = true,
   };

   return hd_spirv_to_shader(info->words, info->num_words, &options, config, shader);
}

/* From the cache, or compiled and put there. */
static hd_result
make_code(device *dev, const hd_shader *shader, const layout *l, code *c, bool *from_cache)
{
   const hd_gcn_driver_abi abi = make_abi(l, shader->stage);
   const hd_gcn_options options = {
      .target = dev->target, .abi = HD_GCN_ABI_DRIVER, .driver = &abi, .full_subgroups = true
   };
   hd_gcn_binary *binary = NULL;
   hd_hash key;

   hd_result result = make_key(shader, dev, l, &key);
   *from_cache = result == HD_OK && cache_load(dev, &key, c);
   if (result != HD_OK || *from_cache)
      return result;
   result = hd_gcn_compile(shader, &options, &binary);
   if (result == HD_OK && !keep(binary, c))
      result = HD_OUT_OF_MEMORY;
   if (result == HD_OK)
      cache_store(dev, &key, c);
   hd_gcn_binary_destroy(binary);
   return result;
}

hd_result
pipeline_create(device *dev, const pipeline_info *info, pipeline *p, log *said)
{
   const hd_config config = device_config(dev, said);
   hd_shader *shader = NULL;

   *p = (pipeline){ 0 };
   hd_result result = extend_layout(&p->layout, info, &config);
   if (result == HD_OK)
      result = read_shader(info, HD_STAGE_COMPUTE, &config, &shader);
   if (result == HD_OK)
      result = make_code(dev, shader, &p->layout, &p->code, &p->from_cache);
   hd_shader_destroy(shader);
   return result;
}

void
pipeline_destroy(pipeline *p)
{
   free(p->code.words);
   *p = (pipeline){ 0 };
}

hd_result
graphics_pipeline_create(device *dev, const pipeline_info *vertex, const pipeline_info *fragment,
                         graphics_pipeline *p)
{
   const hd_config config = device_config(dev, &p->said);
   bool from_cache;

   *p = (graphics_pipeline){ 0 };
   hd_result result = extend_layout(&p->layout, vertex, &config);
   if (result == HD_OK)
      result = extend_layout(&p->layout, fragment, &config);
   if (result == HD_OK)
      result = read_shader(vertex, HD_STAGE_VERTEX, &config, &p->vertex);
   if (result == HD_OK)
      result = read_shader(fragment, HD_STAGE_FRAGMENT, &config, &p->fragment);
   if (result == HD_OK)
      result = hd_link_stages(p->vertex, p->fragment, NULL);
   if (result == HD_OK)
      result = make_code(dev, p->vertex, &p->layout, &p->vertex_code, &from_cache);
   if (result == HD_OK)
      result = make_code(dev, p->fragment, &p->layout, &p->fragment_code, &from_cache);
   return result;
}

void
graphics_pipeline_destroy(graphics_pipeline *p)
{
   free(p->vertex_code.words);
   free(p->fragment_code.words);
   hd_shader_destroy(p->vertex);
   hd_shader_destroy(p->fragment);
   *p = (graphics_pipeline){ 0 };
}
