// SPDX-License-Identifier: MIT
// Atomic minimum and maximum of floats.
//: groups 2
//: in 0.0 f32*128=random:107:-100:100
//: io 0.1 f32*2=1000,-1000
#version 450
#extension GL_EXT_shader_atomic_float2 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { float a[]; };
layout(set = 0, binding = 1) buffer Extremes { float extremes[2]; };

void main()
{
   float x = a[gl_GlobalInvocationID.x];

   atomicMin(extremes[0], x);
   atomicMax(extremes[1], x);
}
