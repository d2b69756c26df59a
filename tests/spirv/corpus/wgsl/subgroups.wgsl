// SPDX-License-Identifier: MIT
// Operations across a subgroup, held against loops of broadcasts.
enable subgroups;
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3<u32>, @builtin(subgroup_invocation_id) lane: u32, @builtin(subgroup_size) size: u32) {
  let x = a[g.x];
  var sum = 0u; var before = 0u; var most = 0u; var product = 1u; var bits = 0u;
  for (var k = 0u; k < size; k++) {
    let y = subgroupShuffle(x, k);
    sum += y;
    if (k < lane) { before += y; }
    most = max(most, y);
    product *= y;
    bits ^= y;
  }
  var r = u32(subgroupAdd(x) == sum);
  r |= u32(subgroupExclusiveAdd(x) == before) << 1u;
  r |= u32(subgroupInclusiveAdd(x) == before + x) << 2u;
  r |= u32(subgroupMax(x) == most) << 3u;
  r |= u32(subgroupMul(x) == product) << 4u;
  r |= u32(subgroupXor(x) == bits) << 5u;
  let ballot = subgroupBallot(x > 25u);
  r |= u32(((ballot[lane / 32u] >> (lane & 31u)) & 1u) == u32(x > 25u)) << 6u;
  r |= (u32(subgroupShuffleXor(subgroupShuffleXor(x, 1u), 1u) == x) & u32(subgroupAny(x == most)) & u32(!subgroupAll(x > most))) << 7u;
  r |= (u32(quadSwapX(quadSwapX(x)) == x) * u32(subgroupBroadcastFirst(lane) == 0u)) << 8u;
  b[g.x] = r;
}
