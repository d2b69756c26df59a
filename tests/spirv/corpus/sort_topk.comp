// SPDX-License-Identifier: MIT
// The four greatest of each row with their places, kept sorted in arrays.
//: groups 1
//: push u32*2=20,16
//: in 0.0 f32*320=random:401
//: out 0.1 u32*64
//: out 0.2 f32*64
#version 450
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer In { float src[]; };
layout(binding = 1) writeonly buffer Places { uint places[]; };
layout(binding = 2) writeonly buffer Values { float values[]; };
layout(push_constant) uniform parameter { uint cols; uint rows; } p;
const uint K = 4;

void main()
{
   const uint row = gl_GlobalInvocationID.x;
   float best[K];
   uint place[K];

   if (row >= p.rows)
      return;
   for (uint k = 0; k < K; k++) {
      best[k] = -1e30;
      place[k] = 0u;
   }
   for (uint c = 0; c < p.cols; c++) {
      float x = src[row * p.cols + c];
      uint at = c;
      for (uint k = 0; k < K; k++) {
         if (x > best[k]) {
            const float t = best[k];
            const uint u = place[k];
            best[k] = x;
            place[k] = at;
            x = t;
            at = u;
         }
      }
   }
   for (uint k = 0; k < K; k++) {
      places[row * K + k] = place[k];
      values[row * K + k] = best[k];
   }
}
