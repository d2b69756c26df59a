// SPDX-License-Identifier: MIT
// lessThan and the others, any, all, not, equal; bvec mixing.
//: groups 2
//: in 0.0 ivec4*128=random:52:-4:4
//: out 0.1 uvec4*128
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { ivec4 a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uvec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   ivec4 p = a[i], q = a[i ^ 1u];
   vec4 f = vec4(p) * 0.5, g = vec4(q) * 0.5;
   bvec4 less = lessThan(p, q), same = equal(f, g);
   uint r = 0u;

   r |= any(less) ? 1u : 0u;
   r |= all(lessThanEqual(f, g)) ? 2u : 0u;
   r |= any(not(greaterThan(uvec4(p), uvec4(q)))) ? 4u : 0u;
   r |= all(notEqual(p.xy, q.xy)) ? 8u : 0u;
   r |= less.xy == same.zw ? 16u : 0u;
   r |= uint(greaterThanEqual(g, f).w) << 5;
   b[i] = uvec4(mix(p, q, less)) + uvec4(r, uvec3(same.xyz));
}
