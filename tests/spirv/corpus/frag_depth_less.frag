// SPDX-License-Identifier: MIT
// A depth that only comes nearer, and the samples that stay.
//: lanes 4
//: judge none
//: stage in frag_coord f32*16=0.5,0.5,0.75,1,1.5,0.5,0.5,1,0.5,1.5,0.25,1,1.5,1.5,1,1
//: stage in sample_mask_in u32*4=15,7,3,1
//: stage out store_depth f32*4 equals=0.375,0.25,0.125,0.5
//: stage out store_sample_mask u32*4 equals=5,5,1,1
#version 450
layout(depth_less) out float gl_FragDepth;

void main()
{
   gl_FragDepth = gl_FragCoord.z * 0.5;
   gl_SampleMask[0] = gl_SampleMaskIn[0] & 5;
}
