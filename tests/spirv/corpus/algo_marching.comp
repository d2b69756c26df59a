// SPDX-License-Identifier: MIT
// Signed distance marched along rays until a hit or a miss: loops with float conditions.
//: groups 1
//: out 0.0 vec2*64 abs=5e-2
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) writeonly buffer Out { vec2 b[]; };

float box(vec3 p, vec3 size)
{
   vec3 d = abs(p) - size;
   return length(max(d, 0.0)) + min(max(d.x, max(d.y, d.z)), 0.0);
}

float scene(vec3 p)
{
   float ball = length(p - vec3(0.5, 0.25, 0.0)) - 0.75;
   float block = box(p + vec3(0.5, 0.0, 0.0), vec3(0.4));
   return min(max(block, -ball), p.y + 1.0);
}

void main()
{
   vec2 at = vec2(gl_LocalInvocationID.xy) / 4.0 - 0.85;
   vec3 from = vec3(0.1, 0.4, -3.0), to = normalize(vec3(at, 1.5));
   float t = 0.0;
   float hit = 0.0;

   for (int k = 0; k < 48; k++) {
      float d = scene(from + to * t);
      if (d < 0.001) {
         hit = 1.0;
         break;
      }
      t += d;
      if (t > 12.0)
         break;
   }
   b[gl_LocalInvocationIndex] = hit > 0.0 ? vec2(t, 1.0) : vec2(0.0);
}
