// SPDX-License-Identifier: MIT
// Wave intrinsics, held against each other so that the size of waves does not matter.
//: groups 2
//: judge none
//: in 0.0 u32*128=random:703:1:1000
//: out 0.1 u32*128 equals=fill:255
StructuredBuffer<uint> source : register(t0);
RWStructuredBuffer<uint> result : register(u1);

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
   uint x = source[id.x], lane = WaveGetLaneIndex(), size = WaveGetLaneCount(), sum = 0, most = 0, before = 0;

   for (uint k = 0; k < size; k++) {
      uint y = WaveReadLaneAt(x, k);
      sum += y;
      most = max(most, y);
      before += k < lane ? y : 0;
   }
   uint4 ballot = WaveActiveBallot(x > 500);
   uint r = WaveActiveSum(x) == sum ? 1 : 0;
   r |= WaveActiveMax(x) == most ? 2 : 0;
   // For glslang a prefix includes the lane itself.
   r |= WavePrefixSum(x) == before + x ? 4 : 0;
   r |= (ballot[lane / 32] >> (lane & 31) & 1) == (x > 500 ? 1 : 0) ? 8 : 0;
   r |= WaveActiveCountBits(x > 500) == countbits(ballot.x) + countbits(ballot.y) + countbits(ballot.z) + countbits(ballot.w) ? 16 : 0;
   r |= WaveActiveAnyTrue(x == most) && !WaveActiveAllTrue(x > most) ? 32 : 0;
   r |= QuadReadAcrossX(QuadReadAcrossX(x)) == x && QuadReadLaneAt(lane, 0) == (lane & ~3u) ? 64 : 0;
   r |= WaveReadLaneFirst(lane) == 0 && WaveIsFirstLane() == (lane == 0) ? 128 : 0;
   result[id.x] = r;
}
