// SPDX-License-Identifier: MIT
// What a vertex shader has: attributes of all sizes, matrices, arrays; position, size, distances.
//: lanes 2
//: judge none
//: stage in inputs@8 f32*64=1,2,3,0,2,0,0,0,0,2,0,0,0,0,2,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
//: stage in vertex_index u32*2=4,5
//: stage out outputs@4 f32*32 skip
//: stage out store_position f32*8 equals=2,4,6,1
//: stage out store_point_size f32*2 equals=4,5
//: stage io store_clip_distance f32*16=fill:7 equals=1,2,7,7,7,7,7,7
//: stage io store_cull_distance f32*16=fill:7 equals=3,7,7,7,7,7,7,7
#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in mat3 turn;
layout(location = 4) in dvec3 wide;
layout(location = 6) in ivec2 numbers[2];
layout(location = 0) invariant out vec4 color;
layout(location = 1) flat out ivec2 kind;
layout(location = 2) out Block { vec2 uv; float parts[1]; } block;
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; float gl_CullDistance[1]; };

void main()
{
   gl_Position = vec4(turn * position, 1.0);
   gl_PointSize = float(gl_VertexIndex);
   gl_ClipDistance[0] = position.x;
   gl_ClipDistance[1] = position.y;
   gl_CullDistance[0] = position.z;
   color = vec4(vec3(wide), 1.0);
   kind = numbers[gl_VertexIndex & 1];
   block.uv = position.xy;
   if (position.x > 100.0)
      return;
   block.parts[0] = 3.0;
}
