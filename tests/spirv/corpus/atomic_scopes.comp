// SPDX-License-Identifier: MIT
// atomicLoad and atomicStore with scopes and semantics of the memory model.
//: groups 2
//: in 0.0 u32*128=random:108
//: io 0.1 u32*128=0
//: out 0.2 u32*128
#version 450
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint a[]; };
layout(set = 0, binding = 1) workgroupcoherent buffer Between { uint m[]; };
layout(set = 0, binding = 2) writeonly buffer Out { uint b[]; };

void main()
{
   uint i = gl_LocalInvocationIndex, base = gl_WorkGroupID.x * 64u;

   atomicStore(m[base + i], a[base + i] ^ 5u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
   controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
   uint x = atomicLoad(m[base + 63u - i], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
   memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
   uint y = m[base + (i ^ 1u)];
   b[base + i] = x * 3u + y;
}
