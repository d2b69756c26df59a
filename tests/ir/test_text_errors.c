/* SPDX-License-Identifier: MIT */
/* Bad text: what the messages say and where they point; nothing crashes, whatever comes. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/check.h"
#include "heddle/text.h"
#include "naive.h"
#include "samples.h"

/* All messages as lines `LINE:COLUMN+LENGTH: severity: message`. */
static void
collect(void *user, const hd_diag *d)
{
   hd_blob_printf(user, "%u:%u+%u: %s: %s\n", d->line, d->column, d->length,
                  d->severity == HD_ERROR ? "error" : "note", d->message);
   assert_ptr_not_equal(d->text, NULL);
   assert_string_equal(d->file, "test");
}

static void
assert_messages(const char *text, size_t size, const char *expected)
{
   hd_blob messages = { 0 };
   hd_config config = { .diag = { &messages, collect } };
   hd_shader *shader = NULL;

   assert_int_equal(hd_parse(&config, "test", text, size, &shader), HD_INVALID);
   assert_null(shader);
   if (strcmp(messages.data, expected) != 0) {
      print_message("%.*s\n", (int)size, text);
      assert_string_equal(messages.data, expected);
   }
   hd_blob_finish(&messages);
   /* Without anybody to hear it, the same. */
   assert_int_equal(hd_parse(NULL, NULL, text, size, &shader), HD_INVALID);
}

struct fault {
   const char *text, *messages;
};

static void
check_faults(const struct fault *faults, size_t num)
{
   for (size_t n = 0; n < num; n++)
      assert_messages(faults[n].text, strlen(faults[n].text), faults[n].messages);
}

#define CHECK(faults) check_faults((faults), sizeof(faults) / sizeof((faults)[0]))

static void
test_shaders(void **state)
{
   (void)state;
   static const struct fault faults[] = {
      { "", "1:1+1: error: expected shader, function or flat, found the end of the text\n" },
      { "// nothing\n\n", "3:1+1: error: expected shader, function or flat, found the end of the "
                          "text\n" },
      { "shade compute {}", "1:1+5: error: expected shader, function or flat, found 'shade'\n" },
      { "shader magic {}",
        "1:8+5: error: expected compute, kernel, vertex or fragment, found 'magic'\n" },
      { "shader\ncompute {}", "1:7+1: error: expected compute, kernel, vertex or fragment, found "
                              "the end of the line\n" },
      { "shader compute", "1:15+1: error: expected '{' and the members of the shader, found the "
                          "end of the text\n" },
      { "shader compute {", "1:17+1: error: expected '}', found the end of the text\n"
                            "1:1+6: note: what it would close begins here\n" },
      { "shader compute {} x",
        "1:19+1: error: expected the end of the text after the shader, found 'x'\n" },
      { "shader compute \"x {\n}",
        "1:16+4: error: expected '{' and the members of the shader, found a string that does not "
        "end on its line\n" },
      { "shader compute \"\\q\" {}",
        "1:17+2: error: expected one of the escapes \\\\ \\\" \\n \\t \\x01 to \\xff\n" },
      { "shader compute \"\\x00\" {}",
        "1:17+2: error: expected one of the escapes \\\\ \\\" \\n \\t \\x01 to \\xff\n" },
      { "shader compute {\n  shared 4294967296\n  workgroup 1 2\n  floats flush32 rtz8\n"
        "  push -1\n  scratch 0x10 y\n  push 1 }",
        "2:10+10: error: expected a number, which is a whole number of at most 4294967295\n"
        "3:16+1: error: expected three sizes, found the end of the line\n"
        "4:18+4: error: expected flush16, flush32, flush64, rtz16, rtz32, rtz64 or finite, found 'rtz8'\n"
        "5:8+1: error: expected a number, found '-'\n"
        "6:16+1: error: expected the end of the line, found 'y'\n"
        "7:3+4: error: this property is given twice\n" },
      { "shader compute {\n  floats\n  subgroup 1\n  subgroup 2\n  lanes 3\n}",
        "2:9+1: error: expected flush16, flush32, flush64, rtz16, rtz32, rtz64 or finite, found the end of "
        "the line\n"
        "4:3+8: error: this property is given twice\n"
        "5:3+5: error: expected a property of the shader, function, flat or '}', found 'lanes'\n" },
      { "shader compute {\n  constants \"0f 1\"\n  constants\n  constants \"00\" \"x\"\n"
        "  constants \"0 0\"\n}",
        "2:17+1: error: expected a byte as two digits from 0 to f\n"
        "3:3+9: error: this property is given twice\n"
        "4:3+9: error: this property is given twice\n"
        "5:3+9: error: this property is given twice\n" },
      { "shader compute {\n  constants\n}",
        "2:12+1: error: expected a string of bytes, as \"00 7f ff\", found the end of the line\n" },
      { "shader compute { flat loop }", "1:23+4: error: expected function, found 'loop'\n" },
      { "function @f {}\n}\nfunction @f {}", "2:1+1: error: expected function or flat, found '}'\n"
                                             "3:10+2: error: function '@f' is defined twice\n"
                                             "1:10+2: note: the first definition is here\n" },
   };

   CHECK(faults);
}

