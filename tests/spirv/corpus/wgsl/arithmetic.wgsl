// SPDX-License-Identifier: MIT
// Division and remainder where the divisor is zero or the quotient too large, conversions of floats out of range, shifts.
@group(0) @binding(0) var<storage, read> a: array<i32>;
@group(0) @binding(1) var<storage, read> d: array<i32>;
@group(0) @binding(2) var<storage, read_write> b: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  let x = a[g.x];
  let y = select(d[g.x], -1, g.x % 7u == 3u);
  let u = bitcast<u32>(x);
  let w = bitcast<u32>(y);
  var r = u32(x / y) * 3u + u32(x % y);
  r = r * 5u + u / w + u % w;
  let v = vec3<i32>(x, y, x + y) / vec3<i32>(y, x, 0);
  let m = vec2<u32>(u, w) % vec2<u32>(w, 0u);
  r = r * 7u + u32(v.x ^ v.y ^ v.z) + m.x + m.y;
  let f = f32(x) * 3.7;
  r ^= u32(i32(f)) + u32(f) * 3u;
  let fv = vec2<f32>(f, -f) * 1e6;
  r += u32(vec2<i32>(fv).x) ^ vec2<u32>(fv).y;
  r = r * 3u + u32(-x) + u32(abs(x)) + u32(sign(x)) + u32(clamp(x, -5, y));
  r += u32(min(x, y)) ^ max(u, w) ^ u32(bool(x)) ^ u32(f32(bool(y)));
  b[g.x] = r;
}
