// SPDX-License-Identifier: MIT
// dot, cross, length, distance, normalize, reflect, refract, faceforward.
//: groups 2
//: in 0.0 vec4*128=random:125:0.5:2
//: out 0.1 vec4*128 abs=1e-4
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { vec4 a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { vec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   vec3 n = normalize(a[i].xyz), v = a[i ^ 5u].xyz - 1.1;
   vec3 c = cross(n, v), r = reflect(v, n), t = refract(-n, normalize(c + n), 0.7);

   b[i] = vec4(c + faceforward(n, v, r), dot(a[i], a[i ^ 1u]));
   b[i].x += distance(v, r) + length(c.xy);
   b[i].y += length(-2.5) - dot(n.xy, v.yz);
   b[i].zw += t.xy + normalize(vec2(3.0, 4.0)) * distance(1.0, 2.5);
}