static void
test_functions(void **state)
{
   (void)state;
   static const struct fault faults[] = {
      { "function f {}", "1:10+1: error: expected the name of the function, such as @main, found "
                         "'f'\n" },
      { "function @f(%0:32 \"\\y\") {}",
        "1:20+2: error: expected one of the escapes \\\\ \\\" \\n \\t \\x01 to \\xff\n" },
      { "function @f(%0:32 @\"x\") {}",
        "1:23+1: error: expected ':' and the line of the location, found ')'\n" },
      { "function @f {\r\n  bad\r\n}", "2:3+3: error: unknown instruction 'bad'\n" },
      { "function @f(%0) {}",
        "1:15+1: error: expected ':' and the size of the parameter, found ')'\n" },
      { "function @f(x) {}", "1:13+1: error: expected a parameter such as %0:32, found 'x'\n" },
      { "function @f(%0:32 %1:32) {}",
        "1:19+2: error: expected ',' or ')' after the parameter, found '%1'\n" },
      { "function @f(%0:32, %0:32) {}", "1:20+2: error: value '%0' is defined twice\n"
                                        "1:13+2: note: the first definition is here\n" },
      { "function @f -> {}", "1:16+1: error: expected a size such as 32 or 32x4, found '{'\n" },
      { "function @f -> 32x17 {}", "1:19+2: error: expected 1 to 16 components\n" },
      { "function @f -> 32x0 {}", "1:19+1: error: expected 1 to 16 components\n" },
      { "function @f -> 32x {}", "1:16+3: error: expected a size such as 32 or 32x4\n" },
      { "function @f -> 4y {}", "1:16+2: error: expected a size such as 32 or 32x4\n" },
      { "function @f -> 33 {}", "1:16+2: error: there are no values of this size, expected 1, 8, "
                                "16, 32 or 64 bits\n" },
      { "function @f;", "1:12+1: error: expected '{' and the body of the function, found the byte "
                        "0x3b\n" },
      { "function @f {\n  var x:32\n  var $x 32\n  var $x:32[0]\n  var $x:32[9999999999]\n"
        "  var $x:32[1 y\n  var $x:32 y\n  var $y:32\n  var $y:1\n}",
        "2:7+1: error: expected a variable such as $x, found 'x'\n"
        "3:10+2: error: expected ':' and the size of the variable, found '32'\n"
        "4:13+1: error: an array has no elements, expected 1 or more\n"
        "5:13+10: error: expected the length of the array, which is a whole number of at most "
        "4294967295\n"
        "6:15+1: error: expected ']' after the length, found 'y'\n"
        "7:13+1: error: expected the end of the line, found 'y'\n"
        "9:7+2: error: variable '$y' is defined twice\n"
        "8:7+2: note: the first definition is here\n" },
      { "function @f {\n  call @g()\n  %1:32 = call @\"h i\"()\n  call g()\n  call @f(%1\n"
        "  call @f %1\n}",
        "4:8+1: error: expected a function such as @f, found 'g'\n"
        "5:13+1: error: expected ',' or ')' after the argument, found the end of the line\n"
        "6:11+2: error: expected '(' and the arguments, found '%1'\n"
        "2:8+2: error: unknown function '@g', expected one of this shader\n"
        "3:16+6: error: unknown function '@\"h i\"', expected one of this shader\n" },
      { "function @f {\n  %1:1 = undef\n  var $x:1\n  store_var $x, %1\n  var x\n}",
        "3:3+3: error: a variable is declared among instructions, expected it before the first "
        "block of the function\n"
        "5:3+3: error: a variable is declared among instructions, expected it before the first "
        "block of the function\n"
        "5:7+1: error: expected a variable such as $x, found 'x'\n" },
      { "function @f {\n  if %0 {\n", "3:1+1: error: expected '}', found the end of the text\n"
                                      "2:3+2: note: what it would close begins here\n" },
   };

   CHECK(faults);
}

