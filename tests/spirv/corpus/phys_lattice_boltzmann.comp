// SPDX-License-Identifier: MIT
// A step of a D2Q9 lattice: nine populations in an array, collision, streaming with periodic borders.
//: groups 1 1
//: push i32*2=8,8 f32=0.6
//: in 0.0 f32*576=random:451:0.05:0.2
//: out 0.1 f32*576 ulp=256 abs=0.00005
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer In { float f_in[]; };
layout(binding = 1) writeonly buffer Out { float f_out[]; };
layout(push_constant) uniform parameter { int w; int h; float omega; } p;
const ivec2 e[9] = ivec2[](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0), ivec2(0, -1), ivec2(1, 1), ivec2(-1, 1),
                           ivec2(-1, -1), ivec2(1, -1));
const float weight[9] = float[](4.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 9.0, 1.0 / 36.0, 1.0 / 36.0, 1.0 / 36.0,
                                1.0 / 36.0);

void main()
{
   const ivec2 g = ivec2(gl_GlobalInvocationID);
   const int plane = p.w * p.h;
   float f[9], rho = 0.0;
   vec2 u = vec2(0);

   for (int n = 0; n < 9; n++) {
      f[n] = f_in[n * plane + g.y * p.w + g.x];
      rho += f[n];
      u += f[n] * vec2(e[n]);
   }
   u /= rho;
   const float uu = 1.5 * dot(u, u);
   for (int n = 0; n < 9; n++) {
      const float eu = 3.0 * dot(vec2(e[n]), u), eq = weight[n] * rho * (1.0 + eu + 0.5 * eu * eu - uu);
      const ivec2 to = (g + e[n] + ivec2(p.w, p.h)) % ivec2(p.w, p.h);
      f_out[n * plane + to.y * p.w + to.x] = mix(f[n], eq, p.omega);
   }
}
