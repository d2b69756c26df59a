// SPDX-License-Identifier: MIT
// A stack that walks a tree of boxes made on the fly: early exits, arrays in private memory, structs by value.
struct Ray { o: vec3<f32>, d: vec3<f32> }
struct Hit { t: f32, id: u32, steps: u32 }
@group(0) @binding(0) var<storage, read> a: array<vec2<f32>>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
fn box(n: u32) -> vec4<f32> {
  let level = firstLeadingBit(n);
  let size = 1.0 / f32(1u << level);
  let at = f32(n - (1u << level)) * size;
  return vec4<f32>(at * 2.0 - 1.0, -1.0, (at + size) * 2.0 - 1.0, 1.0);
}
fn crosses(r: Ray, bx: vec4<f32>) -> bool {
  let x = r.o.x;
  return x >= bx.x && x <= bx.z;
}
fn trace(r: Ray) -> Hit {
  var stack: array<u32, 16>;
  var top = 1;
  var hit = Hit(1000.0, 0u, 0u);
  stack[0] = 1u;
  loop {
    if (top == 0) { break; }
    top--;
    let n = stack[top];
    hit.steps++;
    if (!crosses(r, box(n))) { continue; }
    if (n >= 64u) {
      let t = abs(f32(n & 7u) * 0.25 - 0.5);
      if (t < hit.t) { hit.t = t; hit.id = n; }
      if (hit.steps > 40u) { return hit; }
      continue;
    }
    stack[top] = 2u * n;
    stack[top + 1] = 2u * n + 1u;
    top += 2;
  }
  return hit;
}
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  let p = a[g.x];
  let hit = trace(Ray(vec3<f32>(p, 0.0), vec3<f32>(0.0, 0.0, 1.0)));
  b[g.x] = hit.id * 1000u + hit.steps * 10u + u32(hit.t * 4.0);
}