static void
test_instructions(void **state)
{
   (void)state;
   static const struct fault faults[] = {
      { "function @f(%0:32) {\n  %1 = iadd %0, %0\n  %2:32 iadd %0, %0\n  %3:32 = 7\n"
        "  %4:32 =\n  %5:32 = frobnicate %0\n  %6:32 = iadd %1, %2\n  iadd %0, %0\n"
        "  %7:32 = store_var $x, %0\n  %8:32 = break\n  %9:32 = iadd %3, %4, %5\n}",
        "2:6+1: error: expected ':' and the size of the value, found '='\n"
        "3:9+4: error: expected '=' and an instruction, found 'iadd'\n"
        "4:11+1: error: expected an instruction, found '7'\n"
        "5:10+1: error: expected an instruction, found the end of the line\n"
        "6:11+10: error: unknown instruction 'frobnicate'\n"
        "8:3+4: error: iadd has a result, expected a value such as %1:32 = before it\n"
        "9:11+9: error: store_var has no result, expected no value before it\n"
        "10:11+5: error: break has no result, expected no value before it\n" },
      { "function @f(%0:32) {\n  %1:32 = iadd %0\n  %2:32 = ineg %0, %0\n"
        "  %3:32x3 = vec %0, %0\n  %4:32 = iadd %0, \n  %5:32 = undef\n}",
        "2:11+4: error: iadd takes 2 operands, found 1\n"
        "3:11+4: error: ineg takes 1 operand, found 2\n"
        "4:13+3: error: vec takes 3 operands, found 2\n"
        "5:19+1: error: expected a value such as %1, found the end of the line\n" },
      { "function @f(%0:32) {\n  %5:32 = iadd.fast %0, %0\n"
        "  %6:32 = iadd %0, %0 %0\n  %7:32 = iadd %0, 1\n  %8:32 = undef %0\n}",
        "2:16+4: error: expected one of the flags exact, nnan, ninf, nsz, uniform, found 'fast'\n"
        "3:23+2: error: expected the end of the line, found '%0'\n"
        "4:20+1: error: expected a value such as %1, found '1'\n"
        "5:17+2: error: expected the end of the line, found '%0'\n" },
      { "function @f(%0:32) {\n  %1:32 = iadd %0, %2\n  %1:32 = iadd %3, %2\n  %x:32 = undef\n}",
        "3:3+2: error: value '%1' is defined twice\n"
        "2:3+2: note: the first definition is here\n"
        "2:20+2: error: unknown value '%2', expected one of this function\n"
        "3:16+2: error: unknown value '%3', expected one of this function\n" },
      { "function @f(%0:32) {\n  var $x:32\n  var $a:32[4]\n  %1:32 = load_var $x, %0\n"
        "  %2:32 = load_var $a\n  store_var $a, %0\n  store_var $y, %0\n  store_var x\n"
        "  store_var $x, 1\n  %3:32 = store_var $x, %0\n load_var $x\n}",
        "4:11+8: error: load_var of a variable that is not an array takes 0 operands after it, found "
        "1\n"
        "5:11+8: error: load_var of an array takes 1 operand after it, found 0\n"
        "6:3+9: error: store_var of an array takes 2 operands after it, found 1\n"
        "7:13+2: error: unknown variable, expected one that is declared at the beginning of the "
        "function\n"
        "8:13+1: error: expected a variable such as $x, found 'x'\n"
        "9:17+1: error: expected a value such as %1, found '1'\n"
        "10:11+9: error: store_var has no result, expected no value before it\n"
        "11:2+8: error: load_var has a result, expected a value such as %1:32 = before it\n" },
      { "function @f(%0:64) {\n  %1:32 = load_global %0 size=4\n"
        "  %2:32 = load_global %0 align_mul=4 align_mul=4\n  %3:32 = load_global %0 align_mul 4\n"
        "  %4:32 = load_global %0 access=often\n  %5:32 = load_global %0 access=volatile|\n"
        "  %6:32 = load_global %0 align_mul=-1\n  %7:32 = load_global %0 offset=2147483648\n"
        "  %8:32 = load_global %0 offset=-x\n  %9:32 = load_global\n"
        "  load_global %0\n  %10:32 = load_global %0 align_mul=\n}",
        "2:26+4: error: load_global has no index 'size'\n"
        "3:38+9: error: this index is given twice\n"
        "4:36+1: error: expected '=' and a value for the index, found '4'\n"
        "5:33+5: error: 'often' is no value of access\n"
        "6:42+1: error: expected another value for the index, found the end of the line\n"
        "7:37+1: error: this is no value of align_mul\n"
        "8:33+10: error: this is no value of offset\n"
        "9:34+1: error: expected a value for the index, found 'x'\n"
        "10:11+11: error: load_global takes 1 operand, found 0\n"
        "11:3+11: error: load_global has a result, expected a value such as %1:32 = before it\n"
        "12:37+1: error: expected a value for the index, found the end of the line\n" },
      { "function @f(%0:64) {\n  %1:32 = load_global %0 align_mul=-1\n"
        "  %2:32 = undef @\"x\"\n  %3:32 = undef @\"x\":1\n  %4:32 = undef @\"x\":1:y\n"
        "  %5:32 = undef @\"x\":1:4294967296\n  %6:32 = undef @\"\\y\":1:1\n}",
        "2:37+1: error: this is no value of align_mul\n"
        "3:21+1: error: expected ':' and the line of the location, found the end of the line\n"
        "4:23+1: error: expected ':' and the column of the location, found the end of the line\n"
        "5:24+1: error: expected the column of the location, found 'y'\n"
        "6:24+10: error: expected the column of the location, which is a whole number of at most "
        "4294967295\n"
        "7:19+2: error: expected one of the escapes \\\\ \\\" \\n \\t \\x01 to \\xff\n" },
   };

   CHECK(faults);
}

