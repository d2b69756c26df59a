// SPDX-License-Identifier: MIT
// Address arithmetic, references cast to others, of types with other alignments.
//: groups 1
//: mem data u32*128=random:71
//: push u64*1=ref=data
//: out 0.0 u64*32
#version 450
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Word { uint w; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Quad { uvec4 q; };
layout(push_constant) uniform Push { Word base; };
layout(set = 0, binding = 0) writeonly buffer Out { uint64_t b[]; };

void main()
{
   uint i = gl_LocalInvocationIndex;
   Word mine = base + i * 4u;
   Quad quad = Quad(uint64_t(base) + uint64_t(i) * 16ul);
   uvec2 bits = uvec2(mine);
   Word again = Word(uvec2(bits.x + 4u, bits.y));

   uint64_t r = uint64_t(quad.q.x ^ quad.q.w) << 32 | uint64_t(mine.w + again.w);
   quad.q.zw = quad.q.zw + uvec2(1u, i);
   b[i] = r;
}
