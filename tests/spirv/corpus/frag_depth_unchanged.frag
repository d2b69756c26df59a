// SPDX-License-Identifier: MIT
// A depth that is as it was.
//: lanes 4
//: judge none
//: stage in frag_coord f32*16=0.5,0.5,0.75,1,1.5,0.5,0.5,1,0.5,1.5,0.25,1,1.5,1.5,1,1
//: stage out store_depth f32*4 equals=0.75,0.5,0.25,1
#version 450
layout(depth_unchanged) out float gl_FragDepth;

void main()
{
   gl_FragDepth = gl_FragCoord.z;
}