static void
test_constants(void **state)
{
   (void)state;
   static const struct fault faults[] = {
      { "function @f {\n  %1:1 = const 2\n  %2:1 = const -2\n  %3:8 = const 256\n"
        "  %4:8 = const -129\n  %5:64 = const 18446744073709551616\n"
        "  %6:64 = const 0x10000000000000000\n  %7:64 = const -9223372036854775809\n"
        "  %8:1 = const 1.0\n  %9:8 = const inf\n}",
        "2:16+1: error: this does not fit 1 bit\n"
        "3:16+2: error: this does not fit 1 bit\n"
        "4:16+3: error: this does not fit 8 bits\n"
        "5:16+4: error: this does not fit 8 bits\n"
        "6:17+20: error: this does not fit 64 bits\n"
        "7:17+19: error: this does not fit 64 bits\n"
        "8:17+20: error: this does not fit 64 bits\n"
        "9:16+3: error: there are no floats of 1 bit, expected a whole number\n"
        "10:16+3: error: there are no floats of 8 bits, expected a whole number\n" },
      { "function @f {\n  %1:16 = const 65520.0\n  %2:32 = const 1e39\n  %3:64 = const "
        "-1e999999999\n"
        "  %4:32 = const 1.5.5\n  %5:32 = const 1e\n  %6:32 = const 12x4\n  %7:32 = const 0x\n"
        "  %8:32 = const 0xfg\n  %9:32 = const maybe\n  %10:1 = const maybe\n  %11:32 = const "
        "true\n"
        "  %12:32 = const\n  %13:32 = const -\n}",
        "2:17+7: error: this is too large for a float of 16 bits, expected inf for infinity\n"
        "3:17+4: error: this is too large for a float of 32 bits, expected inf for infinity\n"
        "4:18+11: error: this is too large for a float of 64 bits, expected inf for infinity\n"
        "5:17+5: error: expected a number such as 12, 0x1f or 1.5e-3\n"
        "6:17+2: error: expected a number such as 12, 0x1f or 1.5e-3\n"
        "7:17+4: error: expected a number such as 12, 0x1f or 1.5e-3\n"
        "8:17+2: error: expected a number such as 12, 0x1f or 1.5e-3\n"
        "9:17+4: error: expected a number such as 12, 0x1f or 1.5e-3\n"
        "10:17+5: error: expected a number, found 'maybe'\n"
        "11:17+5: error: expected true or false, found 'maybe'\n"
        "12:18+4: error: expected a number, found 'true'\n"
        "13:17+1: error: expected a number, found the end of the line\n"
        "14:19+1: error: expected a number, found the end of the line\n" },
      { "function @f {\n  %1:32x2 = const 1\n  %2:32x2 = const (1)\n  %3:32x2 = const (1, 2, 3)\n"
        "  %4:32x2 = const (1, 2\n}",
        "2:19+1: error: expected '(' and the components, found '1'\n"
        "3:21+1: error: expected ',' and another component, found ')'\n"
        "4:24+1: error: expected ')' after the last component, found ','\n"
        "5:24+1: error: expected ')' after the last component, found the end of the line\n" },
   };

   CHECK(faults);
}

