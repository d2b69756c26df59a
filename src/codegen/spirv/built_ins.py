# SPDX-License-Identifier: MIT
"""Which built-in variables of SPIR-V are read, as inputs or outputs of which stages, and what they look like.

A built-in without a row is refused with its name where it is used. Names stand without the tag of who made them, as in
modes.py. The page of coverage shows the table, and tests/spirv/test_built_ins.py holds the reader to it.
"""

from codegen.ir.schema import require
from codegen.spirv.modes import base

STAGES = ('vertex', 'fragment', 'compute', 'kernel')
ROLES = ('input', 'output')
TYPES = ('float', 'uint', 'bool')
ROWS = {}


class Row:
   """`shape` is a type with the number of its components, and [] behind that of an array."""

   def __init__(self, name, shape, roles):
      self.name, self.shape, self.roles = name, shape, roles
      self.is_array = shape.endswith('[]')
      self.type, self.components = shape.removesuffix('[]')[:-1], int(shape.removesuffix('[]')[-1])
      require(self.type in TYPES, name, f"'{shape}' is no shape")
      require(name not in ROWS, name, 'has two rows')
      for role, stages in roles.items():
         require(role in ROLES and set(stages) <= set(STAGES), name, f"'{role}' of {stages}")
      ROWS[name] = self


def rows(shape, names, **roles):
   for name in names.split():
      Row(name, shape, {role: stages.split() for role, stages in roles.items()})


def row_of(names):
   """The row of a built-in that has these names, or None."""
   found = {base(name) for name in names} & set(ROWS)
   require(len(found) < 2, names[0], f'has several rows: {", ".join(sorted(found))}')
   return ROWS[found.pop()] if found else None


def roles_of(row):
   """In words: 'input of vertex and fragment shaders'."""
   def shaders(stages):
      names = [s for s in STAGES if s in stages and s != 'kernel']
      words = ' and '.join(names) + ' shaders' if names else ''
      return words + (' and kernels' if words and 'kernel' in stages else 'kernels' if 'kernel' in stages else '')
   return ', '.join(f'{role} of {shaders(row.roles[role])}' for role in ROLES if role in row.roles)


rows('float4', 'Position', output='vertex')
rows('float1', 'PointSize', output='vertex')
rows('float1[]', 'ClipDistance CullDistance', input='fragment', output='vertex')
rows('uint1', 'VertexIndex InstanceIndex BaseVertex BaseInstance DrawIndex', input='vertex')
rows('uint1', 'ViewIndex', input='vertex fragment compute')
rows('uint1', 'DeviceIndex', input='vertex fragment compute')
rows('uint1', 'Layer ViewportIndex', input='fragment', output='vertex')
rows('uint1', 'PrimitiveId SampleId', input='fragment')
rows('float4', 'FragCoord', input='fragment')
rows('float2', 'PointCoord SamplePosition', input='fragment')
rows('bool1', 'FrontFacing HelperInvocation', input='fragment')
rows('float3', 'BaryCoord BaryCoordNoPersp', input='fragment')
rows('uint1[]', 'SampleMask', input='fragment', output='fragment')
rows('float1', 'FragDepth', output='fragment')
rows('uint1', 'FragStencilRef', output='fragment')
# AMD's: two weights.
rows('float2', '''BaryCoordNoPerspCentroid BaryCoordNoPerspSample BaryCoordSmooth BaryCoordSmoothCentroid BaryCoordSmoothSample''',
     input='fragment')
rows('uint3', 'NumWorkgroups WorkgroupId LocalInvocationId GlobalInvocationId', input='compute kernel')
rows('uint3', 'WorkgroupSize', input='kernel')
rows('uint1', 'LocalInvocationIndex', input='compute kernel')
rows('uint3', 'GlobalSize EnqueuedWorkgroupSize GlobalOffset', input='kernel')
rows('uint1', 'WorkDim GlobalLinearId SubgroupMaxSize NumEnqueuedSubgroups', input='kernel')
rows('uint1', 'NumSubgroups SubgroupId', input='compute kernel')
rows('uint1', 'SubgroupSize SubgroupLocalInvocationId', input='vertex fragment compute kernel')
rows('uint4', 'SubgroupEqMask SubgroupGeMask SubgroupGtMask SubgroupLeMask SubgroupLtMask', input='vertex fragment compute kernel')
