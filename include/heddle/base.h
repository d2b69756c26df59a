/* SPDX-License-Identifier: MIT */
/* base.h - results, memory, budgets and diagnostics: what every call of the library shares.
 *
 * The library keeps no global state. The host passes an hd_config: the allocator, a budget of memory
 * and work for one shader, and the diagnostics sink. Different shaders may be used from different
 * threads at once. So may one shader by
 * calls that take it, or a part of it, as const (print, write, hash, clone, compile, walk it), as
 * long as no call changes it meanwhile; each of them may then spend the whole step budget, and what
 * the memory budget leaves beside the shader. Allocator and sink must allow this, too.
 */
#ifndef HEDDLE_BASE_H
#define HEDDLE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
#define HD_BEGIN_DECLS extern "C" {
#define HD_END_DECLS   }
#else
#define HD_BEGIN_DECLS
#define HD_END_DECLS
#endif

/* HD_BUILD: the library is being built. HD_DLL: the caller links the shared one. */
#if defined(_WIN32) && defined(HD_BUILD)
#define HD_API __declspec(dllexport)
#elif defined(_WIN32) && defined(HD_DLL)
#define HD_API __declspec(dllimport)
#elif defined(__GNUC__) && !defined(_WIN32)
#define HD_API __attribute__((visibility("default")))
#else
#define HD_API
#endif

#if defined(__MINGW32__)
#define HD_PRINTF(fmt, va) __attribute__((format(gnu_printf, fmt, va)))
#define HD_NORETURN        __attribute__((noreturn))
#elif defined(__GNUC__)
#define HD_PRINTF(fmt, va) __attribute__((format(printf, fmt, va)))
#define HD_NORETURN        __attribute__((noreturn))
#else
#define HD_PRINTF(fmt, va)
#define HD_NORETURN
#endif

/* Of a struct's first field: the struct's address is a multiple of `bytes` on every host. */
#ifdef __cplusplus
#define HD_ALIGNED(bytes) alignas(bytes)
#else
#define HD_ALIGNED(bytes) _Alignas(bytes)
#endif

HD_BEGIN_DECLS

#define HD_VERSION_MAJOR 0
#define HD_VERSION_MINOR 1
#define HD_VERSION_PATCH 0

/* How a call ended. Everything but HD_OK leaves the outputs of the call as they were, unless the
 * call says otherwise.
 */
typedef enum hd_result {
   HD_OK = 0,
   HD_INVALID,         /* the input breaks a rule; a diagnostic says which and where */
   HD_OUT_OF_MEMORY,   /* the allocator returned NULL */
   HD_BUDGET_EXCEEDED, /* the memory or the steps that hd_config allows ran out */
   HD_UNSUPPORTED,     /* the input is meaningful, but this version of the library can't do it */
   HD_BAD_LAUNCH,      /* a launch that the program cannot be given; a diagnostic says why */
   HD_FAULT,           /* a program that was run did what no program may; a diagnostic says what */
} hd_result;

/* "ok", "invalid", "out of memory", ...: a static string. */
HD_API const char *hd_result_name(hd_result result);

/* "0.1.0". */
HD_API const char *hd_version(void);

/* Where memory comes from. `alloc` gets a size above 0 and returns memory aligned for any object,
 * or NULL; `free` gets back what `alloc` returned and the size that was asked for. Both must be
 * callable from every thread that uses a shader made with them.
 */
typedef struct hd_allocator {
   void *user;
   void *(*alloc)(void *user, size_t size);
   void (*free)(void *user, void *ptr, size_t size);
} hd_allocator;

/* What one shader may cost; 0 is no limit. `memory` bounds the bytes held at any time, `steps` the
 * work of each call: about one step for each instruction, block or source that is looked at. No
 * shader holds more than a quarter of the address space (1 GiB where pointers have 32 bits); what
 * would is HD_OUT_OF_MEMORY.
 */
typedef struct hd_budget {
   size_t memory;
   uint64_t steps;
} hd_budget;

typedef enum hd_severity { HD_NOTE, HD_WARNING, HD_ERROR } hd_severity;

