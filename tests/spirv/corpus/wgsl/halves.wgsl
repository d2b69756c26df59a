// SPDX-License-Identifier: MIT
// Arithmetic on halves, in vectors and matrices, in storage and uniform buffers.
enable f16;
struct U { v: vec3<f16>, s: f16, m: mat2x2<f16>, w: vec4<f16> }
@group(0) @binding(0) var<storage, read> a: array<vec2<f16>>;
@group(0) @binding(1) var<storage, read_write> b: array<vec2<f16>>;
@group(0) @binding(2) var<uniform> u: U;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  let x = a[g.x];
  var y = u.m * x + u.v.xy * u.s;
  let w = vec4<f16>(x, y) * 0.125h + u.w;
  y = y * 0.25h + vec2<f16>(dot(w.xy, x) * 0.125h, f16(f32(x.x) * 0.5));
  if (x.x > x.y) { y.x = floor(y.x) + abs(x.y); }
  y.y = min(max(y.y, -4.0h), 4.0h) + sqrt(abs(x.x));
  b[g.x] = y;
}
