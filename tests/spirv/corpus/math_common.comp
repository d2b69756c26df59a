// SPDX-License-Identifier: MIT
// min, max, clamp, mix, step, smoothstep, fma on scalars and vectors.
//: groups 2
//: in 0.0 vec4*128=random:124:-2:2
//: out 0.1 vec4*128 ulp=16 abs=1e-5
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { vec4 a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { vec4 b[]; };

void main()
{
   uint i = gl_GlobalInvocationID.x;
   vec4 v = a[i], w = a[i ^ 3u];
   vec4 r = mix(v, w, vec4(0.25, 0.5, 0.75, 1.0));

   r += clamp(v, -1.0, 1.0) * max(v, w) - min(v, 0.5);
   r.xy += step(w.xy, v.xy) * smoothstep(-1.0, 1.5, v.zw);
   r.z += smoothstep(0.0, 1.0, w.x);
   r = fma(r, vec4(0.5), w);
   b[i] = r;
}
