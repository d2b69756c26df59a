/* SPDX-License-Identifier: MIT */
/* tested_told.c - what a simulator tells of a run: the stores, made again, leave the memory that the run left;
 * each is the one of its lane, and a register of its wave had the value.
 */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "heddle/text.h"
#include "machine/tested.h"
#include "support/heard.h"
#include "util/bytes.h"

#define SIZE      24u /* of a workgroup: its last wave is not full */
#define GROUPS    3u
#define NUM       (SIZE * GROUPS)
#define WAVES     4u
#define REGISTERS 512u

/* No two invocations store the same; those from 17 on one more. */
static const char text[] = "shader compute \"told\" {\n"
                           "  workgroup 24 1 1\n"
                           "  function @main {\n"
                           "    b0:\n"
                           "      %zero:32 = const 0\n"
                           "      %one:32 = const 1\n"
                           "      %two:32 = const 2\n"
                           "      %size:32 = const 24\n"
                           "      %some:32 = const 17\n"
                           "      %odd:32 = const 0x9e3779b1\n"
                           "      %lane:32 = local_invocation_index\n"
                           "      %groups:32x3 = workgroup_id\n"
                           "      %group:32 = channel %groups, %zero\n"
                           "      %first:32 = imul %group, %size\n"
                           "      %all:32 = iadd %first, %lane\n"
                           "      %at:32 = ishl %all, %two\n"
                           "      %value:32 = imul %all, %odd\n"
                           "      %low:1 = ult %lane, %some\n"
                           "      if %low {\n"
                           "        b1:\n"
                           "          store_buffer %value, %zero, %at align_mul=4\n"
                           "      } else {\n"
                           "        b2:\n"
                           "          %more:32 = iadd %value, %one\n"
                           "          store_buffer %more, %zero, %at align_mul=4\n"
                           "      }\n"
                           "    b3:\n"
                           "  }\n"
                           "}\n";

struct reg {
   char name[8];
   unsigned num;
   uint32_t values[64];
};

struct told {
   uint8_t *memory; /* of the launch, */
   uint8_t *copy;   /* and what it is by what is told */
   unsigned stores, registers;
   struct reg regs[GROUPS][WAVES][REGISTERS];
};

static uint32_t
expected(uint32_t n)
{
   return n * 0x9e3779b1u + (n % SIZE >= 17);
}

static void
wrote(void *user, const hd_wave_register *reg)
{
   struct told *t = user;
   struct reg *regs = t->regs[reg->workgroup][reg->wave];
   unsigned n = 0;

   assert_in_range(reg->workgroup, 0, GROUPS - 1);
   assert_in_range(reg->wave, 0, WAVES - 1);
   assert_true(reg->num == 1 || reg->num == tested.lanes);
   while (regs[n].name[0] && strcmp(regs[n].name, reg->name) != 0)
      n++;
   assert_in_range(n, 0, REGISTERS - 2);
   snprintf(regs[n].name, sizeof(regs[n].name), "%s", reg->name);
   regs[n].num = reg->num;
   memcpy(regs[n].values, reg->values, reg->num * sizeof(uint32_t));
   t->registers++;
}

static bool
is_in_register(const struct reg *regs, int lane, uint32_t value)
{
   for (; regs->name[0]; regs++) {
      if (regs->num == tested.lanes && regs->values[lane] == value)
         return true;
   }
   return false;
}

static void
stored(void *user, const hd_wave_stored *store)
{
   struct told *t = user;
   const uint8_t *data = store->data;

   /* Memory of the machine's own. */
   if (data < t->memory || data >= t->memory + 4 * NUM)
      return;
   const size_t offset = (size_t)(data - t->memory);
   const uint32_t n = store->workgroup * SIZE + store->wave * tested.lanes + (uint32_t)store->lane;
   const uint32_t value = (uint32_t)get_number(data, 4);
   assert_int_equal(store->size, 4);
   assert_int_equal(offset, 4 * n);
   assert_int_equal(value, expected(n));
   assert_true(is_in_register(t->regs[store->workgroup][store->wave], store->lane, value));
   memcpy(t->copy + offset, data, store->size);
   t->stores++;
}

static void
registers_and_stores_are_told(void **state)
{
   static struct told told;
   struct heard heard = { 0 };
   const hd_diag_sink sink = { &heard, hear };
   const hd_config config = { .diag = sink };
   hd_shader *shader;

   (void)state;
   assert_int_equal(hd_parse(&config, NULL, text, strlen(text), &shader), HD_OK);
   for (uint64_t variant = 0; variant < 4; variant++) {
      uint8_t memory[4 * NUM + 8], plain[sizeof(memory)], copy[sizeof(memory)];
      hd_wave_buffer buffer = { .memory = { memory, NULL, sizeof(memory) } };
      const hd_wave_launch launch = { .num_workgroups = { GROUPS, 1, 1 },
                                      .buffers = &buffer,
                                      .num_buffers = 1 };
      void *binary;
      if (tested.compile(shader, variant, NULL, &sink, &binary) != HD_OK)
         fail_msg("%s", heard.all);
      memset(memory, 0x5a, sizeof(memory));
      memset(copy, 0x5a, sizeof(copy));
      memset(&told, 0, sizeof(told));
      told.memory = memory;
      told.copy = copy;
      assert_int_equal(tested.watch(binary, shader, &launch, &told, wrote, stored), HD_OK);
      assert_int_equal(told.stores, NUM);
      assert_true(told.registers > 3 * GROUPS);
      assert_memory_equal(memory, copy, sizeof(memory));
      /* The same as when nobody watches. */
      memset(plain, 0x5a, sizeof(plain));
      buffer.memory.data = plain;
      assert_int_equal(tested.run(binary, shader, &launch, 0, 0, &sink), HD_OK);
      assert_memory_equal(memory, plain, sizeof(memory));
      tested.destroy(binary);
   }
   hd_shader_destroy(shader);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(registers_and_stores_are_told) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
