// SPDX-License-Identifier: MIT
// Early tests; what covers the pixel after them. Helpers and lanes that are gone store nothing.
//: lanes 8
//: judge none
//: stage in sample_mask_in u32*8=1,3,7,15
//: stage in helpers u32*8=0,0,0,0,0,1,0,0
//: stage in frag_coord f32*32=0.5,0.5,0.5,1,1.5,0.5,0.5,1,0.5,1.5,0.5,1,2.5,1.5,0.5,1
//: io 0.0 u32*8=zero equals=2,1,0,2,0,0,0,0
//: stage io outputs@1 u32*32=fill:9 equals=1,9,9,9,3,9,9,9,9,9,9,9,9,9,9,9,1,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9
#version 450
#extension GL_ARB_post_depth_coverage : require
#extension GL_EXT_demote_to_helper_invocation : require
layout(early_fragment_tests) in;
layout(post_depth_coverage) in;
layout(location = 0) out uint covered;
layout(set = 0, binding = 0) buffer Seen { uint seen[8]; };

void main()
{
   uint lane = uint(gl_SampleMaskIn[0]);

   if (gl_FragCoord.y > 1.0 && gl_FragCoord.x < 1.0)
      discard;
   if (helperInvocationEXT())
      lane = 0;
   atomicAdd(seen[lane == 1 ? 0 : lane == 3 ? 1 : lane == 7 ? 2 : 3], 1);
   if (gl_FragCoord.x > 2.0)
      demote;
   covered = lane;
}
