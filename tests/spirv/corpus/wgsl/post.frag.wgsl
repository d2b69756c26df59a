// SPDX-License-Identifier: MIT
// What follows a picture: loads, sizes, a blur with its own array, edges by derivatives, a table of colours.
struct Settings { radius: i32, strength: f32, levels: vec2f }
@group(0) @binding(0) var<uniform> settings: Settings;
@group(0) @binding(1) var picture: texture_2d<f32>;
@group(0) @binding(2) var table: texture_3d<f32>;
@group(0) @binding(3) var smooth_sampler: sampler;

fn luminance(c: vec3f) -> f32 {
  return dot(c, vec3f(0.2126, 0.7152, 0.0722));
}

@fragment
fn main(@builtin(position) at: vec4f, @location(0) uv: vec2f) -> @location(0) vec4f {
  let size = vec2i(textureDimensions(picture, 0));
  let place = vec2i(at.xy) / 2;
  var weights = array<f32, 5>(0.0625, 0.25, 0.375, 0.25, 0.0625);
  var sum = vec3f();
  var total = 0.0;
  for (var y = -settings.radius; y <= settings.radius; y++) {
    for (var x = -settings.radius; x <= settings.radius; x++) {
      let p = place + vec2i(x, y);
      if (any(p < vec2i()) || any(p >= size)) {
        continue;
      }
      let w = weights[x + 2] * weights[y + 2];
      sum += textureLoad(picture, p, 0).rgb * w;
      total += w;
    }
  }
  let blurred = sum / max(total, 1e-4);
  let graded = textureSampleLevel(table, smooth_sampler, blurred * 0.75 + 0.125, 0.0).rgb;
  let wide = fwidth(uv.x) + abs(dpdyFine(uv.y)) + abs(dpdxCoarse(uv.x * uv.y));
  let edge = smoothstep(settings.levels.x, settings.levels.y, luminance(abs(graded - blurred)));
  return vec4f(mix(blurred, graded, settings.strength * edge), wide);
}
