// SPDX-License-Identifier: MIT
// Clocks of a subgroup: what is read later is more, also where a loop or a branch that lanes differ on lies in between; a clock
// that nobody uses. As one number, and as its halves.
//: groups 2
//: judge none
//: in 0.0 u32*128=random:77:0:20
//: out 0.1 u32*128 equals=fill:7
#version 450
#extension GL_AMD_gcn_shader : require
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_ARB_shader_clock : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x, n = a[i], r = 0u, sum = 0u;
   uint64_t first = clockARB(), last = first;
   bool grows = true;
   for (uint k = 0u; k < n; k++) {
      uint64_t now = clockARB();
      grows = grows && now > last;
      last = now;
      sum += k;
   }
   r |= grows && sum == n * (n - 1u) / 2u ? 1u : 0u;
   if (n > 10u) {
      uint64_t now = clockARB();
      r |= now > last ? 2u : 0u;
      last = now;
   } else {
      r |= 2u;
   }
   clockARB();
   uvec2 halves = clock2x32ARB();
   r |= packUint2x32(halves) > last && timeAMD() > packUint2x32(halves) ? 4u : 0u;
   b[i] = r;
}
