// SPDX-License-Identifier: MIT
// Exposure, a filmic curve, gamma, and a mask of what is bright.
//: groups 2
//: push u32=100 f32*2=1.5,0.454545
//: in 0.0 f32*400=random:251:0:8
//: out 0.1 f32*400=zero abs=0.001
//: out 0.2 u32*100=zero
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer In { vec4 src[]; };
layout(binding = 1) writeonly buffer Out { vec4 dst[]; };
layout(binding = 2) writeonly buffer Mask { uint mask[]; };
layout(push_constant) uniform parameter { uint n; float exposure; float gamma; } p;

vec3 curve(vec3 x)
{
   return clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}

void main()
{
   const uint i = gl_GlobalInvocationID.x;

   if (i >= p.n)
      return;
   const vec4 c = src[i];
   const float luma = dot(c.rgb, vec3(0.2126, 0.7152, 0.0722));
   const vec3 t = pow(curve(mix(vec3(luma), c.rgb, 0.9) * p.exposure), vec3(p.gamma));
   dst[i] = vec4(t, c.a);
   mask[i] = packUnorm4x8(vec4(step(0.3, luma), step(2.0, c.rgb)));
}
