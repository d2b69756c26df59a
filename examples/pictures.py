# SPDX-License-Identifier: MIT
"""Pictures (PNG) of what a run wrote and of what its lanes did.

    pictures.py image WIDTH HEIGHT PIXELS OUT     PIXELS: 4 bytes each, red, green, blue, alpha
    pictures.py lanes TRACE OUT [WORKGROUP]       TRACE: `heddle run --target=CHIP --trace=json`
    pictures.py scene WIDTH HEIGHT PIXELS TRACE OUT
                                                  both side by side; TRACE: of examples/driver, one wave of fragments

The second one draws the first wave of a workgroup, the one that runs longest where none is named:
a row for each instruction that it issued, from top to bottom, with a place for each lane. A lane is
light where exec has its bit, and of another colour if it is a helper, where the trace has the lanes that are `covered`. The
third one also prints which lanes run: # a lane that is covered, h a helper.
"""

import itertools
import json
import pathlib
import struct
import sys
import zlib

LANES = 64
CELL = 4  # pixels that a lane is wide
TALLEST = 900
ACTIVE, IDLE, SCALAR, HELPER = (255, 214, 102), (36, 40, 59), (86, 156, 214), (224, 82, 99)
SCALE = 4  # of pixels beside lanes


def write_png(path, width, rows):
   """Rows of bytes, three a pixel."""
   def chunk(kind, data):
      body = kind + data
      return struct.pack('>I', len(data)) + body + struct.pack('>I', zlib.crc32(body))

   header = struct.pack('>IIBBBBB', width, len(rows), 8, 2, 0, 0, 0)
   data = zlib.compress(b''.join(b'\0' + row for row in rows), 9)
   path.write_bytes(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header) + chunk(b'IDAT', data) +
                    chunk(b'IEND', b''))


def read_image(width, height, pixels):
   """Rows of bytes, three a pixel."""
   data = pixels.read_bytes()
   if len(data) < 4 * width * height:
      sys.exit(f'{pixels} has {len(data)} bytes, {width} x {height} pixels need '
               f'{4 * width * height}')
   rows = []
   for y in range(height):
      row = data[4 * width * y:4 * width * (y + 1)]
      rows.append(b''.join(row[4 * x:4 * x + 3] for x in range(width)))
   return rows


def read_trace(lines):
   """For each workgroup the steps of its first wave."""
   waves = {}
   for line in lines:
      if line.startswith('{'):
         step = json.loads(line)
         if step['wave'] == 0:
            mask = int(step['mask'], 16)
            waves.setdefault(step['workgroup'], []).append(
               (step['text'], mask, mask & ~int(step.get('covered', step['mask']), 16)))
   return waves


def lane_row(text, mask, helpers):
   active = SCALAR if text.startswith('s_') else ACTIVE
   return b''.join(bytes(HELPER if helpers >> lane & 1 else active if mask >> lane & 1 else IDLE) * CELL
                   for lane in range(LANES))


def lane_rows(steps, tallest, most):
   """Rows of pixels: where there are more steps than rows, of every n-th."""
   steps = steps[::(len(steps) + tallest - 1) // tallest]
   tall = max(1, min(most, tallest // len(steps)))
   return [row for step in steps for row in [lane_row(*step)] * tall]


def draw_lanes(trace, out, workgroup=None):
   waves = read_trace(trace.read_text().splitlines())
   if not waves:
      sys.exit(f'{trace} has no steps of a machine')
   if workgroup is None:
      workgroup = max(waves, key=lambda n: len(waves[n]))
   write_png(out, LANES * CELL, lane_rows(waves[workgroup], TALLEST, 6))
   return workgroup


def print_lanes(steps):
   """A line for instructions in a row that the same lanes run."""
   for (mask, helpers), run in itertools.groupby(steps, lambda step: step[1:]):
      run = list(run)
      lanes = ''.join('h' if helpers >> lane & 1 else '#' if mask >> lane & 1 else '.' for lane in range(LANES))
      print(f'{len(run):4} {lanes} {run[0][0]}')


def draw_scene(width, height, pixels, trace, out):
   steps = next(iter(read_trace(trace.read_text().splitlines()).values()), None)
   if not steps:
      sys.exit(f'{trace} has no steps of a machine')
   rows = [b''.join(row[3 * x:3 * x + 3] * SCALE for x in range(width))
           for row in read_image(width, height, pixels) for _ in range(SCALE)]
   lanes = lane_rows(steps, len(rows), len(rows))
   lanes += [bytes(IDLE) * LANES * CELL] * (len(rows) - len(lanes))
   gap = b'\xff' * 3 * 8
   write_png(out, width * SCALE + 8 + LANES * CELL, [a + gap + b for a, b in zip(rows, lanes)])
   print_lanes(steps)


def main():
   arguments = sys.argv[1:]
   if arguments[:1] == ['image'] and len(arguments) == 5:
      width, height, *paths = arguments[1:]
      write_png(pathlib.Path(paths[1]), int(width), read_image(int(width), int(height), pathlib.Path(paths[0])))
   elif arguments[:1] == ['scene'] and len(arguments) == 6:
      draw_scene(int(arguments[1]), int(arguments[2]), *map(pathlib.Path, arguments[3:]))
   elif arguments[:1] == ['lanes'] and len(arguments) in (3, 4):
      draw_lanes(pathlib.Path(arguments[1]), pathlib.Path(arguments[2]),
                 int(arguments[3]) if len(arguments) == 4 else None)
   else:
      sys.exit(__doc__)


if __name__ == '__main__':
   main()
