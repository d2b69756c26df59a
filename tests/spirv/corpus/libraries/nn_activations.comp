// SPDX-License-Identifier: MIT
// Activations of packs of four, chosen by specialisation: leaky, GELU, SiLU, hard swish, mish, softplus, erf.
//: variant gelu T=f32 V=vec4 KIND=1
//: variant silu T=f32 V=vec4 KIND=2
//: variant hard_swish T=f32 V=vec4 KIND=3
//: variant mish T=f32 V=vec4 KIND=4
//: variant erf T=f32 V=vec4 KIND=5
//: variant gelu_half T=f16 V=f16vec4 KIND=1
//: variant silu_half T=f16 V=f16vec4 KIND=2
//: groups 3
//: push u32=36
//: spec 0 u32=$KIND
//: io 0.0 $T*160=random:1091:-4:4 abs=0.006 ulp=4
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#define f16 float16_t
#define f32 float
layout(local_size_x = 16) in;
layout(constant_id = 0) const uint kind = 0;
layout(binding = 0) buffer Blob { V x[]; };
layout(push_constant) uniform parameter { uint n; } p;

V error_function(V v)
{
   const V a = abs(v), t = V(1) / (V(1) + V(0.3275911) * a);
   const V y = V(1) - t * (V(0.2548296) + t * (V(-0.2844967) + t * (V(1.421414) + t * (V(-1.453152) + t * V(1.061405))))) * exp(-a * a);
   return sign(v) * y;
}

void main()
{
   const uint i = gl_GlobalInvocationID.x;

   if (i >= p.n)
      return;
   const V v = x[i];
   switch (kind) {
   case 0:
      x[i] = mix(v, v * V(0.1), lessThan(v, V(0)));
      break;
   case 1:
      x[i] = V(0.5) * v * (V(1) + tanh(V(0.797885) * (v + V(0.044715) * v * v * v)));
      break;
   case 2:
      x[i] = v / (V(1) + exp(-v));
      break;
   case 3:
      x[i] = v * clamp(v / V(6) + V(0.5), V(0), V(1));
      break;
   case 4:
      x[i] = v * tanh(log(V(1) + exp(v)));
      break;
   case 5:
      x[i] = error_function(v);
      break;
   }
}
