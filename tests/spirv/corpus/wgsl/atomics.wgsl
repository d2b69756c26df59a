// SPDX-License-Identifier: MIT
// Atomics of storage buffers: each operation, compare-exchange loops with their struct of two results.
struct Stats { sum: atomic<u32>, least: atomic<u32>, most: atomic<u32>, bits: atomic<u32>, all: atomic<u32>, odd: atomic<u32>, slots: array<atomic<u32>, 26> }
struct Signed { least: atomic<i32>, most: atomic<i32>, sum: atomic<i32>, last: atomic<i32> }
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> s: Stats;
@group(0) @binding(2) var<storage, read_write> t: Signed;
@group(0) @binding(3) var<storage, read_write> b: array<u32>;
fn add_by_exchange(i: u32, v: u32) {
  loop {
    let old = atomicLoad(&s.slots[i]);
    let got = atomicCompareExchangeWeak(&s.slots[i], old, old + v);
    if (got.exchanged) { break; }
  }
}
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  let x = a[g.x];
  atomicAdd(&s.sum, x);
  atomicMax(&s.most, x);
  atomicMin(&s.least, x);
  atomicOr(&s.bits, 1u << (x & 31u));
  atomicAnd(&s.all, ~(1u << (x & 7u)));
  atomicXor(&s.odd, x);
  atomicSub(&t.sum, i32(x));
  atomicMin(&t.least, i32(x) - 50000);
  atomicMax(&t.most, i32(x) - 50000);
  atomicStore(&t.last, 42);
  add_by_exchange(x % 20u, x);
  let free = atomicExchange(&s.slots[25], 5u);
  b[g.x] = select(1u, 0u, free > 5u) + 2u * u32(atomicLoad(&t.last) == 42);
}
