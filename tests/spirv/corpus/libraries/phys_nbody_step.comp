// SPDX-License-Identifier: MIT
// Gravity of all bodies on each, softened, then a step of leapfrog; from memory or from tiles in shared memory.
//: variant memory T=f32 HOW=0
//: variant tile T=f32 HOW=1
//: variant half T=f16 HOW=1
//: groups 2
//: push u32=32 f32*2=0.01,0.05
//: in 0.0 $T*128=random:4001:0.1:2
//: io 0.1 f32*128=random:4002:-1:1 abs=0.0005
//: out 0.2 f32*128 abs=0.0005
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
#if HOW == 1
#define TILE 16
#else
#define TILE 1
#endif
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer Bodies { T body[]; };
layout(binding = 1) buffer Speeds { vec4 speed[]; };
layout(binding = 2) writeonly buffer Moved { vec4 moved[]; };
layout(push_constant) uniform parameter { uint n; float dt; float softening; } p;
shared vec4 tile[TILE];

vec4 load(uint i)
{
   return vec4(body[i * 4], body[i * 4 + 1], body[i * 4 + 2], body[i * 4 + 3]);
}

vec3 pull(vec3 at, vec4 other)
{
   const vec3 d = other.xyz - at;
   const float r = inversesqrt(dot(d, d) + p.softening);
   return d * (other.w * r * r * r);
}

void main()
{
   const uint i = gl_GlobalInvocationID.x;
   const vec4 own = load(i);
   vec3 a = vec3(0);

   for (uint first = 0; first < p.n; first += TILE) {
#if HOW == 1
      tile[gl_LocalInvocationIndex] = load(first + gl_LocalInvocationIndex);
      barrier();
      for (uint n = 0; n < TILE; n++)
         a += pull(own.xyz, tile[n]);
      barrier();
#else
      a += pull(own.xyz, load(first));
#endif
   }
   const vec3 v = speed[i].xyz + a * p.dt;
   speed[i] = vec4(v, 0.0);
   moved[i] = vec4(own.xyz + v * p.dt, own.w);
}
