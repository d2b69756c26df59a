// SPDX-License-Identifier: MIT
// Faces of a cube map and coordinates on them: those of each face, a corner among them, and that what is made of them points
// where the direction did.
//: groups 1
//: judge none
//: in 0.0 f32*192=random:552
//: out 0.1 u32*64 equals=fill:7
#version 450
#extension GL_AMD_gcn_shader : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { float a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

vec3 direction(float face, vec2 st)
{
   vec2 c = st * 2.0 - 1.0;

   if (face == 0.0)
      return vec3(1.0, -c.y, -c.x);
   if (face == 1.0)
      return vec3(-1.0, -c.y, c.x);
   if (face == 2.0)
      return vec3(c.x, 1.0, c.y);
   if (face == 3.0)
      return vec3(c.x, -1.0, -c.y);
   return face == 4.0 ? vec3(c.x, -c.y, 1.0) : vec3(-c.x, -c.y, -1.0);
}

void main()
{
   uint i = gl_LocalInvocationIndex, r = 0u;
   vec3 d = vec3(a[3u * i], a[3u * i + 1u], a[3u * i + 2u]);
   vec3 back = direction(cubeFaceIndexAMD(d), cubeFaceCoordAMD(d));
   float size = max(abs(d.x), max(abs(d.y), abs(d.z)));
   float k = float(i % 6u), s = i % 2u == 0u ? 1.0 : -1.0;
   vec3 axis = vec3(i / 2u % 3u == 0u ? s : 0.0, i / 2u % 3u == 1u ? s : 0.0, i / 2u % 3u == 2u ? s : 0.0);

   r |= all(lessThan(abs(back * size - d), vec3(size * 1e-5))) ? 1u : 0u;
   r |= cubeFaceIndexAMD(axis) == k && cubeFaceCoordAMD(axis) == vec2(0.5) ? 2u : 0u;
   r |= cubeFaceIndexAMD(vec3(1.0, -1.0, 1.0)) == 4.0 && cubeFaceCoordAMD(vec3(1.0, -1.0, 1.0)) == vec2(1.0) ? 4u : 0u;
   b[i] = r;
}
