// SPDX-License-Identifier: MIT
// How many samples an image has, and texels of one of them: nobody here fills such images, so it is only read.
//: read
//: judge none
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform sampler2DMS tex;
layout(set = 0, binding = 1) uniform sampler2DMSArray layers;
layout(set = 0, binding = 2) writeonly buffer Out { vec4 b[64]; };

void main()
{
   int id = int(gl_GlobalInvocationID.x);

   b[id] = texelFetch(tex, ivec2(id & 7, id >> 3), id & 3) + texelFetch(layers, ivec3(id & 7, id >> 3, 1), 0) +
           float(textureSamples(tex));
}
