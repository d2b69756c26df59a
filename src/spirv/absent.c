/* SPDX-License-Identifier: MIT */
/* absent.c - SPIR-V entry points of a library built without SPIR-V. */
#include "heddle/spirv.h"

#include "util/quote.h"

static hd_result
absent(const hd_spirv_options *options, const hd_config *config)
{
   if (config) {
      hd_diag diag = { .severity = HD_ERROR,
                       .file = options ? options->file_name : NULL,
                       .message = "this library was built without SPIR-V" };
      hd_diag_send(&config->diag, &diag);
   }
   return HD_UNSUPPORTED;
}

hd_result
hd_spirv_to_shader(const uint32_t *words, size_t num_words, const hd_spirv_options *options,
                   const hd_config *config, hd_shader **shader)
{
   (void)words;
   (void)num_words;
   *shader = NULL;
   return absent(options, config);
}

hd_result
hd_spirv_get_info(const uint32_t *words, size_t num_words, const hd_spirv_options *options,
                  const hd_config *config, hd_spirv_info **info)
{
   (void)words;
   (void)num_words;
   *info = NULL;
   return absent(options, config);
}

void
hd_spirv_info_destroy(hd_spirv_info *info)
{
   (void)info;
}

const char *
hd_spirv_capability_name(uint32_t capability)
{
   (void)capability;
   return NULL;
}
