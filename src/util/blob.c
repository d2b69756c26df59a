/* SPDX-License-Identifier: MIT */
/* blob.c - growable byte buffers. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "util/quote.h"

static void *
blob_alloc(hd_blob *blob, size_t size)
{
   return blob->allocator.alloc ? blob->allocator.alloc(blob->allocator.user, size) : malloc(size);
}

static void
blob_free(hd_blob *blob, void *ptr, size_t size)
{
   if (!ptr)
      return;
   if (blob->allocator.alloc)
      blob->allocator.free(blob->allocator.user, ptr, size);
   else
      free(ptr);
}

void
hd_blob_init(hd_blob *blob, const hd_config *config)
{
   memset(blob, 0, sizeof(*blob));
   if (config)
      blob->allocator = config->allocator;
}

void
hd_blob_finish(hd_blob *blob)
{
   hd_allocator allocator = blob->allocator;

   blob_free(blob, blob->data, blob->capacity);
   memset(blob, 0, sizeof(*blob));
   blob->allocator = allocator;
}

/* Room for `size` bytes more and the 0 after them. */
static bool
blob_grow(hd_blob *blob, size_t size)
{
   if (blob->result != HD_OK)
      return false;
   if (blob->capacity && size < blob->capacity - blob->size)
      return true;
   if (size >= SIZE_MAX / 4 || blob->size >= SIZE_MAX / 4) {
      blob->result = HD_OUT_OF_MEMORY;
      return false;
   }
   size_t capacity = blob->capacity ? blob->capacity * 2 : 256;
   if (capacity < blob->size + size + 1)
      capacity = blob->size + size + 1;
   char *data = blob_alloc(blob, capacity);
   if (!data) {
      blob->result = HD_OUT_OF_MEMORY;
      return false;
   }
   if (blob->size)
      memcpy(data, blob->data, blob->size);
   blob_free(blob, blob->data, blob->capacity);
   blob->data = data;
   blob->capacity = capacity;
   return true;
}

void
hd_blob_append(hd_blob *blob, const void *data, size_t size)
{
   if (!blob_grow(blob, size))
      return;
   if (size)
      memcpy(blob->data + blob->size, data, size);
   blob->size += size;
   blob->data[blob->size] = 0;
}

void
hd_blob_printf(hd_blob *blob, const char *format, ...)
{
   char small[256];
   va_list args;

   va_start(args, format);
   int length = vsnprintf(small, sizeof(small), format, args);
   va_end(args);
   if (length < 0) {
      blob->result = HD_INVALID;
   } else if ((size_t)length < sizeof(small)) {
      hd_blob_append(blob, small, (size_t)length);
   } else if (blob_grow(blob, (size_t)length)) {
      va_start(args, format);
      vsnprintf(blob->data + blob->size, (size_t)length + 1, format, args);
      va_end(args);
      blob->size += (size_t)length;
   }
}

void
hd_blob_escape(hd_blob *blob, const char *string)
{
   size_t taken;

   for (size_t left = strlen(string); left; left -= taken, string += taken) {
      char shown[HD_SHOWN_MAX];
      unsigned n = hd_show_char(string, left, shown, &taken);
      hd_blob_append(blob, shown, n);
   }
}

void
hd_blob_quote(hd_blob *blob, const char *string)
{
   size_t taken;

   hd_blob_append(blob, "\"", 1);
   for (size_t left = strlen(string); left; left -= taken, string += taken) {
      char shown[HD_SHOWN_MAX];
      unsigned n = hd_show_char(string, left, shown, &taken);
      if (*string == '"' || *string == '\\')
         hd_blob_append(blob, "\\", 1);
      hd_blob_append(blob, shown, n);
   }
   hd_blob_append(blob, "\"", 1);
}

void
hd_blob_name(hd_blob *blob, char sigil, const char *name)
{
   if (sigil)
      hd_blob_append(blob, &sigil, 1);
   if (hd_is_plain_name(name))
      hd_blob_append(blob, name, strlen(name));
   else
      hd_blob_quote(blob, name);
}

void
hd_blob_json(hd_blob *blob, const char *string, size_t length)
{
   size_t taken;

   hd_blob_append(blob, "\"", 1);
   for (size_t i = 0; i < length; i += taken) {
      char shown[HD_JSON_MAX];
      unsigned n = hd_json_char(string + i, length - i, shown, &taken);
      hd_blob_append(blob, shown, n);
   }
   hd_blob_append(blob, "\"", 1);
}
