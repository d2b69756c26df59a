// SPDX-License-Identifier: MIT
// A uniform buffer with all that needs padding: vec3, mat3x3, mat2x2, arrays of structs and of matrices, structs in structs.
struct Light { pos: vec3<f32>, power: f32, basis: mat3x3<f32> }
struct Params {
  scale: f32,
  dir: vec3<f32>,
  rot: mat2x2<f32>,
  tall: mat4x3<f32>,
  lights: array<Light, 2>,
  small: array<vec4<f32>, 2>,
  wide: array<mat2x4<f32>, 1>,
  last: vec2<f32>,
}
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;
override gain: f32 = 1.5;
override rounds: u32 = 3u;
fn shade(l: Light, v: vec3<f32>) -> f32 {
  let d = l.pos - v;
  return dot(l.basis * d, v) * l.power * 0.001 + determinant(l.basis) * 0.01;
}
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  let x = a[g.x];
  var v = vec3<f32>(x, x * 0.5, 1.0) * p.scale + p.dir;
  let q = p.rot * v.xy;
  v = vec3<f32>(q, v.z) + (p.tall * vec4<f32>(v, 1.0)) * 0.1;
  var r = 0.0;
  for (var k = 0u; k < 2u; k++) { r += shade(p.lights[k], v * 0.1); }
  for (var k = 0u; k < rounds; k++) { r += p.small[k & 1u][k & 3u] * gain; }
  r += (p.wide[0] * p.last).y + transpose(p.tall)[g.x % 3u].w + p.rot[g.x & 1u].y;
  var local = p.lights;
  local[g.x & 1u].power = 3.0;
  r += local[0].power + local[1].power * 2.0;
  b[g.x] = r;
}
