// SPDX-License-Identifier: MIT
// Rigid bodies: a quaternion turned by the spin, normalised, the inertia's matrix turned with it.
//: groups 1
//: push u32=16 f32=0.02
//: io 0.0 f32*64=random:501:-1:1 abs=0.0005
//: io 0.1 f32*64=random:502:-1:1 abs=0.0005
//: in 0.2 f32*64=random:503:0.5:2
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) buffer Rotation { vec4 rotation[]; };
layout(binding = 1) buffer Spin { vec4 spin[]; };
layout(binding = 2) readonly buffer Inertia { vec4 inertia[]; };
layout(push_constant) uniform parameter { uint n; float dt; } p;

vec4 multiply(vec4 a, vec4 b)
{
   return vec4(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

mat3 matrix(vec4 q)
{
   const vec3 a = q.xyz * 2.0, s = a * q.xyz, w = a * q.w;
   const vec3 m = vec3(a.x * q.y, a.x * q.z, a.y * q.z);
   return mat3(1.0 - s.y - s.z, m.x + w.z, m.y - w.y, m.x - w.z, 1.0 - s.x - s.z, m.z + w.x, m.y + w.y, m.z - w.x,
               1.0 - s.x - s.y);
}

void main()
{
   const uint i = gl_GlobalInvocationID.x;

   if (i >= p.n)
      return;
   const vec4 q = rotation[i] + vec4(0, 0, 0, 2);
   const mat3 r = matrix(normalize(q));
   const vec3 w = spin[i].xyz;
   const mat3 world = r * mat3(inertia[i].x, 0, 0, 0, inertia[i].y, 0, 0, 0, inertia[i].z) * transpose(r);
   const vec3 next = w + p.dt * (world * cross(w, world * w));
   spin[i].xyz = next;
   rotation[i] = normalize(q + multiply(vec4(next, 0.0), q) * (0.5 * p.dt));
}
