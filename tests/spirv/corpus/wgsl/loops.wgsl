// SPDX-License-Identifier: MIT
// Loops with continuing blocks that end in `break if`, while, for; switches inside that continue and break the loop, returns from within.
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;

fn collatz(start: u32) -> u32 {
  var x = start; var n = 0u;
  loop {
    if (x <= 1u) { break; }
    if ((x & 1u) == 0u) { x = x >> 1u; continue; }
    x = 3u * x + 1u;
    continuing { n++; break if n > 60u; }
  }
  return n * 65536u + x;
}
fn search(x: u32) -> u32 {
  for (var i = 0u; i < 20u; i++) {
    var j = i;
    while (j < 30u) {
      let k = (i * 7u + j * 3u + x) % 41u;
      if (k == 0u) { return i * 100u + j; }
      if (k > 35u) { break; }
      j += 1u + (k & 1u);
    }
    if (j == 29u) { continue; }
    switch ((x + i) % 5u) {
      case 0u: { continue; }
      case 1u, 2u: { j += x; if (j > 3900u) { break; } j ^= 1u; }
      case 3u: { return 7000u + j; }
      default: { }
    }
    if (j % 97u == 5u) { break; }
  }
  return 9999u;
}
fn machine(seed: u32) -> u32 {
  var state = seed; var pc = seed % 4u; var r = 0u; var steps = 0u;
  loop {
    steps++;
    switch (pc) {
      case 0u: { r += state; pc = 1u + (state & 1u); }
      case 1u: { state = state * 5u + 1u; if ((state & 8u) != 0u) { continue; } pc = 3u; }
      case 2u: { state = state >> 1u; pc = select(0u, 3u, state < 10u); }
      case 3u: { r ^= state << 2u; if (r % 3u == 0u) { pc = 4u; } else { pc = 0u; } }
      default: { break; }
    }
    if (pc == 4u) { break; }
    continuing { state += steps; break if steps >= 40u; }
  }
  return r + pc + steps;
}
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  let x = a[g.x];
  b[g.x] = collatz(x) * 31u + search(x) * 17u + machine(x);
}
