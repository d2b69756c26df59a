// SPDX-License-Identifier: MIT
// Pixels to another space and back: HSV, YCoCg, Lab by the cube root, sRGB's curve.
//: variant hsv SPACE=0
//: variant ycocg SPACE=1
//: variant lab SPACE=2
//: variant srgb SPACE=3
//: groups 2
//: push f32=0.1
//: in 0.0 f32*192=random:2051:0:1
//: out 0.1 f32*192=zero abs=0.003
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer In { vec4 src[]; };
layout(binding = 1) writeonly buffer Out { vec4 dst[]; };
layout(push_constant) uniform parameter { float amount; } p;

vec3 to_hsv(vec3 c)
{
   const vec4 a = c.g < c.b ? vec4(c.bg, -1.0, 2.0 / 3.0) : vec4(c.gb, 0.0, -1.0 / 3.0);
   const vec4 b = c.r < a.x ? vec4(a.xyw, c.r) : vec4(c.r, a.yzx);
   const float d = b.x - min(b.w, b.y);
   return vec3(abs(b.z + (b.w - b.y) / (6.0 * d + 1e-5)), d / (b.x + 1e-5), b.x);
}

vec3 from_hsv(vec3 c)
{
   const vec3 k = abs(fract(c.xxx + vec3(1.0, 2.0 / 3.0, 1.0 / 3.0)) * 6.0 - 3.0);
   return c.z * mix(vec3(1), clamp(k - 1.0, 0.0, 1.0), c.y);
}

vec3 curve(vec3 t)
{
   return mix(t * 7.787 + 16.0 / 116.0, pow(max(t, vec3(1e-6)), vec3(1.0 / 3.0)), greaterThan(t, vec3(0.008856)));
}

void main()
{
   const uint i = gl_GlobalInvocationID.x;

   if (i >= src.length())
      return;
   vec3 c = src[i].rgb;
#if SPACE == 0
   c = to_hsv(c);
   c.y = clamp(c.y + p.amount, 0.0, 1.0);
   c = from_hsv(c);
#elif SPACE == 1
   const float co = c.r - c.b, t = c.b + co * 0.5, cg = c.g - t, y = t + cg * 0.5;
   const float s = y - cg * (0.5 - p.amount);
   c = vec3(s - co * 0.5 + co, cg + s, s - co * 0.5);
#elif SPACE == 2
   const vec3 xyz = mat3(0.4124, 0.2126, 0.0193, 0.3576, 0.7152, 0.1192, 0.1805, 0.0722, 0.9505) * c;
   const vec3 f = curve(xyz / vec3(0.9505, 1.0, 1.089));
   c = vec3(116.0 * f.y - 16.0, 500.0 * (f.x - f.y), 200.0 * (f.y - f.z)) * 0.01 + p.amount;
#else
   const vec3 light = mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), greaterThan(c, vec3(0.04045)));
   const vec3 v = light * (1.0 + p.amount);
   c = mix(v * 12.92, 1.055 * pow(v, vec3(1.0 / 2.4)) - 0.055, greaterThan(v, vec3(0.0031308)));
#endif
   dst[i] = vec4(c, src[i].a);
}
