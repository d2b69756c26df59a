/* SPDX-License-Identifier: MIT */
/* spirv_kernel.c - a kernel of SPIR-V from words to results: read, optimise, compile for gfx900, link,
 * load, run in the simulator; and how each step says what is wrong.
 *
 *    kernel void saxpy(float a, global const float *x, global float *y)
 *    {
 *       y[get_global_id(0)] += a * x[get_global_id(0)];
 *    }
 */
#include <stdio.h>
#include <string.h>

#include "heddle/heddle_tools.h"

#define MAX_ARGS 8
#define NUM      5

/* clang-format off */
static const uint32_t words[] = {
   0x07230203, 0x00010000, 0, 22, 0, /* the header: version 1.0, ids below 22 */
   0x20011, 4, /* OpCapability Addresses */
   0x20011, 6, /* OpCapability Kernel */
   0x20011, 11, /* OpCapability Int64 */
   0x3000e, 2, 2, /* OpMemoryModel Physical64 OpenCL */
   0x6000f, 6, 1, 0x70786173, 121, 2, /* OpEntryPoint Kernel %main "saxpy" %id */
   0x30005, 3, 97, /* OpName %a "a" */
   0x30005, 4, 120, /* OpName %x "x" */
   0x30005, 5, 121, /* OpName %y "y" */
   0x40047, 2, 11, 28, /* OpDecorate %id BuiltIn GlobalInvocationId */
   0x40047, 4, 38, 6, /* OpDecorate %x FuncParamAttr NoWrite */
   0x20013, 6, /* %void = OpTypeVoid */
   0x30016, 7, 32, /* %float = OpTypeFloat 32 */
   0x40015, 8, 64, 0, /* %long = OpTypeInt 64 0 */
   0x40017, 9, 8, 3, /* %ids = OpTypeVector %long 3 */
   0x40020, 10, 1, 9, /* %input = OpTypePointer Input %ids */
   0x40020, 11, 5, 7, /* %global = OpTypePointer CrossWorkgroup %float */
   0x60021, 12, 6, 7, 11, 11, /* %type = OpTypeFunction %void %float %global %global */
   0x4003b, 10, 2, 1, /* %id = OpVariable %input Input */
   0x50036, 6, 1, 0, 12, /* %main = OpFunction %void None %type */
   0x30037, 7, 3, /* %a = OpFunctionParameter %float */
   0x30037, 11, 4, /* %x = OpFunctionParameter %global */
   0x30037, 11, 5, /* %y = OpFunctionParameter %global */
   0x200f8, 13, /* %begin = OpLabel */
   0x6003d, 9, 14, 2, 2, 32, /* %all = OpLoad %ids %id Aligned 32 */
   0x50051, 8, 15, 14, 0, /* %i = OpCompositeExtract %long %all 0 */
   0x50046, 11, 16, 4, 15, /* %xi = OpInBoundsPtrAccessChain %global %x %i */
   0x50046, 11, 17, 5, 15, /* %yi = OpInBoundsPtrAccessChain %global %y %i */
   0x6003d, 7, 18, 16, 2, 4, /* %u = OpLoad %float %xi Aligned 4 */
   0x6003d, 7, 19, 17, 2, 4, /* %v = OpLoad %float %yi Aligned 4 */
   0x50085, 7, 20, 3, 18, /* %au = OpFMul %float %a %u */
   0x50081, 7, 21, 20, 19, /* %sum = OpFAdd %float %au %v */
   0x5003e, 17, 21, 2, 4, /* OpStore %yi %sum Aligned 4 */
   0x100fd, /* OpReturn */
   0x10038, /* OpFunctionEnd */
};
/* clang-format on */

#define NUM_WORDS (sizeof(words) / sizeof(words[0]))

/* What the module says of the arguments, for the note of the code object. */
static void
describe(const hd_spirv_info *info, hd_gcn_kernarg *args)
{
   for (uint32_t n = 0; n < info->num_arguments; n++) {
      const hd_spirv_argument *a = &info->arguments[n];
      args[n] = (hd_gcn_kernarg){
         .kind = a->constant                           ? HD_GCN_KERNARG_CONSTANT
                 : a->kind == HD_SPIRV_ARGUMENT_GLOBAL ? HD_GCN_KERNARG_GLOBAL
                 : a->kind == HD_SPIRV_ARGUMENT_SHARED ? HD_GCN_KERNARG_SHARED
                                                       : HD_GCN_KERNARG_VALUE,
         .name = a->name,
         .offset = a->offset,
         .size = a->size,
         .pointee_align = a->pointee_align,
         .readonly = a->readonly,
         .restricted = a->restricted,
      };
   }
}

