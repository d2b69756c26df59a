// SPDX-License-Identifier: MIT
// Float functions: of one number and of vectors, those that give back structs, mixing and stepping.
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3<u32>) {
  let x = a[g.x];
  let p = abs(x) + 0.1;
  let q = clamp(x * 0.24, -1.0, 1.0);
  var r = sin(x) + cos(x) * 2.0 + tan(q) + asin(q) + acos(q) * 0.5 + atan(x) + atan2(x, p);
  r += sinh(q) + cosh(q) + tanh(x) + asinh(x) + acosh(p + 1.0) + atanh(q * 0.9);
  r += exp(q) + exp2(x) + log(p) + log2(p) + pow(p, q) + sqrt(p) + inverseSqrt(p);
  r += floor(x) + ceil(x) * 0.5 + round(x) * 0.25 + trunc(x) + fract(x) + sign(x);
  let m = modf(x * 3.3);
  let f = frexp(x * 10.0);
  r += m.fract + m.whole + f.fract + f32(f.exp) + ldexp(q, 3);
  r += mix(x, p, 0.3) + step(0.5, x) + smoothstep(-2.0, 2.0, x) + saturate(x) + fma(x, p, q) + degrees(q) + radians(x) + quantizeToF16(x);
  b[g.x] = r;
  let v = vec3<f32>(x, p, q);
  let w = vec3<f32>(q, 1.0, x);
  var t = cross(v, w) + normalize(v) + reflect(v, normalize(w)) + faceForward(v, w, v) + refract(normalize(v), normalize(w), 0.7);
  t += mix(v, w, 0.25) + mix(v, w, vec3<f32>(0.1, 0.2, 0.3)) + select(v, w, v < w) + min(v, w) * max(v, w);
  t += vec3<f32>(length(v), distance(v, w), dot(v, w));
  t += modf(v).whole + frexp(v).fract + vec3<f32>(frexp(w).exp);
  c[g.x * 3u] = t.x; c[g.x * 3u + 1u] = t.y; c[g.x * 3u + 2u] = t.z;
}
