// SPDX-License-Identifier: MIT
// Rays against spheres: nearest hit, shading and a bounce; structures through functions.
//: groups 1
//: in 0.0 f32*32=0,0,5,1,1.5,0.5,6,1,-2,-0.25,7,1.5,0,-101,5,99.5,0.5,1,3,0.25,-1,0.75,4,0.5
//: out 0.1 vec4*64 abs=2e-2
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) readonly buffer Spheres { vec4 spheres[8]; };
layout(set = 0, binding = 1) writeonly buffer Out { vec4 b[]; };

struct Ray {
   vec3 from;
   vec3 to;
};

bool nearest(Ray ray, out float t, out int which)
{
   t = 1e30;
   which = -1;
   for (int k = 0; k < 6; k++) {
      vec3 d = spheres[k].xyz - ray.from;
      float along = dot(d, ray.to);
      float q = along * along - dot(d, d) + spheres[k].w * spheres[k].w;
      if (q < 0.0)
         continue;
      float near = along - sqrt(q);
      if (near > 1e-3 && near < t) {
         t = near;
         which = k;
      }
   }
   return which >= 0;
}

void main()
{
   vec2 at = vec2(gl_LocalInvocationID.xy) / 4.0 - 0.9;
   Ray ray = Ray(vec3(0.0), normalize(vec3(at, 2.0)));
   vec3 colour = vec3(0.0);
   float left = 1.0;

   for (int bounce = 0; bounce < 2; bounce++) {
      float t;
      int k;
      if (!nearest(ray, t, k)) {
         colour += left * vec3(0.25, 0.5, 1.0);
         break;
      }
      vec3 place = ray.from + ray.to * t;
      vec3 normal = (place - spheres[k].xyz) / spheres[k].w;
      colour += left * 0.5 * max(dot(normal, vec3(0.0, 0.8, -0.6)), 0.0) * vec3(1.0, float(k) * 0.125, 0.5);
      left *= 0.25;
      ray = Ray(place + normal * 0.01, reflect(ray.to, normal));
   }
   b[gl_LocalInvocationIndex] = vec4(colour, left);
}
