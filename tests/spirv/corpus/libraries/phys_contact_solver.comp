// SPDX-License-Identifier: MIT
// Impulses of contacts with friction, accumulated and clamped, between bodies of a colour: nobody shares one.
//: variant float T=f32
//: variant half T=f16
//: groups 1
//: push u32*2=16,4 f32=0.5
//: in 0.0 $T*128=random:4041:-1:1
//: in 0.1 $T*16=random:4042:0:0.05
//: io 0.2 f32*192=random:4043:-1:1 abs=0.001
//: io 0.3 f32*32=zero abs=0.001
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
struct body { vec2 v; float spin; float unused; vec2 more; };
layout(local_size_x = 16) in;
layout(binding = 0, std430) readonly buffer Contacts { T contact[]; };
layout(binding = 1, std430) readonly buffer Depths { T depth[]; };
layout(binding = 2, std430) buffer Bodies { body bodies[]; };
layout(binding = 3, std430) buffer Impulses { vec2 impulse[]; };
layout(push_constant) uniform parameter { uint contacts; uint steps; float friction; } p;

float cross2(vec2 a, vec2 b)
{
   return a.x * b.y - a.y * b.x;
}

vec2 turned(vec2 v)
{
   return vec2(-v.y, v.x);
}

void main()
{
   const uint i = gl_GlobalInvocationID.x;

   if (i >= p.contacts)
      return;
   const vec2 n = normalize(vec2(contact[i * 8], contact[i * 8 + 1]) + vec2(0.0, 1.5)), t = turned(n);
   const vec2 ra = vec2(contact[i * 8 + 2], contact[i * 8 + 3]), rb = vec2(contact[i * 8 + 4], contact[i * 8 + 5]);
   const float inverse = abs(float(contact[i * 8 + 6])) + 0.5, bias = float(depth[i]) * 2.0;
   body a = bodies[2 * i], b = bodies[2 * i + 1];
   vec2 sum = impulse[i];
   const float kn = 2.0 * inverse + cross2(ra, n) * cross2(ra, n) + cross2(rb, n) * cross2(rb, n);
   const float kt = 2.0 * inverse + cross2(ra, t) * cross2(ra, t) + cross2(rb, t) * cross2(rb, t);
   for (uint s = 0; s < p.steps; s++) {
      vec2 v = b.v + turned(rb) * b.spin - a.v - turned(ra) * a.spin;
      const float now = max(sum.x - (dot(v, n) - bias) / kn, 0.0), most = p.friction * now;
      const float along = clamp(sum.y - dot(v, t) / kt, -most, most);
      const vec2 change = n * (now - sum.x) + t * (along - sum.y);
      sum = vec2(now, along);
      a.v -= change * inverse;
      a.spin -= cross2(ra, change);
      b.v += change * inverse;
      b.spin += cross2(rb, change);
   }
   bodies[2 * i] = a;
   bodies[2 * i + 1] = b;
   impulse[i] = sum;
}
