// SPDX-License-Identifier: MIT
// Structured buffers, a buffer of bytes, constants with packoffset and a row-major matrix, shared counters.
//: groups 2
//: in 0.0 u32=3 f32=0 f32*2=0.5,-0.25 f32*3=0,-9.75,0.5 f32=0.125 f32*12=1,0,0.5,0,0,1,0,0,0.25,0,1,0 u32*8=3,1,4,1,5,9,2,6
//: in 0.1 f32*1024=random:701:0:100
//: out 0.2 f32*1024 ulp=8 abs=0.0001
//: io 0.3 u32*512=zero
struct Particle {
   float3 pos;
   uint id;
   float2 vel;
   float life;
   float rest;
};

cbuffer Params : register(b0) {
   uint count;
   float2 wind : packoffset(c0.z);
   float3 gravity;
   float dt;
   row_major float3x3 basis;
   uint4 table[2];
};

StructuredBuffer<Particle> source : register(t1);
RWStructuredBuffer<Particle> result : register(u2);
RWByteAddressBuffer raw : register(u3);
groupshared uint tally[16];

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint local : SV_GroupIndex)
{
   if (local < 16)
      tally[local] = 0;
   GroupMemoryBarrierWithGroupSync();

   Particle p = source[id.x];
   [loop]
   for (uint k = 0; k < table[id.x & 1][id.x >> 1 & 3]; k++) {
      p.vel += wind * dt;
      p.pos += mul(basis, gravity) * dt;
      if (p.pos.y < -2.0)
         break;
   }
   [flatten]
   if (p.life < 50.0)
      p.life = -p.life;

   uint bits = asuint(p.life) >> 20, old;
   InterlockedAdd(tally[bits & 15], count);
   GroupMemoryBarrierWithGroupSync();
   raw.Store(id.x * 4, tally[local & 15] + bits);
   raw.Store2(1024 + (id.x & 127) * 8, uint2(firstbithigh(bits), countbits(bits) + reversebits(bits)));
   raw.InterlockedMax(512, id.x, old);
   p.id = asuint(1.0 + float(bits & 255));
   result[id.x] = p;
}
