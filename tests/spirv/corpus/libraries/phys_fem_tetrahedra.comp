// SPDX-License-Identifier: MIT
// Forces of corotated tetrahedra: the gradient of the deformation, its rotation by iteration, stress to corners.
//: variant iterated STEPS=4
//: variant linear STEPS=0
//: groups 1
//: push f32*2=2,1.5
//: in 0.0 f32*192=random:4051:-0.2:0.2
//: in 0.1 f32*144=random:4052:-0.2:0.2
//: out 0.2 f32*256=zero abs=0.002 ulp=256
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 16) in;
layout(binding = 0) readonly buffer Corners { vec4 corner[]; };
layout(binding = 1) readonly buffer Inverses { float inverse_rest[]; };
layout(binding = 2) writeonly buffer Forces { vec4 force[]; };
layout(push_constant) uniform parameter { float mu; float lambda; } p;

void main()
{
   const uint i = gl_GlobalInvocationID.x;
   const vec3 base = corner[i * 3].xyz;
   mat3 rest, shape = mat3(1.0);

   for (int c = 0; c < 3; c++) {
      for (int r = 0; r < 3; r++)
         rest[c][r] = inverse_rest[i * 9 + c * 3 + r] + (c == r ? 1.0 : 0.0);
      shape[c] += corner[(i * 3 + c) % 48].xyz - 0.1 * base;
   }
   const mat3 f = shape * rest;
   mat3 r = mat3(1.0);
   for (int n = 0; n < STEPS; n++) {
      const vec3 axis = cross(r[0], f[0]) + cross(r[1], f[1]) + cross(r[2], f[2]);
      const float size = 1.0 / (abs(dot(r[0], f[0]) + dot(r[1], f[1]) + dot(r[2], f[2])) + 0.1);
      const vec3 w = axis * size;
      r[0] = normalize(r[0] + cross(w, r[0]));
      r[1] = normalize(r[1] + cross(w, r[1]) - dot(r[1], r[0]) * r[0]);
      r[2] = cross(r[0], r[1]);
   }
   const mat3 strain = transpose(r) * f - mat3(1.0);
   const float trace = strain[0][0] + strain[1][1] + strain[2][2];
   const mat3 stress = r * (p.mu * (strain + transpose(strain)) + p.lambda * trace * mat3(1.0));
   const mat3 h = stress * transpose(rest);
   for (int c = 0; c < 3; c++)
      force[i * 4 + c] = vec4(h[c], trace);
   force[i * 4 + 3] = vec4(-h[0] - h[1] - h[2], trace);
}
