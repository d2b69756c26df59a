// SPDX-License-Identifier: MIT
// Rays against a tree of boxes with a stack of nodes; the nearest ball of a leaf.
//: variant stack HOW=0
//: variant skip HOW=1
//: groups 2
//: in 0.0 f32*192=random:4081:-1:1
//: in 0.1 f32*64=random:4082:-0.8:0.8
//: out 0.2 f32*32 abs=0.002
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer Rays { float ray[]; };
layout(binding = 1) readonly buffer Balls { vec4 ball[]; };
layout(binding = 2) writeonly buffer Out { float nearest[]; };

// Nodes 1 to 31 in order of breadth; a leaf is node 16 + its ball. Its box holds all below it.
vec4 bounds(uint node)
{
   uint first = node, count = 1;
   while (first < 16) {
      first *= 2;
      count *= 2;
   }
   vec3 low = vec3(1e3), high = vec3(-1e3);
   for (uint n = first - 16; n < first - 16 + count; n++) {
      low = min(low, ball[n].xyz);
      high = max(high, ball[n].xyz);
   }
   return vec4((low + high) * 0.5, length(high - low) * 0.5 + 0.25);
}

float hit(vec3 from, vec3 along, vec4 sphere)
{
   const vec3 d = from - sphere.xyz;
   const float b = dot(d, along), c = dot(d, d) - sphere.w * sphere.w, under = b * b - c;
   if (under < 0.0)
      return 1e3;
   const float root = sqrt(under);
   return -b - root > 0.0 ? -b - root : -b + root > 0.0 ? 0.0 : 1e3;
}

void main()
{
   const uint i = gl_GlobalInvocationID.x;
   const vec3 from = vec3(ray[i * 6], ray[i * 6 + 1], ray[i * 6 + 2]) * 2.0;
   const vec3 along = normalize(vec3(ray[i * 6 + 3], ray[i * 6 + 4], ray[i * 6 + 5]) * 0.3 - from);
   float best = 1e3;

#if HOW == 0
   uint stack[8];
   uint depth = 1;
   stack[0] = 1;
   while (depth > 0) {
      const uint node = stack[--depth];
      if (node >= 16) {
         best = min(best, hit(from, along, vec4(ball[node - 16].xyz, 0.25)));
      } else if (hit(from, along, bounds(node)) < best) {
         stack[depth++] = 2 * node + 1;
         stack[depth++] = 2 * node;
      }
   }
#else
   uint node = 1;
   do {
      bool descend = false;
      if (node >= 16)
         best = min(best, hit(from, along, vec4(ball[node - 16].xyz, 0.25)));
      else
         descend = hit(from, along, bounds(node)) < best;
      if (descend) {
         node *= 2;
      } else {
         while ((node & 1) != 0)
            node /= 2;
         node += node != 0 ? 1 : 0;
      }
   } while (node > 1);
#endif
   nearest[i] = best;
}