static void
test_trees(void **state)
{
   (void)state;
   static const struct fault faults[] = {
      { "function @f(%0:1) {\n  break\n}\nfunction @g { loop { } continue { if %0 { continue } } }",
        "2:3+5: error: there is no loop around this, expected one to break\n"
        "4:43+8: error: continue stands in the continue list of its loop, expected it in the body\n"
        "4:38+2: error: unknown value '%0', expected one of this function\n" },
      { "function @f(%0:1) {\n  return\n  %1:1 = undef\n  if %0 {\n  }\n}",
        "3:3+2: error: something follows a jump, expected '}'\n" },
      { "function @f(%0:1) {\n  loop {\n    if %0 { break }\n  } continue {\n    return\n  }\n}",
        "6:3+1: error: a continue list ends in a jump, expected it to go back to the loop\n" },
      { "function @f(%0:1) {\nb0:\n  %1:1 = undef\nb1:\n  if %0 {\n  }\nb2:\nb3:\nb2:\n}",
        "4:1+2: error: a block begins in the middle of a list, expected it at the beginning or "
        "after an if or a loop\n"
        "8:1+2: error: a block begins in the middle of a list, expected it at the beginning or "
        "after an if or a loop\n"
        "9:1+2: error: block 'b2' is defined twice\n"
        "7:1+2: note: the first definition is here\n" },
      { "function @f(%0:1) {\n  if {\n    %1:1 = bad\n  } else %0 {\n  }\n  loop %0 {\n  }\n"
        "  if\n  loop\n}",
        "2:6+1: error: expected a value such as %1, found '{'\n"
        "3:12+3: error: unknown instruction 'bad'\n"
        "4:10+2: error: expected '{', found '%0'\n"
        "6:8+2: error: expected '{' after loop, found '%0'\n"
        "8:5+1: error: expected a value such as %1, found the end of the line\n"
        "9:7+1: error: expected '{' after loop, found the end of the line\n" },
      { "function @f(%0:1) {\n  b0 header:\n  if %0 @\"x\":y {\n  }\n  goto b0\n}",
        "2:6+6: error: only blocks of flat functions are declared to be headers, members or "
        "continue blocks, expected ':'\n"
        "3:14+1: error: expected the line of the location, found 'y'\n"
        "5:3+4: error: goto is a jump of flat functions only\n" },
      { "function @f(%0:1) {\n  )\n  %x\n  $x\n  \x01\n  %3x:32 = undef\n  while %0 {\n    bad {\n"
        "  } }\n  } else {\n}",
        "2:3+1: error: expected an instruction, a block or '}', found ')'\n"
        "3:5+1: error: expected ':' and the size of the value, found the end of the line\n"
        "4:3+2: error: expected an instruction, a block or '}', found '$x'\n"
        "5:3+1: error: expected an instruction, a block or '}', found the byte 0x01\n"
        "6:3+3: error: expected an instruction, a block or '}', found '%3x'\n"
        "7:3+5: error: unknown instruction 'while'\n"
        "10:5+4: error: expected function or flat, found 'else'\n" },
      { "function @f(%0:1) {\n  ( {\n}", "2:3+1: error: expected an instruction, a block or '}', "
                                         "found '('\n"
                                         "3:2+1: error: expected '}', found the end of the text\n"
                                         "1:19+1: note: what it would close begins here\n" },
      { "function @f(%0:1) {\n  b1: %1:1 = phi b0: %0\n  %2:1 = phi\n  if %0 { b2:\n } else { }\n"
        "  %3:1 = phi b2: %0\n  b4: %4:1 = phi b2: %0, b2: %0\n}",
        "7:3+2: error: a block begins in the middle of a list, expected it at the beginning or "
        "after an if or a loop\n"
        "2:18+2: error: unknown block 'b0', expected one of this function\n" },
   };

   CHECK(faults);
}

