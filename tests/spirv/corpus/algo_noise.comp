// SPDX-License-Identifier: MIT
// Gradient noise in three octaves, all integer hashing and exact interpolation.
//: groups 2 2
//: push f32*1=0.375
//: out 0.0 f32*256 abs=1e-4
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(push_constant) uniform Push { float scale; };
layout(set = 0, binding = 0) writeonly buffer Out { float b[]; };

uint hash(uvec2 v)
{
   v = v * 1664525u + 1013904223u;
   v.x += v.y * 1664525u;
   v.y += v.x * 1664525u;
   v ^= v >> 16u;
   return v.x ^ v.y * 747796405u;
}

float corner(ivec2 cell, vec2 d)
{
   uint h = hash(uvec2(cell));
   vec2 g = vec2(float(h & 255u), float(h >> 8 & 255u)) / 128.0 - 1.0;
   return dot(g, d);
}

float noise(vec2 p)
{
   ivec2 cell = ivec2(floor(p));
   vec2 f = p - vec2(cell);
   vec2 u = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
   float low = mix(corner(cell, f), corner(cell + ivec2(1, 0), f - vec2(1.0, 0.0)), u.x);
   float high = mix(corner(cell + ivec2(0, 1), f - vec2(0.0, 1.0)), corner(cell + 1, f - 1.0), u.x);
   return mix(low, high, u.y);
}

void main()
{
   uvec2 at = gl_GlobalInvocationID.xy;
   vec2 p = (vec2(at) - 7.5) * scale;
   float sum = 0.0, weight = 0.5;

   for (int octave = 0; octave < 3; octave++) {
      sum += weight * noise(p);
      p *= 2.0;
      weight *= 0.5;
   }
   b[at.y * 16u + at.x] = sum;
}
