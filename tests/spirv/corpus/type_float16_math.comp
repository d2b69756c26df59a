// SPDX-License-Identifier: MIT
// The built-in functions that have half versions.
//: groups 1
//: in 0.0 f16*64=random:58:0.125:4
//: out 0.1 f16*256 ulp=8 abs=0.02
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { float16_t a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { f16vec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   float16_t x = a[i];
   f16vec4 r;

   r.x = sqrt(x) + inversesqrt(x);
   r.y = exp2(x * float16_t(0.5)) - log2(x);
   r.z = mix(x, float16_t(1.0), float16_t(0.25)) + fract(x) * step(float16_t(1.0), x);
   r.w = dot(f16vec3(x, 1.0, 2.0), f16vec3(0.5, x, 0.25)) + sign(x - float16_t(2.0));
   b[i] = r + f16vec4(length(f16vec2(x, float16_t(0.75))), 0.0, sin(x), cos(x));
}
