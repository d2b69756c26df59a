// SPDX-License-Identifier: MIT
// Arrays of images, of samplers and of both, sampled at indices that differ between lanes: an image is one texel, outside
// of which one sampler has its value and the other one 1.
//: judge none
//: groups 1
//: image in 0.0.0 2d 1x1 r32_float f32*1=fill:2
//: image in 0.0.1 2d 1x1 r32_float f32*1=fill:3
//: image in 0.0.2 2d 1x1 r32_float f32*1=fill:4
//: image in 0.0.3 2d 1x1 r32_float f32*1=fill:5
//: sampler 0.1.0 nearest clamp_to_edge
//: sampler 0.1.1 nearest clamp_to_border opaque_white
//: image in 0.2.0 2d 1x1 r32_float f32*1=fill:6
//: sampler 0.2.0 nearest clamp_to_edge
//: image in 0.2.1 2d 1x1 r32_float f32*1=fill:7
//: sampler 0.2.1 nearest clamp_to_border opaque_white
//: out 0.3 f32*64 equals=2,3,4,5,1,1,1,1
//: out 0.4 f32*64 equals=6,1
//: out 0.5 f32*64 equals=2,3,4,5
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform texture2D images[4];
layout(set = 0, binding = 1) uniform sampler samplers[2];
layout(set = 0, binding = 2) uniform sampler2D both[2];
layout(set = 0, binding = 3) writeonly buffer A { float a[]; };
layout(set = 0, binding = 4) writeonly buffer B { float b[]; };
layout(set = 0, binding = 5) writeonly buffer C { float c[]; };

void main()
{
   uint id = gl_LocalInvocationIndex;
   uint i = id & 3u, j = id >> 2 & 1u;

   a[id] = textureLod(nonuniformEXT(sampler2D(images[i], samplers[j])), vec2(5.0), 0.0).x;
   b[id] = textureLod(both[nonuniformEXT(id & 1u)], vec2(5.0), 0.0).x;
   c[id] = texelFetch(nonuniformEXT(sampler2D(images[i], samplers[0])), ivec2(0), 0).x;
}
