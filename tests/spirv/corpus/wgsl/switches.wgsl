// SPDX-License-Identifier: MIT
// Switches: several values a case, the default in the middle, nested ones, values and returns out of them, on signed numbers.
@group(0) @binding(0) var<storage, read> a: array<i32>;
@group(0) @binding(1) var<storage, read_write> b: array<i32>;
const special = 13;
fn class_of(x: i32) -> i32 {
  switch x {
    case -20, -19, -18: { return 1; }
    default: { if (x > 30) { return 2; } }
    case 0, special: { return 3; }
    case 7: { }
  }
  return x / 3;
}
fn nested(x: i32, y: i32) -> i32 {
  var r = 0;
  switch (x & 3) {
    case 0: {
      switch (y & 3) {
        case 0: { r = 5; }
        case 1: { r = 6; break; }
        default: { for (var k = 0; k < 4; k++) { if (k == y) { break; } r += k * x; } }
      }
      r *= 2;
    }
    case 1, 2: { if (y > 0) { r = y; break; } r = -y * 3; }
    default: { r = select(x, y, x < y); }
  }
  return r;
}
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  let x = a[g.x];
  var r = class_of(x);
  r = r * 100 + nested(x, x - 7);
  switch (r) { default: { r ^= 0x5555; } }
  b[g.x] = r;
}
