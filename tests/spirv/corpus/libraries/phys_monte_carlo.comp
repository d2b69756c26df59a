// SPDX-License-Identifier: MIT
// Random walks by generators of their own lane: xorshift, PCG, Philox; sums of what they reach.
//: variant xorshift KIND=0
//: variant pcg KIND=1
//: variant philox KIND=2
//: groups 2
//: push u32*2=20,77
//: out 0.0 u32*64
//: out 0.1 f32*32 abs=0.0001
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 16) in;
layout(binding = 0) writeonly buffer States { uvec2 state_of[]; };
layout(binding = 1) writeonly buffer Out { float reached[]; };
layout(push_constant) uniform parameter { uint steps; uint seed; } p;
uvec4 state;

uint random()
{
#if KIND == 0
   uint t = state.x ^ state.x << 11;
   state = uvec4(state.yzw, state.w ^ state.w >> 19 ^ t ^ t >> 8);
   return state.w;
#elif KIND == 1
   const uint64_t old = uint64_t(state.y) << 32 | state.x;
   const uint64_t next = old * 6364136223846793005ul + 1442695040888963407ul;
   state.xy = uvec2(uint(next), uint(next >> 32));
   const uint mixed = uint((old >> 18 ^ old) >> 27), turn = uint(old >> 59);
   return mixed >> turn | mixed << (-int(turn) & 31);
#else
   uvec4 c = state;
   uvec2 key = uvec2(p.seed, 0x1bd11bdau);
   for (int n = 0; n < 7; n++) {
      uint high0, low0, high1, low1;
      umulExtended(0xd2511f53u, c.x, high0, low0);
      umulExtended(0xcd9e8d57u, c.z, high1, low1);
      c = uvec4(high1 ^ c.y ^ key.x, low1, high0 ^ c.w ^ key.y, low0);
      key += uvec2(0x9e3779b9u, 0xbb67ae85u);
   }
   state.x++;
   return c.x;
#endif
}

void main()
{
   const uint i = gl_GlobalInvocationID.x;
   vec2 at = vec2(0);

   state = uvec4(i * 747796405u + p.seed, i ^ 0x2545f491u, p.seed * 31u + 7u, i + 1u);
   for (uint n = 0; n < p.steps; n++) {
      const uint r = random();
      const vec2 step = vec2(int(r & 0xffffu) - 0x8000, int(r >> 16) - 0x8000) / 32768.0;
      if (dot(at + step, at + step) < 4.0)
         at += step;
   }
   state_of[i] = state.xy;
   reached[i] = at.x + at.y;
}
