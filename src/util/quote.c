/* SPDX-License-Identifier: MIT */
/* quote.c - escape unprintable characters of strings that come from the input, and read escapes. */
#include "util/quote.h"

#include <string.h>

size_t
hd_utf8_length(const char *string, size_t left)
{
   const unsigned char *s = (const unsigned char *)string;
   size_t n = s[0] < 0x80                   ? 1
              : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
              : (s[0] & 0xf0) == 0xe0       ? 3
              : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                            : 0;

   if (!n || n > left)
      return 0;
   for (size_t i = 1; i < n; i++) {
      if ((s[i] & 0xc0) != 0x80)
         return 0;
   }
   if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
       (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
      return 0;
   return n;
}

/* The number of a character of `n` bytes. */
static uint32_t
code_point(const char *string, size_t n)
{
   const unsigned char *s = (const unsigned char *)string;
   uint32_t code = n == 1 ? s[0] : s[0] & (0x7fu >> n);

   for (size_t i = 1; i < n; i++)
      code = code << 6 | (s[i] & 0x3f);
   return code;
}

/* Control characters, line and paragraph separators, and what turns the direction of text. */
static bool
is_control(uint32_t c)
{
   return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
          (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

static const char hex[] = "0123456789abcdef";

unsigned
hd_show_char(const char *s, size_t left, char *out, size_t *taken)
{
   const size_t n = hd_utf8_length(s, left);

   if (n && !is_control(code_point(s, n))) {
      memcpy(out, s, n);
      *taken = n;
      return (unsigned)n;
   }
   out[0] = '\\';
   out[1] = 'x';
   out[2] = hex[(unsigned char)*s >> 4];
   out[3] = hex[(unsigned char)*s & 15];
   *taken = 1;
   return 4;
}

int
hd_hex_digit(char c)
{
   if (c >= '0' && c <= '9')
      return c - '0';
   if (c >= 'a' && c <= 'f')
      return c - 'a' + 10;
   if (c >= 'A' && c <= 'F')
      return c - 'A' + 10;
   return -1;
}

size_t
hd_unescape(const char *s, const char *end, char *c)
{
   if (s < end && (*s == '"' || *s == '\\')) {
      *c = *s;
      return 1;
   }
   if (s < end && (*s == 'n' || *s == 't')) {
      *c = *s == 'n' ? '\n' : '\t';
      return 1;
   }
   if (end - s < 3 || *s != 'x')
      return 0;
   int high = hd_hex_digit(s[1]), low = hd_hex_digit(s[2]);
   if (high < 0 || low < 0 || high + low == 0)
      return 0;
   *c = (char)(high << 4 | low);
   return 3;
}

bool
hd_is_plain_name(const char *name)
{
   size_t n = strspn(name, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.");

   return n && !name[n];
}

unsigned
hd_json_char(const char *s, size_t left, char *out, size_t *taken)
{
   const size_t n = hd_utf8_length(s, left);
   const uint32_t code = n ? code_point(s, n) : 0xfffd;

   *taken = n ? n : 1;
   if (!n || is_control(code)) {
      out[0] = '\\';
      out[1] = 'u';
      for (unsigned digit = 0; digit < 4; digit++)
         out[2 + digit] = hex[code >> (12 - 4 * digit) & 15];
      return 6;
   }
   if (*s == '"' || *s == '\\') {
      out[0] = '\\';
      out[1] = *s;
      return 2;
   }
   memcpy(out, s, n);
   return (unsigned)n;
}

/* Is nothing in it that hd_show_char would change? */
static bool
is_printable(const char *s)
{
   size_t n;

   for (size_t left = strlen(s); left; left -= n, s += n) {
      n = hd_utf8_length(s, left);
      if (!n || is_control(code_point(s, n)))
         return false;
   }
   return true;
}

void
hd_diag_send(const hd_diag_sink *sink, const hd_diag *diag)
{
   static const char dots[] = "...";
   char message[1024];
   hd_diag shown = *diag;
   size_t used = 0, taken;

   if (!sink->report)
      return;
   if (is_printable(diag->message)) {
      sink->report(sink->user, diag);
      return;
   }
   /* On the stack, because this must work when there is no memory; what is too long is cut. */
   for (const char *s = diag->message; *s; s += taken) {
      if (used + HD_SHOWN_MAX + sizeof(dots) > sizeof(message)) {
         memcpy(message + used, dots, sizeof(dots) - 1);
         used += sizeof(dots) - 1;
         break;
      }
      used += hd_show_char(s, strlen(s), message + used, &taken);
   }
   message[used] = 0;
   shown.message = message;
   sink->report(sink->user, &shown);
}