static void
test_phis(void **state)
{
   (void)state;
   static const struct fault faults[] = {
      { "function @f(%0:1) {\n  b1:\n  %1:1 = phi b1: %0\n  if %0 { b2:\n } else { }\n"
        "  %3:1 = phi b2: %0\n}",
        "3:14+2: error: 'b1' is not a predecessor of the phi's block\n"
        "6:10+3: error: the phi has no value for a predecessor that has no label, expected one for "
        "each predecessor\n" },
      { "function @f(%0:1) {\n  if %0 { b2:\n } else { b3: }\n"
        "  %3:1 = phi b2: %0, b2: %0\n  %4:1 = phi b2: %0\n  %5:1 = iadd %0, %0\n"
        "  %6:1 = phi b2: %0, b3: %0\n}",
        "7:10+3: error: a phi stands after another instruction, expected it at the head of its "
        "block\n" },
      { "function @f(%0:1) {\n  if %0 { b2:\n } else { b3: }\n"
        "  %3:1 = phi b2: %0, b2: %0\n  %4:1 = phi b2: %0\n}",
        "4:22+2: error: 'b2' is named twice, expected one value from each predecessor\n"
        "5:10+3: error: the phi has no value for 'b3', expected one for each predecessor\n" },
      { "function @f(%0:1) {\n  %1:1 = phi b2 %0\n  %2:1 = phi b2: 1\n  %3:1 = phi b2: %0,\n"
        "  %4:1 = phi b9: %8\n}",
        "2:17+2: error: expected ':' and the value from this block, found '%0'\n"
        "3:18+1: error: expected a value such as %1, found '1'\n"
        "4:21+1: error: expected a block such as b1, found the end of the line\n"
        "2:14+2: error: unknown block 'b2', expected one of this function\n"
        "5:14+2: error: unknown block 'b9', expected one of this function\n"
        "5:18+2: error: unknown value '%8', expected one of this function\n" },
   };

   CHECK(faults);
}

