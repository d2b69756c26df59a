// SPDX-License-Identifier: MIT
// Samples whose level the quad gives are those with the derivatives that it has.
//: lanes 8
//: judge none
//: image in 0.0 2d 8x8 rgba8_unorm levels=4 u8*340=random:1
//: sampler 0.0 linear mip_linear repeat
//: image in 0.1 2d 8x8 r32_float f32*64=random:2:0:1
//: sampler 0.1 nearest repeat less
//: stage in corners@1 f32*96=0,0.25,0,0,1.5,0.5,0,0,0.75,2,0,0
//: stage in barycentric f32*16=random:4:0:0.4
//: stage out outputs@1 f32*32 equals=fill:0
#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
layout(set = 0, binding = 0) uniform sampler2D tex;
layout(set = 0, binding = 1) uniform sampler2DShadow shadow;

void main()
{
   vec2 dx = dFdxCoarse(uv), dy = dFdyCoarse(uv), level = textureQueryLod(tex, uv);
   vec4 sampled = texture(tex, uv), expected = textureGrad(tex, uv, dx, dy);

   color = abs(sampled - expected) + abs(textureProj(tex, vec3(uv * 2.0, 2.0)) - expected);
   color += abs(textureLod(tex, uv, level.y) - expected);
   color.x += abs(texture(shadow, vec3(uv, 0.5)) - textureGrad(shadow, vec3(uv, 0.5), dx, dy));
   color.y += abs(textureProj(shadow, vec4(uv * 2.0, 1.0, 2.0)) - texture(shadow, vec3(uv, 0.5)));
}
