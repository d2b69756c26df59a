// SPDX-License-Identifier: MIT
// Bytes in a word: dot products, packing with and without clamping.
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  let x = a[g.x];
  let y = x * 2654435761u;
  var r = dot4U8Packed(x, y) * 3u + u32(dot4I8Packed(x, y));
  let u = unpack4xU8(x);
  let s = unpack4xI8(y);
  r = r * 5u + u.x * u.w + u32(s.y * s.z);
  r ^= pack4xU8(u + 100u) ^ pack4xI8(s * 2);
  r = r * 7u + pack4xU8Clamp(u + 100u) + pack4xI8Clamp(s * 3);
  b[g.x] = r;
}
