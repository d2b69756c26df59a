#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""heddle run --draw: scenes, pictures, and what it says of scenes that make no sense.

    test_drawing.py TOOL SANITIZED
"""
import os
import random
import struct
import zlib

from harness import ROOT, SANITIZED, TAP, expect, finish, get, heddle, path, put

EXAMPLES = os.path.join(ROOT, 'examples')
VERTEX, FRAGMENT = (os.path.join(EXAMPLES, f'lit_{stage}.hd') for stage in ('vertex', 'fragment'))
with open(os.path.join(EXAMPLES, 'lit.scene'), encoding='utf-8') as scene_file:
   SCENE = scene_file.read()


def draw(scene, *args):
   return heddle('run', f"--draw={put('test.scene', scene)}", VERTEX, FRAGMENT, *args)


def read_png(data):
   """(width, height, rows of pixels) of a picture of 8 bits in red, green, blue, alpha, without filters."""
   assert data[:8] == b'\x89PNG\r\n\x1a\n'
   at, packed, size = 8, b'', None
   while at < len(data):
      length, kind = struct.unpack('>I4s', data[at:at + 8])
      body = data[at + 8:at + 8 + length]
      assert struct.unpack('>I', data[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + body)
      if kind == b'IHDR':
         size = struct.unpack('>IIBBBBB', body)
         assert size[2:] == (8, 6, 0, 0, 0)
      elif kind == b'IDAT':
         packed += body
      at += 12 + length
   raw = zlib.decompress(packed)
   width, height = size[:2]
   rows = [raw[y * (1 + 4 * width):][:1 + 4 * width] for y in range(height)]
   assert all(row[0] == 0 for row in rows)
   return width, height, [[tuple(row[1 + 4 * x:][:4]) for x in range(width)] for row in rows]


def printed(done):
   """Rows of words of the first attachment."""
   lines = done.out.decode().splitlines()
   end = next((n for n, line in enumerate(lines[1:], 1) if not line.startswith(' ')), len(lines))
   return [line.split() for line in lines[1:end]]


def test_pictures():
   done = draw(SCENE)
   expect('a scene is printed', done, 0, 'color 0 =', '')
   words = printed(done)
   wide = SCENE.replace('size 8 8', 'size 200 150').replace('r8_unorm', 'rgba8_unorm')
   for text in (SCENE, wide):
      done = draw(text)
      words = printed(done)
      picture = draw(text, '-o', path('out.png'))
      expect('a picture', picture, 0, '', '')
      _, _, pixels = read_png(get('out.png'))
      wanted = [[(tuple(bytes.fromhex(w)[::-1]) + (0, 0, 255)[len(w) // 2 - 1:]) for w in row] for row in words]
      TAP.check('its pixels are those that are printed', pixels == wanted, f'{pixels[0][:3]} {wanted[0][:3]}')
   expect('statistics', draw(SCENE, '-o', path('out.png'), '--stats'), 0, 'fragments: 56\nhelpers: 24\n', '')
   done = draw(SCENE.replace('color r8_unorm', f"color r8_unorm file={path('raw')}").replace('depth r16_unorm', f"depth r16_unorm file={path('deep')}"))
   TAP.check('bytes of attachments', len(get('raw')) == 64 and len(get('deep')) == 128 and not done.out, done.out)
   expect('optimised, it is the same', draw(SCENE, '-O2'), 0, draw(SCENE).out.decode(), '')
   expect('as machine code, it is the same', draw(SCENE, '--target=gfx900'), 0, draw(SCENE).out.decode(), '')
   undefined = 'shader fragment "u" {\n function @main {\n b0:\n%u:32 = undef\n%z:32 = const 0\nstore_output %u, %z location=0\n}\n}\n'
   done = heddle('run', f"--draw={put('test.scene', SCENE)}", VERTEX, put('undefined.hd', undefined))
   expect('undefined texels', done, 0, '?? ?? ?? ??', '')
   done = heddle('run', f"--draw={put('test.scene', SCENE)}", VERTEX)
   expect('depth alone', done, 0, 'depth =\n   4000', '')


def test_refused():
   for line, words in (('size 0 8', 'expected a line `size WIDTH HEIGHT`'), ('size 8', "test.scene:1: '', expected a number"),
                       ('size 8 8 samples=3', '3 samples, expected depth 1, 1 level and 1 or 4'), ('size 70000 8', 'attachments that are not so large'),
                       ('topology quads', "'quads', expected point_list"), ('buffer stride=x', "'x', expected a number"),
                       ('buffer stride=4', 'the bytes of a buffer'), ('attribute 0 0 0 rgb9', "'rgb9', expected a format"),
                       ('attribute 0 9 0 r32_float', 'attribute 0: vertex buffer 9, but there are '), ('color r8', "'r8', expected a format"),
                       ('color r8_unorm blend=over:x', 'expected over, or SRC:DST:OP'), ('depth r8_unorm', 'the depth attachment has format'),
                       ('depth r16_unorm sometimes', "'sometimes', expected"), ('stencil pass=double', 'an operation on the stencil'),
                       ('index u64:1', 'indices of 8 bytes'), ('vertices 100\nindex u8:1', '100 vertices to draw, but the index buffer has 1 indices'),
                       ('viewport 1 2 3', 'expected a number'), ('scissor 1 2 3 -4', 'expected a number'), ('cull left', 'expected none'),
                       ('front left', 'counter_clockwise'), ('tests late', "'late', expected early"), ('paint it', "'paint', expected")):
      base = '\n'.join(l for l in SCENE.splitlines() if not l.startswith(line.split()[0]) or line.split()[0] in ('buffer', 'attribute'))
      done = draw(line + '\n' + base)
      TAP.check(f'{line!r}: refused', done.status in (1, 2) and words in done.err.decode(), f'{done.status} {done.err.decode()}')
   expect('a vertex shader twice', heddle('run', f"--draw={put('s', SCENE)}", VERTEX, VERTEX), 2, '', 'expected a fragment shader')
   expect('no shader', heddle('run', f"--draw={put('s', SCENE)}"), 2, '', 'wants a vertex shader')
   expect('no scene', heddle('run', '--draw=' + path('nowhere'), VERTEX), 2, '', 'nowhere')
   done = heddle('run', f"--draw={put('s', SCENE)}", '--target=nyuzi', VERTEX, FRAGMENT)
   TAP.check('for a machine that draws nothing', done.status in (1, 2) and b'nyuzi' in done.err, done)
   expect('a picture of nothing', heddle('run', '-o', path('x.png'), VERTEX), 2, '', '--output needs --draw')


def test_hostile():
   """Scenes with words dropped, doubled and exchanged: a picture or a message, nothing else."""
   source, bad = random.Random(7), []
   numbers = ['0', '1', '-1', '4294967295', '2147483648', '16385', '1e30', 'nan', 'inf', '7', '64']
   for n in range(40 if SANITIZED else 120):
      lines = [line.split() for line in SCENE.replace('# location, buffer, offset, format', '').splitlines()[1:]]
      for _ in range(source.randrange(1, 4)):
         words = source.choice(lines)
         at = source.randrange(len(words))
         words[at:at + 1] = source.choice(([], [words[at]] * 2, [source.choice(numbers)], [source.choice(source.choice(lines) or ['x'])]))
      text = '\n'.join(' '.join(words) for words in lines) + '\n'
      done = draw(text, '--limit=100000')
      if done.status not in (0, 1, 2) or (done.status and not done.err) or b'runtime error' in done.err or b'Sanitizer' in done.err:
         bad.append(f'{n}: {done.status} {done.err[-200:]} {text}')
   TAP.check('hostile scenes', not bad, '\n'.join(bad))


test_pictures()
test_refused()
test_hostile()
finish()
