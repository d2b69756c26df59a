// SPDX-License-Identifier: MIT
// Images in every way at once: sampled, fetched, gathered, compared, read, written, changed, asked.
//: groups 1
//: image in 0.0 2d 8x8 rgba8_unorm levels=2 u8*320=random:1
//: sampler 0.0 nearest repeat
//: image in 0.1 2d 8x8 r32_float f32*64=random:2:0:1
//: sampler 0.1 nearest repeat less
//: image in 0.2 2d 8x8 rgba8_uint u8*256=random:3
//: sampler 0.3 nearest clamp_to_edge
//: image io 0.4 2d 8x8 r32_uint u32*64=random:4:0:99
//: image out 0.5 2d 8x8 rgba32_float f32*256=zero abs=1e-5 ulp=16
//: image in 0.6 buffer 64 r32_float f32*64=random:5
//: out 0.7 vec4*64 abs=1e-5 ulp=8
//: out 0.8 uvec4*64
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2D tex;
layout(set = 0, binding = 1) uniform sampler2DShadow shadow;
layout(set = 0, binding = 2) uniform utexture2D numbers;
layout(set = 0, binding = 3) uniform sampler how;
layout(set = 0, binding = 4, r32ui) uniform uimage2D count;
layout(set = 0, binding = 5, rgba32f) writeonly uniform image2D to;
layout(set = 0, binding = 6) uniform samplerBuffer typed;
layout(set = 0, binding = 7) writeonly buffer Floats { vec4 floats[64]; };
layout(set = 0, binding = 8) writeonly buffer Words { uvec4 words[64]; };

void main()
{
   ivec2 at = ivec2(gl_LocalInvocationID.xy);
   int id = at.y * 8 + at.x;
   vec2 p = (vec2(at) + 0.3) / 8.0;
   vec4 f = textureLod(tex, p, 0.0) + textureProjLod(tex, vec3(p * 2.0, 2.0), 1.0);

   f += texelFetch(tex, at.yx, 0) + textureGather(tex, p.yx, 1);
   f.x += textureLod(shadow, vec3(p, 0.5), 0.0) + textureProjLod(shadow, vec4(p * 2.0, 0.6, 2.0), 0.0);
   f += textureGather(shadow, p, 0.4) + texelFetch(typed, id).xxxx;
   imageStore(to, at, f);
   floats[id] = f;

   uvec4 u = textureLod(usampler2D(numbers, how), p, 0.0) + texelFetch(usampler2D(numbers, how), at.yx, 0);
   u.x += imageLoad(count, at).x;
   u.y += imageAtomicAdd(count, at, 3u) + imageAtomicCompSwap(count, at, 7u, 9u);
   u.zw += uvec2(textureSize(tex, 1) + imageSize(count)) + uint(textureQueryLevels(tex));
   words[id] = u;
}