/* From words to machine code. HD_INVALID: the module is bad. HD_UNSUPPORTED: it is fine, and asks
 * for what is not there.
 */
static hd_result
compile(const hd_config *config, size_t num_words, const char *name, hd_gcn_binary **binary)
{
   const hd_spirv_options spirv = { .entry_point = name, .file_name = "saxpy.spv" };
   hd_gcn_kernarg args[MAX_ARGS];
   hd_spirv_info *info = NULL;
   hd_shader *shader = NULL;

   hd_result result = hd_spirv_get_info(words, num_words, &spirv, config, &info);
   if (result == HD_OK && info->num_arguments > MAX_ARGS)
      result = HD_UNSUPPORTED;
   if (result == HD_OK)
      result = hd_spirv_to_shader(words, num_words, &spirv, config, &shader);
   if (result == HD_OK)
      result = hd_run_pipeline(shader, "O2", NULL, NULL);
   if (result == HD_OK) {
      const hd_gcn_options options = { .target = HD_GCN_GFX900,
                                       .abi = HD_GCN_ABI_HSA,
                                       .kernel_name = name,
                                       .kernargs = args,
                                       .num_kernargs = info->num_arguments };
      describe(info, args);
      result = hd_gcn_compile(shader, &options, binary);
   }
   hd_shader_destroy(shader);
   hd_spirv_info_destroy(info);
   return result;
}

/* y += a * x. HD_BAD_LAUNCH: these are not what the kernel takes. HD_FAULT: the kernel did what no
 * program may.
 */
static hd_result
launch(const hd_gcn_object *object, float a, float *x, float *y, uint32_t num_in_x,
       uint32_t num_args)
{
   const hd_gcn_kernel *kernel = hd_gcn_object_find(object, "saxpy");
   hd_gcn_sim_arg args[MAX_ARGS] = { { 0 } };

   if (!kernel || kernel->num_explicit_args > MAX_ARGS)
      return HD_INVALID;
   for (uint32_t n = 0; n < kernel->num_explicit_args; n++) {
      const char *name = kernel->args[n].name;
      if (!strcmp(name, "a"))
         args[n] = (hd_gcn_sim_arg){ .value = &a, .size = sizeof(a) };
      else if (!strcmp(name, "x"))
         args[n].buffer = (hd_wave_memory){ .data = x, .size = num_in_x * sizeof(*x) };
      else
         args[n].buffer = (hd_wave_memory){ .data = y, .size = NUM * sizeof(*y) };
   }
   const hd_gcn_sim_dispatch_info info = { .grid = { NUM }, .args = args, .num_args = num_args };
   return hd_gcn_sim_dispatch(object, kernel, &info, NULL);
}

int
main(void)
{
   const hd_config config = { .diag = hd_diag_to_file(stdout) };
   float x[NUM] = { 1, 2, 3, 4, 5 }, y[NUM] = { 10, 20, 30, 40, 50 };
   hd_gcn_binary *binary = NULL, *none = NULL;
   hd_gcn_object *object = NULL;
   hd_blob linked = { 0 };

   hd_result result = compile(&config, NUM_WORDS, "saxpy", &binary);
   /* More kernels of the module would stand beside this one. */
   if (result == HD_OK)
      result = hd_gcn_link(&config, (const hd_gcn_binary *const[]){ binary }, 1, &linked);
   if (result == HD_OK)
      result = hd_gcn_object_read(&config, linked.data, linked.size, "saxpy.hsaco", &object);
   if (result == HD_OK)
      result = launch(object, 2, x, y, NUM, 3);
   if (result == HD_OK) {
      for (unsigned n = 0; n < NUM; n++)
         printf("%g%c", (double)y[n], n + 1 < NUM ? ' ' : '\n');
      printf("words that end too early: %s\n",
             hd_result_name(compile(&config, NUM_WORDS - 4, "saxpy", &none)));
      printf("an argument too few: %s\n", hd_result_name(launch(object, 2, x, y, NUM, 2)));
      printf("a buffer that is too short: %s\n",
             hd_result_name(launch(object, 2, x, y, NUM - 1, 3)));
   }
   hd_gcn_object_destroy(object);
   hd_blob_finish(&linked);
   hd_gcn_binary_destroy(binary);
   return result != HD_OK;
}