/* One message. All strings belong to the library and live until the sink returns. `file` and `text`
 * are as in the input, control characters and all.
 */
typedef struct hd_diag {
   hd_severity severity;
   const char *file;    /* as the caller named the input; NULL when there is none */
   uint32_t line;       /* from 1; 0 when the location is not in a text */
   uint32_t column;     /* from 1, in bytes; 0 when only the line is known */
   uint32_t length;     /* bytes to underline, at least 1 where column is not 0 */
   uint64_t offset;     /* byte offset for binary inputs, else 0 */
   const char *rule;    /* the broken invariant ("SSA1"), or NULL */
   const char *message; /* one line, without a full stop: what, and what was expected. Names in it
                         * come from the input: what is not printable is escaped as in the text */
   const char *text;    /* the line of text that `line` and `column` point into, or NULL */
   size_t text_length;
} hd_diag;

typedef struct hd_diag_sink {
   void *user;
   void (*report)(void *user, const hd_diag *diag);
} hd_diag_sink;

typedef struct hd_intrinsic_table hd_intrinsic_table; /* intrinsic.h */

/* What a host brings. Zero-initialised it means malloc and free, no budget, no diagnostics, no
 * intrinsics of its own; a NULL hd_config means the same. It is copied; what `user` pointers and
 * `intrinsics` name must outlive the shader.
 */
typedef struct hd_config {
   hd_allocator allocator;
   hd_budget budget;
   hd_diag_sink diag;
   const hd_intrinsic_table *intrinsics; /* NULL: none */
} hd_config;

/* A sink that writes every message with hd_diag_print to the FILE that `user` is. */
HD_API hd_diag_sink hd_diag_to_file(FILE *file);

/* Write `file:line:column: error: message [RULE]`, the line of text and a caret under it. Control
 * bytes of the input are shown escaped, long lines are cut around the caret. `color` adds terminal
 * escapes.
 */
HD_API void hd_diag_print(FILE *file, const hd_diag *diag, bool color);

/* The same as one line of JSON, without a newline. */
HD_API void hd_diag_print_json(FILE *file, const hd_diag *diag);

/* A growing run of bytes: what printers and writers produce.
 *
 * Zero-initialised it is empty and uses malloc. The first failure is kept in `result`; from then
 * on additions do nothing. When `result` is HD_OK, data[size] is 0 so that text can be used as a
 * string.
 */
typedef struct hd_blob {
   char *data;
   size_t size;
   size_t capacity;
   hd_result result;
   hd_allocator allocator;
} hd_blob;

HD_API void hd_blob_init(hd_blob *blob, const hd_config *config);
HD_API void hd_blob_append(hd_blob *blob, const void *data, size_t size);
HD_API void hd_blob_printf(hd_blob *blob, const char *format, ...) HD_PRINTF(2, 3);

/* Names are strings of any bytes but 0. Who shows one to people, or to a program that reads lines,
 * does it by these, so that no name can end a line, a comment or a string, or command a terminal.
 * Printable characters of UTF-8 stay as they are; for control characters (those of U+0080 to U+009F
 * and what turns the direction of text included) and what is no UTF-8 stands `\xNN`, byte by byte.
 */
/* Without quotes, for a line of which it is a part: `"` and `\` stay as they are. */
HD_API void hd_blob_escape(hd_blob *blob, const char *string);
/* In quotes, `"` and `\` escaped: the string of the text form. */
HD_API void hd_blob_quote(hd_blob *blob, const char *string);
/* As the text form writes a name after its sigil, `@main` or `@"a b"`: in quotes unless it consists
 * of letters, digits, `_` and `.`. Without one where `sigil` is 0.
 */
HD_API void hd_blob_name(hd_blob *blob, char sigil, const char *name);
/* A string of JSON: control characters are `\uNNNN`, a byte that is no UTF-8 is U+FFFD. */
HD_API void hd_blob_json(hd_blob *blob, const char *string, size_t length);
/* Free the bytes; the blob is empty again and may be used again. */
HD_API void hd_blob_finish(hd_blob *blob);

HD_END_DECLS

#endif
