// SPDX-License-Identifier: MIT
#version 450
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint scale = 1;
layout(push_constant) uniform Push { float a; uint count; };
layout(set = 0, binding = 0) readonly buffer X { float x[]; };
layout(set = 0, binding = 1) buffer Y { float y[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   if (i < count)
      y[i] = a * float(scale) * x[i] + y[i];
}
