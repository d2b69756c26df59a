// SPDX-License-Identifier: MIT
// A depth that only goes farther, and a stencil reference.
//: lanes 4
//: judge none
//: stage in frag_coord f32*16=0.5,0.5,0.75,1,1.5,0.5,0.5,1,0.5,1.5,0.25,1,1.5,1.5,1,1
//: stage out store_depth f32*4 equals=0.875,0.75,0.625,1
//: stage out store_stencil u32*4 equals=0,1,0,1
#version 450
#extension GL_ARB_shader_stencil_export : require
layout(depth_greater) out float gl_FragDepth;

void main()
{
   gl_FragDepth = gl_FragCoord.z * 0.5 + 0.5;
   gl_FragStencilRefARB = int(gl_FragCoord.x);
}
