// SPDX-License-Identifier: MIT
// Semi-Lagrangian advection in three dimensions by trilinear samples; back with the speed found there, against the error.
//: variant plain T=f32 CORRECT=0
//: variant corrected T=f32 CORRECT=1
//: variant half T=f16 CORRECT=0
//: variant half_corrected T=f16 CORRECT=1
//: groups 2 2 2
//: push i32*3=7,6,5 f32=0.7
//: in 0.0 $T*840=random:4071:-0.99:0.97
//: in 0.1 $T*210=random:4072:0:1
//: out 0.2 $T*210=zero abs=0.01
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
layout(binding = 0) readonly buffer Speeds { T speed[]; };
layout(binding = 1) readonly buffer Field { T field[]; };
layout(binding = 2) writeonly buffer Out { T dst[]; };
layout(push_constant) uniform parameter { int w; int h; int d; float dt; } p;

int index(ivec3 v)
{
   return (v.z * p.h + v.y) * p.w + v.x;
}

float sample_at(vec3 at)
{
   const vec3 t = clamp(at, vec3(0), vec3(p.w - 1, p.h - 1, p.d - 1));
   const ivec3 a = ivec3(t), b = min(a + 1, ivec3(p.w - 1, p.h - 1, p.d - 1));
   const vec3 f = t - vec3(a);
   const float y0 = mix(mix(float(field[index(a)]), float(field[index(ivec3(b.x, a.yz))]), f.x),
                        mix(float(field[index(ivec3(a.x, b.y, a.z))]), float(field[index(ivec3(b.xy, a.z))]), f.x), f.y);
   const float y1 = mix(mix(float(field[index(ivec3(a.xy, b.z))]), float(field[index(ivec3(b.x, a.y, b.z))]), f.x),
                        mix(float(field[index(ivec3(a.x, b.yz))]), float(field[index(b)]), f.x), f.y);
   return mix(y0, y1, f.z);
}

vec3 speed_of(int i)
{
   return vec3(speed[i * 4], speed[i * 4 + 1], speed[i * 4 + 2]) * p.dt;
}

void main()
{
   const ivec3 g = ivec3(gl_GlobalInvocationID);

   if (g.x >= p.w || g.y >= p.h || g.z >= p.d)
      return;
   const int i = index(g);
   const vec3 v = speed_of(i);
   float r = sample_at(vec3(g) - v);
#if CORRECT
   const ivec3 from = clamp(ivec3(round(vec3(g) - v)), ivec3(0), ivec3(p.w - 1, p.h - 1, p.d - 1));
   r += 0.5 * (float(field[i]) - sample_at(vec3(g) - v + speed_of(index(from))));
   r = clamp(r, 0.0, 1.0);
#endif
   dst[i] = T(r);
}