static void
test_flat(void **state)
{
   (void)state;
   static const struct fault faults[] = {
      { "flat function @f(%0:1) {\n  b0:\n  b1: %1:1 = undef\n  b2: goto b3\n  %2:1 = undef\n"
        "  %3:1 = undef\n}",
        "3:3+2: error: the block before this one has no jump, expected goto, goto_if, switch, "
        "return or halt at its end\n"
        "4:3+2: error: the block before this one has no jump, expected goto, goto_if, switch, "
        "return or halt at its end\n"
        "5:3+2: error: something follows a jump, expected a block such as b1: or '}'\n" },
      { "flat function @f(%0:1) {\n}", "2:1+1: error: the last block has no jump, expected goto, "
                                       "goto_if, switch, return or halt at its end\n" },
      { "flat function @f(%0:1) {\n  if %0 {\n  }\n  goto\n}",
        "2:3+2: error: if stands in a flat function, expected jumps only\n"
        "4:7+1: error: expected a block such as b1, found the end of the line\n" },
      { "flat function @f(%0:1) {\n  b0: break\n  b1: goto_if %0, b1, b1\n  b2: goto_if %0, b1\n"
        "  b3: goto_if b1, b2\n  b4: goto %0\n  b5: goto_if %0, b1, %0\n  b6: goto b9\n"
        "  b7 in b8 in b9: halt\n  b1: halt\n}",
        "2:7+5: error: break is a jump of structured functions only\n"
        "3:23+2: error: both targets are the same block, expected two\n"
        "4:21+1: error: expected ',' and a block, found the end of the line\n"
        "5:15+2: error: expected a value such as %1, found 'b1'\n"
        "6:12+2: error: expected a block such as b1, found '%0'\n"
        "7:23+2: error: expected a block such as b1, found '%0'\n"
        "9:12+2: error: this is declared twice\n"
        "10:3+2: error: block 'b1' is defined twice\n"
        "3:3+2: note: the first definition is here\n"
        "8:12+2: error: unknown block 'b9', expected one of this function\n"
        "9:9+2: error: unknown block 'b8', expected one of this function\n" },
      { "flat function @f(%0:8) {\n  b0: switch %0, b1 [ 256: b1 ]\n  b1: switch %0 [ ]\n"
        "  b2: switch b1\n  b3: switch %0, b1\n  b4: switch %0, b1 [ 1 b1 ]\n"
        "  b5: switch %0, b1 [ 1: %0 ]\n  b6: switch %0, b1 [ 1: b1 2: b1 ]\n"
        "  b7: switch %0, b1 [ 1: b1, ]\n}",
        "2:23+3: error: this does not fit 8 bits\n"
        "3:17+1: error: expected ',' and the block for all other values, found '['\n"
        "4:14+2: error: expected a value such as %1, found 'b1'\n"
        "5:20+1: error: expected '[' and the cases, found the end of the line\n"
        "6:25+2: error: expected ':' and the block of the case, found 'b1'\n"
        "7:26+2: error: expected a block such as b1, found '%0'\n"
        "8:29+1: error: expected ',' or ']' after the case, found '2'\n"
        "9:30+1: error: expected a number, found ']'\n" },
      { "flat function @f {\n  b0 header header: halt\n  b1 \"x\" y: halt\n  b2 in: halt\n"
        "  b3 continues\n  b4 header\n halt\n  b5 \"\\y\": halt\n}",
        "2:13+6: error: this is declared twice\n"
        "3:10+1: error: expected ':', header, in, continues, unroll or rolled, found 'y'\n"
        "4:8+1: error: expected a block such as b1, found ':'\n"
        "5:15+1: error: expected a block such as b1, found the end of the line\n"
        "6:12+1: error: expected ':' after the block, found the end of the line\n"
        "8:7+2: error: expected one of the escapes \\\\ \\\" \\n \\t \\x01 to \\xff\n" },
   };

   CHECK(faults);
}

/* No line is too long, no byte too odd. */
static void
test_any_bytes(void **state)
{
   (void)state;
   assert_messages("function @f {\0}", 15,
                   "1:14+1: error: expected an instruction, a block or '}', found the byte 0x00\n");
   assert_messages("function @\"a\0b\" {}", 18,
                   "1:13+1: error: a string cannot hold a zero byte\n");
   assert_messages("function @f { %a\0b:32 = undef }", 31,
                   "1:17+1: error: expected ':' and the size of the value, found the byte 0x00\n");
   assert_messages("function @f { \xff\xfe }", 18,
                   "1:15+1: error: expected an instruction, a block or '}', found the byte 0xff\n");
}

