# SPDX-License-Identifier: MIT
"""Sets of extended instructions: what each instruction is. One row for each name of the grammar.

   op          one op of ir/ops.py, on the operands in order
   math        a function of math_*.py; its first result
   special     a function of ext_glsl.c or ext_opencl*.c, by its name there
   unsupported why not

The types of operands and results are those of the op or function.
"""

from codegen.math.language import FUNCTIONS
from codegen.ir.ops import OPS
from codegen.ir.schema import TableError

GLSL, OPENCL = {}, {}
HOWS = ('op', 'math', 'special', 'unsupported')


def rows(table, how, text):
   """`Name=what`, or `name` alone where both are the same."""
   for word in text.split():
      name, _, what = word.partition('=')
      if name in table:
         raise TableError(f'{name}: the instruction is there twice')
      table[name] = (how, what or name)


def unsupported(table, names, why):
   for name in names.split():
      table[name] = ('unsupported', why)


# ---- GLSL.std.450 -----------------------------------------------------------------------------

rows(GLSL, 'op', '''
   Round=frint RoundEven=frint Trunc=ftrunc FAbs=fabs SAbs=iabs FSign=fsign SSign=isign Floor=ffloor
   Ceil=fceil Fract=ffract Exp2=fexp2 Log2=flog2 Sqrt=fsqrt InverseSqrt=frsq
   FMin=fmin UMin=umin SMin=imin FMax=fmax UMax=umax SMax=imax NMin=fmin NMax=fmax Fma=ffma
   FindILsb=find_lsb FindSMsb=ifind_msb FindUMsb=ufind_msb
   PackSnorm4x8=pack_snorm_4x8 PackUnorm4x8=pack_unorm_4x8 PackSnorm2x16=pack_snorm_2x16
   PackUnorm2x16=pack_unorm_2x16 PackHalf2x16=pack_half_2x16 PackDouble2x32=pack_64_2x32
   UnpackSnorm4x8=unpack_snorm_4x8 UnpackUnorm4x8=unpack_unorm_4x8
   UnpackSnorm2x16=unpack_snorm_2x16 UnpackUnorm2x16=unpack_unorm_2x16
   UnpackHalf2x16=unpack_half_2x16 UnpackDouble2x32=unpack_64_2x32
''')
rows(GLSL, 'math', '''
   Radians=radians Degrees=degrees Sin=fast_sin Cos=fast_cos Tan=fast_tan Asin=fast_asin
   Acos=fast_acos Atan=fast_atan Sinh=fast_sinh Cosh=fast_cosh Tanh=fast_tanh Asinh=fast_asinh
   Acosh=fast_acosh Atanh=fast_atanh Atan2=fast_atan2 Pow=fast_pow Exp=fast_exp Log=fast_log
   FClamp=fclamp NClamp=fclamp UClamp=uclamp SClamp=iclamp FMix=mix Step=step SmoothStep=smoothstep
   Ldexp=ldexp Length=length Distance=distance Normalize=normalize FaceForward=face_forward
   Reflect=reflect Refract=refract
''')
rows(GLSL, 'special', '''
   Determinant=determinant MatrixInverse=inverse Modf=modf ModfStruct=modf_struct Frexp=frexp
   FrexpStruct=frexp_struct Cross=cross InterpolateAtCentroid=at_centroid
   InterpolateAtSample=at_sample InterpolateAtOffset=at_offset
''')
unsupported(GLSL, 'IMix', 'it was removed from the set')

# ---- OpenCL.std -------------------------------------------------------------------------------

rows(OPENCL, 'op', '''
   ceil=fceil copysign=fcopysign fabs floor=ffloor fma=ffma fmax fmin mad=ffma rint=frint
   rsqrt=frsq sqrt=fsqrt trunc=ftrunc
   half_recip=frcp half_rsqrt=frsq half_sqrt=fsqrt
   native_recip=frcp native_rsqrt=frsq native_sqrt=fsqrt
   s_abs=iabs s_abs_diff=iabs_diff s_add_sat=iadd_sat u_add_sat=uadd_sat s_max=imax u_max=umax
   s_min=imin u_min=umin s_mul_hi=imulhi s_sub_sat=isub_sat u_sub_sat=usub_sat s_mad24=imad24
   u_mad24=umad24 s_mul24=imul24 u_mul24=umul24 u_abs_diff=uabs_diff u_mul_hi=umulhi
   fmax_common=fmax fmin_common=fmin sign=fsign
''')
rows(OPENCL, 'math', '''
   acos acosh acospi asin asinh asinpi atan atan2 atanh atanpi atan2pi cbrt cos cosh cospi erfc erf
   exp exp2 exp10 expm1 fdim fmod hypot ilogb ldexp lgamma log log2 log10 log1p logb maxmag minmag
   nan nextafter pow pown powr remainder rootn round sin sinh sinpi tan tanh tanpi tgamma
   half_cos=cos half_divide=fast_divide half_exp=fast_exp half_exp2=exp2 half_exp10=fast_exp10
   half_log=fast_log half_log2=log2 half_log10=fast_log10 half_powr=fast_pow half_sin=sin half_tan=tan
   native_cos=fast_cos native_divide=fast_divide native_exp=fast_exp native_exp2=exp2
   native_exp10=fast_exp10 native_log=fast_log native_log2=log2 native_log10=fast_log10
   native_powr=fast_pow native_sin=fast_sin native_tan=fast_tan
   s_hadd=ihadd u_hadd=uhadd s_rhadd=irhadd u_rhadd=urhadd s_clamp=iclamp u_clamp=uclamp clz ctz
   s_mad_hi=imad_hi u_mad_sat=umad_sat s_mad_sat=imad_sat rotate u_upsample=upsample
   s_upsample=upsample popcount u_mad_hi=umad_hi
   fclamp degrees radians mix=mix_straight step smoothstep
   distance=exact_distance length=exact_length normalize=exact_normalize
   fast_distance=distance fast_length=length fast_normalize=normalize
   bitselect=select_bits u_abs=same
''')
rows(OPENCL, 'special', '''
   fract=fract frexp=frexp lgamma_r=lgamma_r modf=modf remquo=remquo sincos=sincos cross=cross
   select=select vloadn vstoren vload_half vload_halfn vstore_half vstore_half_r vstore_halfn
   vstore_halfn_r vloada_halfn vstorea_halfn vstorea_halfn_r shuffle shuffle2 prefetch printf
''')

def row_of(table, names):
   """What becomes of the instruction that has these names; one that a later grammar adds is unsupported."""
   return next((table[name] for name in names if name in table), ('unsupported', 'it is not known'))


OP_NAMES = {op.name for op in OPS}


def check(table):
   for name, (how, what) in table.items():
      if (how == 'op' and what not in OP_NAMES) or (how == 'math' and what not in FUNCTIONS):
         raise TableError(f'{name}: there is no {what}')
