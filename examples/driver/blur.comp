// SPDX-License-Identifier: MIT
#version 450
layout(local_size_x = 64) in;
layout(constant_id = 0) const int radius = 1;
layout(push_constant) uniform Push { int count; };
layout(set = 0, binding = 0) readonly buffer In { uint source[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result[]; };

void main()
{
   int i = int(gl_GlobalInvocationID.x);
   if (i >= count)
      return;
   uint sum = 0, taken = 0;
   for (int k = i - radius; k <= i + radius; k++) {
      if (k < 0 || k >= count)
         continue;
      sum += source[k];
      taken++;
   }
   result[i] = sum / taken;
}