/* Fifty errors and a note, however many there are. */
static void
test_error_limit(void **state)
{
   (void)state;
   hd_blob text = { 0 }, messages = { 0 };
   hd_config config = { .diag = { &messages, collect } };
   hd_shader *shader = NULL;
   unsigned errors = 0, notes = 0;

   hd_blob_printf(&text, "function @f {\n");
   for (unsigned n = 0; n < 1000; n++)
      hd_blob_printf(&text, "  bad\n");
   hd_blob_printf(&text, "}\n");
   assert_int_equal(hd_parse(&config, "test", text.data, text.size, &shader), HD_INVALID);
   for (const char *s = messages.data; (s = strstr(s, ": error: ")); s++)
      errors++;
   for (const char *s = messages.data; (s = strstr(s, ": note: ")); s++)
      notes++;
   assert_int_equal(errors, HD_PARSE_MAX_ERRORS);
   assert_int_equal(notes, 1);
   hd_blob_finish(&messages);
   hd_blob_finish(&text);
}

/* Whatever comes of it: parsed and sound, or refused with a message. */
static void
parse_anything(const char *text, size_t size)
{
   hd_blob messages = { 0 };
   hd_config config = { .diag = { &messages, collect } };
   hd_shader *shader = NULL;
   /* A block of just this size: the sanitizer sees a read past its end. */
   char *exact = malloc(size ? size : 1);

   memcpy(exact, text, size);
   hd_result result = hd_parse(&config, "test", exact, size, &shader);
   free(exact);
   if (result != HD_OK) {
      assert_int_equal(result, HD_INVALID);
      assert_non_null(strstr(messages.data ? messages.data : "", ": error: "));
   } else {
      hd_foreach_function(f, shader) {
         const char *fault = naive_check(f);
         if (fault)
            fail_msg("@%s: %s", f->name, fault);
      }
      hd_shader_destroy(shader);
   }
   hd_blob_finish(&messages);
}

static hd_blob
sample_text(void)
{
   hd_shader *shader = sample_features(NULL);
   hd_blob text = { 0 };

   assert_int_equal(hd_print_shader(shader, NULL, &text), HD_OK);
   hd_shader_destroy(shader);
   return text;
}

static void
test_every_truncation(void **state)
{
   (void)state;
   hd_blob text = sample_text();

   for (size_t n = 0; n < text.size; n++)
      parse_anything(text.data, n);
   hd_blob_finish(&text);
}

static void
test_every_byte_changed(void **state)
{
   static const char others[] = "\0\n\"%{}:,b7 .@=";
   hd_blob text = sample_text();

   (void)state;
   for (size_t n = 0; n < text.size; n++) {
      char was = text.data[n];
      /* Three of the other bytes at each place, all of them over the text. */
      for (size_t k = 0; k < 3; k++) {
         text.data[n] = others[(n + 5 * k) % sizeof(others)];
         parse_anything(text.data, text.size);
      }
      text.data[n] = was;
   }
   hd_blob_finish(&text);
}

static void
test_every_line_removed_or_doubled(void **state)
{
   hd_blob text = sample_text();

   (void)state;
   for (char *line = text.data; *line;) {
      char *next = strchr(line, '\n') + 1;
      hd_blob changed = { 0 };
      hd_blob_append(&changed, text.data, (size_t)(line - text.data));
      hd_blob_append(&changed, next, (size_t)(text.data + text.size - next));
      parse_anything(changed.data, changed.size);
      changed.size = 0;
      hd_blob_append(&changed, text.data, (size_t)(next - text.data));
      hd_blob_append(&changed, line, (size_t)(text.data + text.size - line));
      parse_anything(changed.data, changed.size);
      hd_blob_finish(&changed);
      line = next;
   }
   hd_blob_finish(&text);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shaders),
      cmocka_unit_test(test_functions),
      cmocka_unit_test(test_instructions),
      cmocka_unit_test(test_constants),
      cmocka_unit_test(test_trees),
      cmocka_unit_test(test_phis),
      cmocka_unit_test(test_flat),
      cmocka_unit_test(test_any_bytes),
      cmocka_unit_test(test_error_limit),
      cmocka_unit_test(test_every_truncation),
      cmocka_unit_test(test_every_byte_changed),
      cmocka_unit_test(test_every_line_removed_or_doubled),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
