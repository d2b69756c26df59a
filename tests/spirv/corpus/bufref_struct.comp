// SPDX-License-Identifier: MIT
// References in structures in buffers: scenes of meshes with vertices, as bindless renderers have.
//: groups 1
//: mem vertices f32*96=random:72:-2:2
//: in 0.0 u64*1=ref=vertices u32*2=3,5 u64*1=ref=vertices+144 u32*2=2,9 u64*1=ref=vertices+48 u32*2=1,1 u64*1=ref=vertices+192 u32*2=4,0
//: out 0.1 vec4*64 ulp=8 abs=1e-4
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 64) in;
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer Vertices { vec3 at[]; };
struct Mesh {
   Vertices vertices;
   uint count;
   uint colour;
};
layout(set = 0, binding = 0, scalar) readonly buffer Meshes { Mesh meshes[]; };
layout(set = 0, binding = 1) writeonly buffer Out { vec4 b[]; };

void main()
{
   uint i = gl_LocalInvocationIndex;
   Mesh mesh = meshes[i & 3u];
   vec3 low = vec3(1e9), high = vec3(-1e9);

   for (uint k = 0u; k < mesh.count; k++) {
      low = min(low, mesh.vertices.at[k]);
      high = max(high, mesh.vertices.at[k]);
   }
   b[i] = vec4(high - low, float(mesh.colour + i));
}
