// SPDX-License-Identifier: MIT
// Inputs in all ways of interpolation, by components, in arrays and blocks; flat ones; some built-ins.
//: lanes 4
//: judge none
//: stage in corners@4 f32*192=1,0,0,2,0,0,0,0,0,0,0,0,0,0,0,0,2,1,0,2,1,0,0,0,1,0,0,0,1,0,0,0,1,0,1,2,0,1,0,0,0,1,0,0,0,1,0,0
//: stage in inputs@4 u32*64=0,0,0,0,7,8,9,10,0,0,0,0,0,0,0,0
//: stage in barycentric f32*8=0.5,0.25
//: stage in barycentric.noperspective f32*8=0.25,0.5
//: stage in barycentric.centroid f32*8=0.125,0.5
//: stage in frag_coord f32*16=0.5,1.5,0.25,1
//: stage in front_facing u32*4=1,0
//: stage out outputs@2 f32*32 equals=1.5,0.5,0.25,2,0.5,0.5,17,2,1.5,0.5,0.25,2,0.5,0.5,17,2
#version 450
layout(location = 0) in vec3 smooth_in;
layout(location = 0, component = 3) in float last;
layout(location = 1) flat in ivec2 numbers;
layout(location = 2) noperspective in float screen;
layout(location = 3) in Block { centroid float inside; } block;
layout(location = 0) out vec4 color;
layout(location = 1) out vec4 more;

void main()
{
   color = vec4(smooth_in, last);
   more = vec4(screen * 2.0, block.inside * 4.0, float(numbers.x + numbers.y + int(gl_FragCoord.y * 2.0)) - 1.0,
               gl_FrontFacing ? 2.0 : 2.0);
}
