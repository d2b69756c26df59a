// SPDX-License-Identifier: MIT
// Outputs of each interpolation and of integers.
struct Out {
  @builtin(position) position: vec4f,
  @location(0) smooth_one: vec4f,
  @location(1) @interpolate(linear, centroid) linear_one: vec3f,
  @location(2) @interpolate(flat) whole: vec2i,
  @location(3) @interpolate(flat) count: u32,
}

@vertex
fn main(@location(0) position: vec4f, @location(1) value: vec4f, @builtin(vertex_index) vertex: u32) -> Out {
  return Out(position, value, value.wzy, vec2i(value.xy * 8.0), 40u + (vertex << 2u));
}
