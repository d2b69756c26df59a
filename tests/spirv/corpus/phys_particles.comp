// SPDX-License-Identifier: MIT
// Particles as structures: age, gravity, drag, bouncing from a floor, each member read and written in place.
//: groups 2
//: push u32=40 f32*3=0.016,9.81,0.98
//: io 0.0 f32*320=random:421:-1:3 ulp=64 abs=0.0001
#version 450
layout(local_size_x = 32) in;
struct Particle { vec3 position; float age; vec3 velocity; float mass; };
layout(binding = 0) buffer Particles { Particle particles[]; };
layout(push_constant) uniform parameter { uint n; float dt; float g; float drag; } p;

void main()
{
   const uint i = gl_GlobalInvocationID.x;

   if (i >= p.n)
      return;
   particles[i].age += p.dt;
   particles[i].velocity.y -= p.g * p.dt;
   particles[i].velocity *= p.drag;
   particles[i].position += particles[i].velocity * p.dt;
   if (particles[i].position.y < 0.0) {
      particles[i].position.y = -particles[i].position.y;
      particles[i].velocity.y = -0.5 * particles[i].velocity.y;
   }
   if (particles[i].age > 2.0) {
      particles[i].age = 0.0;
      particles[i].position = vec3(0.0, 1.0, 0.0);
   }
}
