// SPDX-License-Identifier: MIT
// Bits counted, found, cut out, put in, reversed; numbers packed and unpacked; dot products of packed bytes.
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  let x = a[g.x];
  let i = bitcast<i32>(x);
  let v = vec4<u32>(x & 255u, (x >> 8u) & 255u, (x >> 16u) & 255u, x >> 24u);
  var r = countOneBits(x) + (countLeadingZeros(x) << 6u) + (countTrailingZeros(x) << 12u);
  r = r * 3u + firstLeadingBit(x) + firstTrailingBit(x) * 32u + u32(firstLeadingBit(i));
  r = r * 5u + extractBits(x, x & 31u, (x >> 5u) & 31u) + u32(extractBits(i, 7u, 9u));
  r = r * 7u + insertBits(x, 0xabcu, (x >> 3u) & 31u, 11u) + reverseBits(x);
  r ^= pack4x8unorm(unpack4x8unorm(x)) + pack4x8snorm(clamp(unpack4x8snorm(x), vec4<f32>(-1.0), vec4<f32>(0.99)));
  r = r * 11u + pack2x16unorm(unpack2x16unorm(x));
  let h = unpack2x16float((x & 0x3bff3bffu) | 0x04000400u);
  r += pack2x16float(h * 0.5) + bitcast<u32>(h.x);
  r += countOneBits(v).w + firstLeadingBit(v + 1u).y + reverseBits(v).z;
  r ^= u32(dot(vec4<i32>(v), vec4<i32>(1, -2, 3, -4)));
  r += (x << (x & 31u)) ^ u32(i >> (x & 31u)) ^ (x >> (v.y & 31u));
  b[g.x] = r;
}
