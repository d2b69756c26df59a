// SPDX-License-Identifier: MIT
// Images of each dimension, levels, gradients, offsets, gathers, compares; colours of integers; a depth.
struct In {
  @builtin(position) at: vec4f,
  @location(0) smooth_one: vec4f,
  @location(1) @interpolate(linear, centroid) linear_one: vec3f,
  @location(2) @interpolate(flat) whole: vec2i,
  @location(3) @interpolate(flat) count: u32,
}
struct Out { @location(0) color: vec4f, @location(1) whole: vec4i, @location(2) count: vec2u, @builtin(frag_depth) depth: f32 }
@group(0) @binding(0) var planes: texture_2d_array<f32>;
@group(0) @binding(1) var sky: texture_cube<f32>;
@group(0) @binding(2) var deep: texture_depth_2d;
@group(0) @binding(3) var numbers: texture_2d<u32>;
@group(0) @binding(4) var filtered: sampler;
@group(0) @binding(5) var compares: sampler_comparison;

@fragment
fn main(in: In) -> Out {
  let uv = in.smooth_one.xy * 0.5;
  var color = textureSample(planes, filtered, uv, in.whole.x & 1);
  color += textureSampleGrad(planes, filtered, uv, 2u, vec2f(0.0625, 0.0), vec2f(0.0, 0.0625), vec2i(1, -2));
  color += textureSampleLevel(sky, filtered, normalize(in.linear_one + vec3f(0.125, 0.5, 0.25)), 0.0);
  color += textureGather(1, planes, filtered, uv, 1);
  let shadow = textureSampleCompareLevel(deep, compares, uv, 0.5) + textureSampleCompare(deep, compares, uv.yx, 0.25);
  let four = textureGatherCompare(deep, compares, uv, 0.375);
  let number = textureLoad(numbers, vec2u(in.at.xy) % textureDimensions(numbers), 0);
  var out: Out;
  out.color = color * (0.25 + 0.125 * shadow) + four * 0.0625;
  out.whole = vec4i(in.whole, i32(textureNumLayers(planes)), i32(textureNumLevels(planes)));
  out.count = vec2u(in.count, number.x + extractBits(number.y, 0u, 3u));
  out.depth = clamp(in.at.z * 0.5 + in.smooth_one.w * 0.125, 0.0, 1.0);
  return out;
}
