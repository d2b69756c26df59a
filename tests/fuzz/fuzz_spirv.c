/* SPDX-License-Identifier: MIT */
/* Any words to hd_spirv_to_shader, with the header made right. What is read the validator must
 * accept, and the structurizer and the passes must take.
 */
#include <string.h>

#include "heddle/check.h"
#include "heddle/pass.h"
#include "heddle/spirv.h"

#include "entry.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   const hd_config config = { .budget = { .memory = (size_t)1 << 28, .steps = 2000000 } };
   const size_t num_words = size / 4;
   uint32_t *words = malloc(size + 1);
   hd_shader *shader = NULL;
   hd_spirv_info *info = NULL;

   if (num_words < 5) {
      free(words);
      return 0;
   }
   memcpy(words, data, num_words * 4);
   words[0] = 0x07230203;
   words[1] = 0x00010000 | (words[1] & 0x700);
   words[3] = words[3] % 4096 + 1;
   words[4] = 0;
   if (hd_spirv_get_info(words, num_words, NULL, &config, &info) == HD_OK)
      hd_spirv_info_destroy(info);
   if (hd_spirv_to_shader(words, num_words, NULL, &config, &shader) == HD_OK) {
      must(hd_validate(shader, NULL) == HD_OK);
      if (hd_run_pipeline(shader, "O1", NULL, NULL) == HD_OK)
         must(hd_validate(shader, NULL) == HD_OK);
      hd_shader_destroy(shader);
   }
   free(words);
   return 0;
}
