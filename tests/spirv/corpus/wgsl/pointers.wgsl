// SPDX-License-Identifier: MIT
// Pointers as parameters, to variables of functions and of the module; names for places; structs copied, compared, returned.
struct Node { left: u32, right: u32, value: vec2<u32> }
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
var<private> pool: array<Node, 8>;
var<private> used: u32 = 1u;
fn bump(p: ptr<function, u32>) -> u32 { *p += 3u; return *p; }
fn swap(p: ptr<function, vec2<u32>>) { *p = (*p).yx; }
fn alloc(n: ptr<private, u32>) -> u32 { let at = *n; *n = min(at + 1u, 7u); return at; }
fn make(v: u32) -> Node { return Node(0u, 0u, vec2<u32>(v, v ^ 0xffu)); }
fn put(v: u32) {
  let at = alloc(&used);
  var where_ = 0u;
  for (var depth = 0u; depth < 6u; depth++) {
    let here = &pool[where_];
    if (v < (*here).value.x) {
      if ((*here).left == 0u) { (*here).left = at; break; }
      where_ = (*here).left;
    } else {
      if ((*here).right == 0u) { (*here).right = at; break; }
      where_ = (*here).right;
    }
  }
  pool[at] = make(v);
}
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  let x = a[g.x];
  pool[0] = make(128u);
  for (var k = 0u; k < 5u; k++) { put((x >> (k * 5u)) & 255u); }
  var n = x & 15u;
  var r = bump(&n) + bump(&n) * 5u;
  var pair = vec2<u32>(r, n);
  swap(&pair);
  for (var k = 0u; k < 8u; k++) {
    let node = pool[k];
    r = r * 31u + node.left * 8u + node.right + node.value.y;
    var other = node;
    other.value.x = k;
    if (all(other.value == node.value)) { r++; }
  }
  b[g.x] = r + pair.x * 3u;
}
