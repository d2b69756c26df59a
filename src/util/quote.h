/* SPDX-License-Identifier: MIT */
/* quote.h - escape unprintable characters of strings that come from the input, and read escapes. */
#ifndef HEDDLE_UTIL_QUOTE_H
#define HEDDLE_UTIL_QUOTE_H

#include "heddle/base.h"

/* The bytes of the UTF-8 character at `s`, of which `left` may be read; 0 where there is none. */
size_t hd_utf8_length(const char *s, size_t left);

#define HD_SHOWN_MAX 4u

/* One character as it is shown: itself where it is printable UTF-8, else its first byte as `\xNN`.
 * Writes up to HD_SHOWN_MAX bytes to `out` and returns how many; *taken is how many of `s` these
 * stand for.
 */
unsigned hd_show_char(const char *s, size_t left, char *out, size_t *taken);

#define HD_JSON_MAX 6u

/* The same as it is in a string of JSON, up to HD_JSON_MAX bytes. */
unsigned hd_json_char(const char *s, size_t left, char *out, size_t *taken);

/* The value of a hexadecimal digit, or -1. */
int hd_hex_digit(char c);

/* One escape of a quoted string, after its backslash; how long it is, or 0 where it is none. */
size_t hd_unescape(const char *s, const char *end, char *c);

/* Does the name need no quotes in the text form? */
bool hd_is_plain_name(const char *name);

/* Give a message to a sink, if there is one. The only way to do so: names may stand raw in
 * `diag->message`, it is escaped here.
 */
void hd_diag_send(const hd_diag_sink *sink, const hd_diag *diag);

#endif
