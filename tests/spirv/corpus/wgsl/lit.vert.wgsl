// SPDX-License-Identifier: MIT
// A mesh: attributes, a matrix for each instance from a storage buffer, a struct of outputs.
struct Frame { view: mat4x4f, tint: vec4f }
struct Instance { place: vec4f, scale: f32, turn: f32 }
struct Out {
  @builtin(position) position: vec4f,
  @location(0) uv: vec2f,
  @location(1) normal: vec3f,
  @location(2) @interpolate(flat) layer: u32,
  @location(3) @interpolate(linear) screen: vec2f,
}
@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var<storage, read> instances: array<Instance>;

fn turned(p: vec2f, angle: f32) -> vec2f {
  let c = cos(angle);
  let s = sin(angle);
  return mat2x2f(c, s, -s, c) * p;
}

@vertex
fn main(@builtin(vertex_index) vertex: u32, @builtin(instance_index) instance: u32, @location(0) position: vec4f,
        @location(1) value: vec4f) -> Out {
  let i = instances[min(instance, arrayLength(&instances) - 1u)];
  var out: Out;
  let p = turned(position.xy * i.scale, i.turn) + i.place.xy;
  out.position = frame.view * vec4f(p, position.z, position.w);
  out.uv = value.xy;
  out.normal = normalize(value.xyz * 2.0 - vec3f(0.5, 0.25, 0.75));
  out.layer = vertex + instance * 2u;
  out.screen = out.position.xy;
  return out;
}
