# SPDX-License-Identifier: MIT
"""Calls of LLVM's intrinsics as Heddle instructions.

`call(writer, instr)` writes one. A handler takes the writer and the instruction and gives the value
that the call's result is; `w.ref(operand)` is an operand, `w.emit(shape, text)` a new value.
"""
import re

from llvm_ir import Unsupported, float_bits
from llvm_variables import integer, shape

# intrinsic without its types -> op; operands in the same order
SAME = {
    'umin': 'umin', 'umax': 'umax', 'smin': 'imin', 'smax': 'imax',
    'uadd.sat': 'uadd_sat', 'usub.sat': 'usub_sat', 'sadd.sat': 'iadd_sat', 'ssub.sat': 'isub_sat',
    'amdgcn.mul.u24': 'umul24', 'amdgcn.mul.i24': 'imul24', 'amdgcn.ubfe': 'ubfe', 'amdgcn.sbfe': 'ibfe',
    'abs': 'iabs',
}
SAME_FLOAT = {
    'fma': 'ffma', 'fmuladd': 'ffma', 'sqrt': 'fsqrt', 'minnum': 'fmin', 'maxnum': 'fmax', 'minimumnum': 'fmin',
    'maximumnum': 'fmax', 'floor': 'ffloor', 'ceil': 'fceil', 'trunc': 'ftrunc', 'rint': 'frint',
    'nearbyint': 'frint', 'roundeven': 'frint', 'exp2': 'fexp2', 'log2': 'flog2', 'canonicalize': 'fcanonicalize',
    'amdgcn.rcp': 'frcp', 'amdgcn.rsq': 'frsq', 'amdgcn.fract': 'ffract', 'amdgcn.sin': 'fsin',
    'amdgcn.cos': 'fcos', 'amdgcn.fmed3': 'fmed3', 'amdgcn.sqrt': 'fsqrt', 'amdgcn.exp2': 'fexp2',
    'amdgcn.log': 'flog2', 'ldexp': 'fldexp',
}
# Work on the sign alone and take no flags that matter.
SIGN = {'fabs': 'fabs', 'copysign': 'fcopysign'}
ONLY_INDEX_0 = ('abs', 'ctlz', 'cttz')
REDUCE = {'add': 'iadd', 'mul': 'imul', 'and': 'iand', 'or': 'ior', 'xor': 'ixor', 'umin': 'umin', 'umax': 'umax',
          'smin': 'imin', 'smax': 'imax', 'fmin': 'fmin', 'fmax': 'fmax'}
TYPES = re.compile(r'(\.(?:v\d+)?(?:[ifp]\d+))+$')


def base_name(name):
   """llvm.umin.v2i32 -> umin."""
   return TYPES.sub('', name[len('llvm.'):])


def call(w, i):
   name = base_name(i.more)
   if name in SAME or name in SAME_FLOAT or name in SIGN:
      op = SAME.get(name) or SAME_FLOAT.get(name) or SIGN[name]
      args = i.args[:1] if name in ONLY_INDEX_0 else i.args
      if name not in ('umin', 'umax'):
         for type_, _ in args:
            w.whole(type_)
      flags = w.float_flags(i) if name in SAME_FLOAT else ''
      return w.emit(shape(i.type), f'{op}{flags} ' + ', '.join(w.ref(a) for a in args))
   handler = HANDLERS.get(name)
   if handler:
      return handler(w, i)
   found = re.fullmatch(r'amdgcn\.(workitem|workgroup)\.id\.([xyz])', name)
   if found:
      ids = 'local_invocation_id' if found[1] == 'workitem' else 'workgroup_id'
      return w.channel(w.emit((32, 3), ids), 32, 'xyz'.index(found[2]))
   found = re.fullmatch(r'vector\.reduce\.(\w+)', name)
   if found and found[1] in REDUCE:
      return reduce(w, i, REDUCE[found[1]])
   raise Unsupported(f'cannot call: {i.line}')


