// SPDX-License-Identifier: MIT
// Springs between points of a grid by eight neighbours; sides are tested, rows of offsets are constants.
//: groups 1 1
//: push i32*2=8,8 f32*4=0.01,200.0,1.0,0.1
//: in 0.0 f32*256=random:431:-1:1
//: in 0.1 f32*256=random:432:-1:1
//: out 0.2 f32*256 ulp=1024 abs=0.002
//: out 0.3 f32*256 ulp=1024 abs=0.05
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer PosIn { vec4 pos_in[]; };
layout(binding = 1) readonly buffer VelIn { vec4 vel_in[]; };
layout(binding = 2) writeonly buffer PosOut { vec4 pos_out[]; };
layout(binding = 3) writeonly buffer VelOut { vec4 vel_out[]; };
layout(push_constant) uniform parameter { int w; int h; float dt; float stiff; float rest; float damp; } p;

vec3 spring(vec3 a, vec3 b, float rest)
{
   const vec3 d = b - a;
   const float len = length(d);
   return d / max(len, 0.1) * p.stiff * (len - rest);
}

void main()
{
   const ivec2 g = ivec2(gl_GlobalInvocationID);

   if (g.x >= p.w || g.y >= p.h)
      return;
   const int i = g.y * p.w + g.x;
   const vec3 pos = pos_in[i].xyz, vel = vel_in[i].xyz;
   vec3 force = vec3(0.0, -9.81, 0.0);
   if (g.x > 0)
      force += spring(pos, pos_in[i - 1].xyz, p.rest);
   if (g.x < p.w - 1)
      force += spring(pos, pos_in[i + 1].xyz, p.rest);
   if (g.y > 0)
      force += spring(pos, pos_in[i - p.w].xyz, p.rest);
   if (g.y < p.h - 1)
      force += spring(pos, pos_in[i + p.w].xyz, p.rest);
   const float diagonal = p.rest * 1.41421356;
   if (g.x > 0 && g.y > 0)
      force += spring(pos, pos_in[i - p.w - 1].xyz, diagonal);
   if (g.x < p.w - 1 && g.y > 0)
      force += spring(pos, pos_in[i - p.w + 1].xyz, diagonal);
   if (g.x > 0 && g.y < p.h - 1)
      force += spring(pos, pos_in[i + p.w - 1].xyz, diagonal);
   if (g.x < p.w - 1 && g.y < p.h - 1)
      force += spring(pos, pos_in[i + p.w + 1].xyz, diagonal);
   force -= vel * p.damp;
   const vec3 next = vel + force * p.dt;
   pos_out[i] = vec4(pos + next * p.dt, 1.0);
   vel_out[i] = vec4(next, 0.0);
}
