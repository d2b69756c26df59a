// SPDX-License-Identifier: MIT
// Shared memory that begins as zero, atomics in it, a value that all read alike, barriers.
struct Slot { count: atomic<u32>, best: atomic<i32>, sum: u32 }
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
@group(0) @binding(2) var<storage, read_write> total: array<atomic<u32>, 8>;
var<workgroup> bins: array<atomic<u32>, 16>;
var<workgroup> slot: Slot;
var<workgroup> tile: array<vec3<u32>, 64>;
var<workgroup> limit: u32;

@compute @workgroup_size(8, 8)
fn main(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_id) lid: vec3<u32>,
        @builtin(local_invocation_index) l: u32, @builtin(num_workgroups) n: vec3<u32>) {
  let i = w.x * 64u + l;
  let x = a[i];
  var zero = atomicLoad(&bins[l & 15u]) + slot.sum + tile[63u - l].y + limit;
  workgroupBarrier();
  atomicAdd(&bins[x & 15u], 1u);
  atomicAdd(&slot.count, select(0u, 1u, x > 500u));
  atomicMax(&slot.best, i32(x) - 500);
  tile[l] = vec3<u32>(x, l, lid.x * 8u + lid.y);
  if (l == 5u) { limit = x & 31u; slot.sum = n.x; }
  workgroupBarrier();
  let bound = workgroupUniformLoad(&limit);
  var r = zero;
  for (var k = 0u; k < bound; k++) { r = r * 3u + tile[(l + k) & 63u].x; }
  storageBarrier();
  r += atomicLoad(&bins[l & 15u]) * 1000u + atomicLoad(&slot.count) + u32(atomicLoad(&slot.best)) + slot.sum;
  r ^= tile[63u - l].z;
  atomicAdd(&total[x & 7u], x);
  b[i] = r;
}
