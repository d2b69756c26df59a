// SPDX-License-Identifier: MIT
// Lights in a loop that some skip and some leave, a texture, a discard.
struct Light { place: vec3f, range: f32, color: vec3f, kind: u32 }
struct Lights { ambient: vec4f, count: u32, lights: array<Light, 4> }
struct In {
  @builtin(position) at: vec4f,
  @builtin(front_facing) front: bool,
  @location(0) uv: vec2f,
  @location(1) normal: vec3f,
  @location(2) @interpolate(flat) layer: u32,
  @location(3) @interpolate(linear) screen: vec2f,
}
@group(0) @binding(2) var<uniform> lights: Lights;
@group(0) @binding(3) var albedo: texture_2d<f32>;
@group(0) @binding(4) var filtered: sampler;

fn shade(light: Light, normal: vec3f, place: vec3f) -> vec3f {
  let way = light.place - place;
  let far = length(way);
  if (far > light.range) {
    return vec3f();
  }
  switch light.kind {
    case 0u: { return light.color * max(dot(normal, way / far), 0.0); }
    case 1u, 2u: { return light.color * pow(max(dot(reflect(-way / far, normal), vec3f(0.0, 0.0, 1.0)), 0.001), 4.0); }
    default: { return light.color * 0.25; }
  }
}

@fragment
fn main(in: In) -> @location(0) vec4f {
  let color = textureSample(albedo, filtered, in.uv);
  let normal = normalize(select(-in.normal, in.normal, in.front));
  var sum = lights.ambient.rgb;
  for (var n = 0u; n < min(lights.count, 4u); n++) {
    if (lights.lights[n].range <= 0.0) {
      continue;
    }
    sum += shade(lights.lights[n], normal, vec3f(in.screen, in.at.z));
    if (sum.r > 2.5) {
      break;
    }
  }
  let again = textureSampleBias(albedo, filtered, in.uv * 0.5, 0.5);
  if (color.a < 0.3) {
    discard;
  }
  return vec4f(color.rgb * sum + again.rgb * 0.125, f32(in.layer));
}
