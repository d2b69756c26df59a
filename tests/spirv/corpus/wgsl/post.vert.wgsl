// SPDX-License-Identifier: MIT
// A triangle over the whole picture, of the number of the vertex and of constants.
struct Out { @builtin(position) position: vec4f, @location(0) uv: vec2f }
const corners = array<vec2f, 4>(vec2f(-1.0, -1.0), vec2f(3.0, -1.0), vec2f(-1.0, 3.0), vec2f(3.0, 3.0));

@vertex
fn main(@builtin(vertex_index) vertex: u32) -> Out {
  var places = corners;
  let p = places[vertex];
  return Out(vec4f(p, 0.5, 1.0), p * vec2f(0.5, -0.5) + 0.5);
}
