// SPDX-License-Identifier: MIT
// Indices that only the program knows: runtime and fixed arrays, vectors, matrices, in every address space, some out of range.
struct Cell { key: u32, row: array<u32, 3>, m: mat2x2<f32> }
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
@group(0) @binding(2) var<uniform> u: array<vec4<u32>, 4>;
var<private> table: array<u32, 7>;
var<workgroup> shared_rows: array<array<u32, 4>, 16>;
const primes = array<u32, 6>(2u, 3u, 5u, 7u, 11u, 13u);

fn pick(v: vec4<u32>, i: u32) -> u32 { return v[i & 3u]; }

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3<u32>, @builtin(local_invocation_index) l: u32) {
  let x = a[g.x];
  for (var k = 0u; k < 7u; k++) { table[k] = x >> k; }
  var cells: array<Cell, 3>;
  cells[x % 3u].key = x;
  cells[x % 3u].row[(x >> 4u) % 3u] = 17u;
  cells[1].m[x & 1u][(x >> 1u) & 1u] = 2.5;
  var copy = cells;
  copy[2].key += 1u;
  shared_rows[l / 4u][l & 3u] = x ^ table[x % 7u];
  workgroupBarrier();
  var r = shared_rows[(l / 4u + 1u) & 15u][(l + x) & 3u];
  r = r * 3u + pick(u[x & 3u], x >> 2u);
  r = r * 5u + primes[x % 6u];
  r = r * 7u + copy[(x >> 8u) % 3u].key + copy[x % 3u].row[(x >> 4u) % 3u];
  r ^= u32(copy[1].m[0].x + copy[1].m[1][(x >> 1u) & 1u] * 4.0);
  var v = vec4<u32>(x, r, x + r, 9u);
  v[x & 3u] = 77u;
  r += v.x ^ v.y ^ v[(r >> 3u) & 3u];
  r += a[min(g.x + 1u, arrayLength(&a) - 1u)];
  b[g.x] = r;
}