def reduce(w, i, op):
   bits, count = shape(i.args[0][0])
   vector = w.ref(i.args[0])
   sum_ = w.channel(vector, bits, 0)
   flags = '.exact' if op.startswith('f') else ''
   for n in range(1, count):
      sum_ = w.emit((bits, 1), f'{op}{flags} {sum_}, {w.channel(vector, bits, n)}')
   return sum_


def reverse(w, i):
   bits, n = shape(i.type)
   text = w.emit((bits, n), f'bit_reverse {w.ref(i.args[0])}')
   unused = bits - w.width(i.type)
   return w.emit((bits, n), f'ushr {text}, {w.constant((32, n), unused)}') if unused else text


def count_ones(w, i):
   bits, n = shape(i.type)
   return w.resize(w.emit((32, n), f'bit_count {w.ref(i.args[0])}'), 32, bits, n)


def leading_zeros(w, i):
   bits, n = shape(i.type)
   w.whole(i.type)
   top = w.constant((32, n), bits - 1)
   found = w.emit((32, n), f'ufind_msb {w.ref(i.args[0])}')
   return w.resize(w.emit((32, n), f'isub {top}, {found}'), 32, bits, n)


def trailing_zeros(w, i):
   bits, n = shape(i.type)
   w.whole(i.type)
   found = w.emit((32, n), f'find_lsb {w.ref(i.args[0])}')
   if not integer(i.args[1][1]):
      # 0 gives -1, the greatest unsigned number.
      found = w.emit((32, n), f'umin {found}, {w.constant((32, n), bits)}')
   return w.resize(found, 32, bits, n)


def swap_bytes(w, i):
   bits, n = shape(i.type)
   x = w.ref(i.args[0])
   if bits == 16:
      return w.emit((16, n), f'rotl {x}, {w.constant((32, n), 8)}')
   if bits != 32:
      raise Unsupported(f'cannot call: {i.line}')
   even = w.emit((32, n), f'rotl {x}, {w.constant((32, n), 8)}')
   odd = w.emit((32, n), f'rotr {x}, {w.constant((32, n), 8)}')
   return w.emit((32, n), f'bitselect {w.constant((32, n), 0x00ff00ff)}, {even}, {odd}')


def funnel(w, i, left):
   bits, n = shape(i.type)
   w.whole(i.type)
   high, low = w.ref(i.args[0]), w.ref(i.args[1])
   count = w.count(i.args[2])
   if i.args[0][1] == i.args[1][1]:
      return w.emit((bits, n), f'{"rotl" if left else "rotr"} {high}, {count}')
   if not left:
      return w.emit((bits, n), f'funnel_shr {high}, {low}, {count}')
   known = integer(i.args[2][1])
   if known is not None:
      if known % bits == 0:
         return high
      return w.emit((bits, n), f'funnel_shr {high}, {low}, {w.constant((32, n), bits - known % bits)}')
   # high:low shifted right by one, then by the complement of the count.
   one = w.constant((32, n), 1)
   upper = w.emit((bits, n), f'ushr {high}, {one}')
   lower = w.emit((bits, n), f'funnel_shr {high}, {low}, {one}')
   return w.emit((bits, n), f'funnel_shr {upper}, {lower}, {w.emit((32, n), f"inot {count}")}')


def overflow(op, test):
   """An op that tells whether it overflowed: a pair that extractvalue takes apart."""

   def handler(w, i):
      type_ = i.args[0][0]
      w.whole(type_)
      bits, n = shape(type_)
      a, b = w.ref(i.args[0]), w.ref(i.args[1])
      result = w.emit((bits, n), f'{op} {a}, {b}')
      w.pairs[i.name] = (result, test(w, bits, n, a, b, result))
      return None

   return handler


def multiply_overflow(w, bits, n, a, b, _):
   return w.emit((1, n), f'ine {w.emit((bits, n), f"umulhi {a}, {b}")}, {w.constant((bits, n), 0)}')


def signed_overflow(op):
   def test(w, bits, n, a, b, result):
      return w.emit((1, n), f'ine {w.emit((bits, n), f"{op} {a}, {b}")}, {result}')

   return test


