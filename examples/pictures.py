# SPDX-License-Identifier: MIT
"""Pictures (PNG) of what a run wrote and of what its lanes did.

    pictures.py image WIDTH HEIGHT PIXELS OUT     PIXELS: 4 bytes each, red, green, blue, alpha
    pictures.py lanes TRACE OUT [WORKGROUP]       TRACE: `heddle run --target=CHIP --trace=json`

The second one draws the first wave of a workgroup, the one that runs longest where none is named:
a row for each instruction that it issued, from top to bottom, with a place for each lane. A lane is
light where exec has its bit.
"""

import json
import pathlib
import struct
import sys
import zlib

LANES = 64
CELL = 4  # pixels that a lane is wide
TALLEST = 900
ACTIVE, IDLE, SCALAR = (255, 214, 102), (36, 40, 59), (86, 156, 214)


def write_png(path, width, rows):
   """Rows of bytes, three a pixel."""
   def chunk(kind, data):
      body = kind + data
      return struct.pack('>I', len(data)) + body + struct.pack('>I', zlib.crc32(body))

   header = struct.pack('>IIBBBBB', width, len(rows), 8, 2, 0, 0, 0)
   data = zlib.compress(b''.join(b'\0' + row for row in rows), 9)
   path.write_bytes(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header) + chunk(b'IDAT', data) +
                    chunk(b'IEND', b''))


def draw_image(width, height, pixels, out):
   data = pixels.read_bytes()
   if len(data) < 4 * width * height:
      sys.exit(f'{pixels} has {len(data)} bytes, {width} x {height} pixels need '
               f'{4 * width * height}')
   rows = []
   for y in range(height):
      row = data[4 * width * y:4 * width * (y + 1)]
      rows.append(b''.join(row[4 * x:4 * x + 3] for x in range(width)))
   write_png(out, width, rows)


def read_trace(lines):
   """For each workgroup the steps of its first wave."""
   waves = {}
   for line in lines:
      if line.startswith('{'):
         step = json.loads(line)
         if step['wave'] == 0:
            waves.setdefault(step['workgroup'], []).append((step['text'], int(step['exec'], 16)))
   return waves


def lane_row(text, mask):
   active = SCALAR if text.startswith('s_') else ACTIVE
   return b''.join(bytes(active if mask >> lane & 1 else IDLE) * CELL for lane in range(LANES))


def draw_lanes(trace, out, workgroup=None):
   waves = read_trace(trace.read_text().splitlines())
   if not waves:
      sys.exit(f'{trace} has no steps of a machine')
   if workgroup is None:
      workgroup = max(waves, key=lambda n: len(waves[n]))
   steps = waves[workgroup]
   # Where there are more steps than rows, every n-th is drawn.
   stride = (len(steps) + TALLEST - 1) // TALLEST
   steps = steps[::stride]
   tall = max(1, min(6, TALLEST // len(steps)))
   rows = [row for text, mask in steps for row in [lane_row(text, mask)] * tall]
   write_png(out, LANES * CELL, rows)
   return workgroup


def main():
   arguments = sys.argv[1:]
   if arguments[:1] == ['image'] and len(arguments) == 5:
      draw_image(int(arguments[1]), int(arguments[2]), pathlib.Path(arguments[3]),
                 pathlib.Path(arguments[4]))
   elif arguments[:1] == ['lanes'] and len(arguments) in (3, 4):
      draw_lanes(pathlib.Path(arguments[1]), pathlib.Path(arguments[2]),
                 int(arguments[3]) if len(arguments) == 4 else None)
   else:
      sys.exit(__doc__)


if __name__ == '__main__':
   main()
