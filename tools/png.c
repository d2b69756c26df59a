/* SPDX-License-Identifier: MIT */
/* png.c - pictures as PNG (RFC 2083), in stored blocks of zlib (RFC 1950, 1951). */
#include "png.h"

#define MAX_STORED 65535u

static void
append_big(hd_blob *out, uint32_t n)
{
   const uint8_t bytes[4] = { (uint8_t)(n >> 24), (uint8_t)(n >> 16), (uint8_t)(n >> 8),
                              (uint8_t)n };

   hd_blob_append(out, bytes, 4);
}

static uint32_t
crc_of(const uint8_t *bytes, size_t size)
{
   uint32_t crc = UINT32_MAX;

   for (size_t n = 0; n < size; n++) {
      crc ^= bytes[n];
      for (unsigned k = 0; k < 8; k++)
         crc = crc & 1 ? crc >> 1 ^ UINT32_C(0xedb88320) : crc >> 1;
   }
   return ~crc;
}

/* `type` and data of a chunk stand in `chunk`. */
static void
append_chunk(hd_blob *out, hd_blob *chunk)
{
   if (chunk->result == HD_OK) {
      append_big(out, (uint32_t)chunk->size - 4);
      hd_blob_append(out, chunk->data, chunk->size);
      append_big(out, crc_of((const uint8_t *)chunk->data, chunk->size));
   } else {
      out->result = chunk->result;
   }
   hd_blob_finish(chunk);
}

static void
append_stored(hd_blob *out, const uint8_t *bytes, size_t size)
{
   uint32_t low = 1, high = 0;

   hd_blob_append(out, "\x78\x01", 2);
   for (size_t at = 0; at < size; at += MAX_STORED) {
      const size_t length = size - at < MAX_STORED ? size - at : MAX_STORED;
      const uint8_t head[5] = { at + length == size, (uint8_t)length, (uint8_t)(length >> 8),
                                (uint8_t)~length, (uint8_t)(~length >> 8) };
      hd_blob_append(out, head, 5);
      hd_blob_append(out, bytes + at, length);
   }
   for (size_t n = 0; n < size; n++) {
      low = (low + bytes[n]) % 65521;
      high = (high + low) % 65521;
   }
   append_big(out, high << 16 | low);
}

void
png_append(hd_blob *out, const uint8_t *rgba, uint32_t width, uint32_t height)
{
   hd_blob chunk = { 0 }, rows = { 0 };

   hd_blob_append(out, "\x89PNG\r\n\x1a\n", 8);
   hd_blob_append(&chunk, "IHDR", 4);
   append_big(&chunk, width);
   append_big(&chunk, height);
   hd_blob_append(&chunk, "\x08\x06\x00\x00\x00", 5);
   append_chunk(out, &chunk);
   for (uint32_t y = 0; y < height; y++) {
      hd_blob_append(&rows, "\0", 1); /* no filter */
      hd_blob_append(&rows, rgba + (size_t)y * width * 4, (size_t)width * 4);
   }
   hd_blob_append(&chunk, "IDAT", 4);
   if (rows.result == HD_OK)
      append_stored(&chunk, (const uint8_t *)rows.data, rows.size);
   else
      chunk.result = rows.result;
   hd_blob_finish(&rows);
   append_chunk(out, &chunk);
   hd_blob_append(&chunk, "IEND", 4);
   append_chunk(out, &chunk);
}