def signed_multiply_overflow(w, bits, n, a, b, result):
   sign = w.emit((bits, n), f'ishr {result}, {w.constant((32, n), bits - 1)}')
   return w.emit((1, n), f'ine {w.emit((bits, n), f"imulhi {a}, {b}")}, {sign}')


def three_way(less):
   def handler(w, i):
      bits, n = shape(i.type)
      a, b = w.ref(i.args[0]), w.ref(i.args[1])
      above = w.emit((bits, n), f'b2i {w.emit((1, n), f"{less} {b}, {a}")}')
      below = w.emit((bits, n), f'b2i {w.emit((1, n), f"{less} {a}, {b}")}')
      return w.emit((bits, n), f'isub {above}, {below}')

   return handler


def is_class(w, i):
   bits, n = shape(i.args[0][0])
   x, mask = w.ref(i.args[0]), integer(i.args[1][1])
   if mask == 0x003:
      return w.emit((1, n), f'funord {x}, {x}')
   if mask == 0x3fc:
      return w.emit((1, n), f'ford {x}, {x}')
   if mask == 0x204:
      infinity = w.constant((bits, n), float_bits(float('inf'), bits))
      return w.emit((1, n), f'feq {w.emit((bits, n), f"fabs {x}")}, {infinity}')
   raise Unsupported(f'cannot call: {i.line}')


def barrier(w, i):
   w.line('barrier exec_scope=workgroup mem_scope=workgroup semantics=acquire|release memory=global|shared')


def ballot(w, i):
   bits = w.emit((32, 4), f'ballot {w.ref(i.args[0])}')
   low = w.channel(bits, 32, 0)
   if shape(i.type)[0] == 32:
      return low
   return w.emit((64, 1), f'pack_64_2x32 {w.emit((32, 2), f"vec {low}, {w.channel(bits, 32, 1)}")}')


def lane_count(half):
   def handler(w, i):
      below = w.channel(w.emit((32, 4), 'subgroup_lt_mask'), 32, half)
      mask = w.emit((32, 1), f'iand {w.ref(i.args[0])}, {below}')
      return w.emit((32, 1), f'iadd {w.emit((32, 1), f"bit_count {mask}")}, {w.ref(i.args[1])}')

   return handler


def cross(op):
   def handler(w, i):
      return w.emit(shape(i.type), f'{op} ' + ', '.join(map(w.ref, i.args)))

   return handler


def permute(w, i):
   lane = w.emit((32, 1), f'ushr {w.ref(i.args[0])}, {w.constant((32, 1), 2)}')
   return w.emit(shape(i.type), f'shuffle {w.ref(i.args[1])}, {lane}')


HANDLERS = {
    'bitreverse': reverse, 'ctpop': count_ones, 'ctlz': leading_zeros, 'cttz': trailing_zeros, 'bswap': swap_bytes,
    'fshl': lambda w, i: funnel(w, i, True), 'fshr': lambda w, i: funnel(w, i, False),
    'uadd.with.overflow': overflow('iadd', lambda w, bits, n, a, b, r: w.emit((1, n), f'uadd_carry {a}, {b}')),
    'usub.with.overflow': overflow('isub', lambda w, bits, n, a, b, r: w.emit((1, n), f'usub_borrow {a}, {b}')),
    'umul.with.overflow': overflow('imul', multiply_overflow),
    'sadd.with.overflow': overflow('iadd', signed_overflow('iadd_sat')),
    'ssub.with.overflow': overflow('isub', signed_overflow('isub_sat')),
    'smul.with.overflow': overflow('imul', signed_multiply_overflow),
    'ucmp': three_way('ult'), 'scmp': three_way('ilt'), 'is.fpclass': is_class,
    'amdgcn.s.barrier': barrier, 'amdgcn.ballot': ballot,
    'amdgcn.mbcnt.lo': lane_count(0), 'amdgcn.mbcnt.hi': lane_count(1),
    'amdgcn.readfirstlane': cross('read_first'), 'amdgcn.readlane': cross('broadcast.uniform'),
    'amdgcn.ds.bpermute': permute,
}
