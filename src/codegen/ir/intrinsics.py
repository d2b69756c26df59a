# SPDX-License-Identifier: MIT
"""The intrinsics, one row each, and the constants (indices) that they carry. schema.Intrinsic and
schema.Index say what the columns mean.

What holds for every intrinsic:

 * Lanes take effect in ascending order within one instruction. Memory is sequentially consistent.
 * Addresses and offsets count bytes. `offset` indices are signed and added to the address without
   wrapping. Access past the end of a buffer reads 0 and writes nothing; anywhere else it is an error
   of the program.
 * A vector of k components of b bits takes k * b / 8 bytes, lowest component first; 1-bit values
   have no place in memory.
 * Reading another lane's value gives undef where that lane is inactive or has ended.
 * The subgroup is the wave; a lane's number in it is its subgroup_invocation.
"""

from codegen.ir.ops import OPS
from codegen.ir.schema import Enum, Index, Intrinsic, check_intrinsics

MEM = (8, 16, 32, 64)
ALL = (1, 8, 16, 32, 64)
ATOM = (32, 64)
TEXEL = (16, 32)

# ---- what indices can be --------------------------------------------------------------------

ENUMS = [
   Enum('memory_class', 'What kind of storage an instruction touches.', [
      ('global', 'Memory with 64-bit addresses.'),
      ('buffer', 'Memory bound to descriptors.'),
      ('shared', 'Memory of the workgroup.'),
      ('scratch', 'Memory of one lane.'),
      ('push', 'Push constants; never written.'),
      ('kernarg', 'Arguments of the kernel; never written.'),
      ('constant', 'Constant data of the shader; never written.'),
      ('image', 'Images and their descriptors.'),
      ('input', 'Inputs of the stage; never written.'),
      ('output', 'Outputs of the stage.'),
      ('helper', 'Not storage: which lanes are helpers, written by demote.'),
   ], prefix='memory', flags=True),
   Enum('access', 'What is promised of a memory access, or asked of it.', [
      ('volatile', 'Exactly one access, in order with other volatile ones.'),
      ('coherent', 'Others see it, and it sees theirs, at device scope.'),
      ('restrict', 'No alias: the shader accesses this memory only through this binding or pointer.'),
      ('readonly', 'Nothing writes this memory while the shader runs.'),
      ('nontemporal', 'Not used again soon.'),
      ('nonuniform', 'Descriptor operands may differ between lanes.'),
      ('speculatable', 'Safe to run for all lanes, whatever the control flow.'),
      ('inbounds', 'Inside of its buffer, which ends 65536 bytes below 4 GiB or earlier; else it is '
       'an error of the program.'),
      ('forward', 'Past the end of its buffer, a load may give what the lane itself stored there last.'),
      ('nowrap', 'Of two accesses by a lane that are less than 65536 bytes apart modulo 4 GiB, but one below 4 GiB '
       'and one above 0, the one that is inside may be as if it were past the end. A load past 4 GiB may be modulo 4 GiB.'),
   ], flags=True),
   Enum('scope', 'How far something reaches.', [
      ('none', 'Nobody: no wait.'),
      ('invocation', 'The lane.'),
      ('subgroup', 'The wave.'),
      ('workgroup', 'The workgroup.'),
      ('device', 'Everything on the device.'),
      ('system', 'The host too.'),
   ]),
   Enum('memory_semantics', 'How a barrier orders memory.', [
      ('acquire', 'What comes after it in the program does not move before it.'),
      ('release', 'What comes before it in the program does not move after it.'),
   ], prefix='semantics', flags=True),
   Enum('reduce_op', 'How a reduction or scan combines lanes.', [
      ('iadd', 'Integer sum.', 'iadd'),
      ('imul', 'Integer product.', 'imul'),
      ('imin', 'The least, signed.', 'imin'),
      ('imax', 'The greatest, signed.', 'imax'),
      ('umin', 'The least, unsigned.', 'umin'),
      ('umax', 'The greatest, unsigned.', 'umax'),
      ('iand', 'Bitwise and.', 'iand'),
      ('ior', 'Bitwise or.', 'ior'),
      ('ixor', 'Bitwise exclusive or.', 'ixor'),
      ('fadd', 'Float sum, in ascending order of lanes.', 'fadd'),
      ('fmul', 'Float product, in ascending order of lanes.', 'fmul'),
      ('fmin', 'The least, as fmin; of one lane, its value by fcanonicalize.', 'fmin'),
      ('fmax', 'The greatest, as fmax; of one lane, its value by fcanonicalize.', 'fmax'),
   ], prefix='reduce'),
   Enum('atomic_op', 'The operation of an atomic: what it stores.', [
      ('iadd', 'old + data.', 'iadd'),
      ('imin', 'The lesser of the two, signed.', 'imin'),
      ('imax', 'The greater of the two, signed.', 'imax'),
      ('umin', 'The lesser of the two, unsigned.', 'umin'),
      ('umax', 'The greater of the two, unsigned.', 'umax'),
      ('iand', 'old and data.', 'iand'),
      ('ior', 'old or data.', 'ior'),
      ('ixor', 'old exclusive-or data.', 'ixor'),
      ('exchange', 'data.'),
      ('inc_wrap', 'old + 1, or 0 where old is data or more, unsigned.'),
      ('dec_wrap', 'old - 1, or data where old is 0 or more than data, unsigned.'),
      ('fadd', 'old + data, floats.', 'fadd'),
      ('fmin', 'The lesser of the two, as fmin.', 'fmin'),
      ('fmax', 'The greater of the two, as fmax.', 'fmax'),
   ], prefix='atomic'),
   Enum('image_dim', 'The shape of an image.', [
      ('d1', 'A line: x.'),
      ('d2', 'A plane: x, y.'),
      ('d3', 'A volume: x, y, z.'),
      ('cube', 'Six faces: a direction x, y, z to sample, x, y, face to load and store.'),
      ('buffer', 'A typed buffer: an element number.'),
   ], prefix='dim'),
   Enum('interp_mode', 'How an input varies over a primitive.', [
      ('smooth', 'Linear in space: with perspective.'),
      ('noperspective', 'Linear on the screen.'),
   ], prefix='interp'),
   Enum('interp_location', 'Where in a pixel an input is evaluated.', [
      ('center', 'At its center.'),
      ('centroid', 'At a place that is both in the pixel and in the primitive.'),
      ('sample', 'At the sample of this invocation.'),
   ], prefix='interp_at'),
]

INDICES = [
   Index('offset', 'int', 'Bytes added to the address.'),
   Index('align_mul', 'uint', 'A power of two: the address, offset included, is align_offset modulo '
         'this; 1 if nothing is known.', 1),
   Index('align_offset', 'uint', 'Below align_mul.'),
   Index('access', 'access', 'What is promised of the access, or asked of it.'),
   Index('set', 'uint', 'The descriptor set.'),
   Index('binding', 'uint', 'The binding in the set.'),
   Index('sampler_set', 'uint', 'The descriptor set of the sampler.'),
   Index('sampler_binding', 'uint', 'The binding of the sampler in its set.'),
   Index('atomic_op', 'atomic_op', 'What is put in place of the old value.'),
   Index('reduce_op', 'reduce_op', 'How lanes are combined.'),
   Index('cluster_size', 'uint', 'Lanes are taken in groups of so many, a power of two; 0 is all.'),
   Index('exec_scope', 'scope', 'The scope of the execution barrier: all its lanes must arrive.'),
   Index('mem_scope', 'scope', 'The scope of the memory barrier.'),
   Index('clock_scope', 'scope', 'Who has the same clock: the subgroup, or the device.'),
   Index('semantics', 'memory_semantics', 'How memory is ordered.'),
   Index('memory', 'memory_class', 'Which memory is ordered.'),
   Index('dim', 'image_dim', 'The shape of the image.', 1),
   Index('array', 'bool', 'The image has layers: the last coordinate is the layer.'),
   Index('ms', 'bool', 'The image has several samples a texel.'),
   Index('component', 'uint', 'The first component of the location that is touched; of a gather: '
         'the component that is gathered.'),
   Index('location', 'uint', 'The number of the input or output; each has 4 components of 32 bits.'),
   Index('dual_source', 'bool', 'A fragment output that is the second source of blending.'),
   Index('interp_mode', 'interp_mode', 'How the input varies over a primitive.'),
   Index('interp_location', 'interp_location', 'Where in the pixel it is evaluated.'),
   Index('offset_x', 'int', 'Texels added to the first coordinate.'),
   Index('offset_y', 'int', 'Texels added to the second coordinate.'),
   Index('offset_z', 'int', 'Texels added to the third coordinate.'),
]

INTRINSICS = []


def row(*args, **kwargs):
   INTRINSICS.append(Intrinsic(*args, **kwargs))


# ---- ids of the invocation ------------------------------------------------------------------

GRID = 'compute kernel'


def value(name, result, meaning, divergence, stages='', note=''):
   """A value that is given to the lane when it starts and never changes."""
   row(name, f'-> {result}', meaning, note, divergence=divergence, speculate='always',
       stages=stages)


value('local_invocation_id', 'u:32[3]', 'Position in the workgroup.', 'divergent', GRID)
value('local_invocation_index', 'u:32[1]', 'Number in the workgroup, x fastest.', 'divergent', GRID)
value('global_invocation_id', 'u:32[3]', 'Position in the dispatch.', 'divergent', GRID)
value('global_invocation_index', 'u:32[1]', 'Number in the dispatch: the number of the workgroup '
      'times its size, plus local_invocation_index.', 'divergent', GRID)
value('workgroup_id', 'u:32[3]', 'Position of the workgroup in the dispatch.', 'uniform', GRID)
value('workgroup_index', 'u:32[1]', 'Number of the workgroup, x fastest.', 'uniform', GRID)
value('num_workgroups', 'u:32[3]', 'Workgroups in the dispatch.', 'uniform', GRID)
value('workgroup_size', 'u:32[3]', 'Invocations in a workgroup.', 'uniform', GRID)
value('global_offset', 'u:32[3]', 'What the launch adds to the position, not included in '
      'global_invocation_id.', 'uniform', 'kernel')
value('work_dim', 'u:32[1]', 'Dimensions of the launch: 1 to 3.', 'uniform', 'kernel')
value('num_subgroups', 'u:32[1]', 'Subgroups in the workgroup.', 'uniform', GRID)
value('subgroup_id', 'u:32[1]', 'Number of the subgroup in the workgroup.', 'uniform', GRID)
value('subgroup_size', 'u:32[1]', 'Lanes in the subgroup, inactive ones too.', 'uniform')
value('subgroup_invocation', 'u:32[1]', 'Number of the lane.', 'divergent')
for relation, words in (('eq', 'Bit of this lane.'), ('lt', 'Bits of lower lanes.'),
                        ('le', 'Bits of this lane and lower ones.'),
                        ('gt', 'Bits of higher lanes.'),
                        ('ge', 'Bits of this lane and higher ones.')):
   value(f'subgroup_{relation}_mask', 'u:32[4]', words, 'divergent',
         note='Bits of lanes that the subgroup does not have are 0.')

# ---- across lanes ---------------------------------------------------------------------------


def lanes(name, signature, meaning, note='', *, helpers='run', **kwargs):
   row(name, signature, meaning, note, cross_lane=True, helpers=helpers,
       reads='helper' if helpers == 'uncounted' else '', **kwargs)


lanes('ballot', 'b:1[1] condition -> u:32[4]', 'A mask of the lanes whose condition is true.',
      'Inactive lanes and those that the subgroup does not have give 0.', divergence='uniform',
      helpers='uncounted')
lanes('elect', '-> b:1[1]', 'True in the lowest active lane alone.', divergence='divergent',
      helpers='uncounted')
lanes('vote_any', 'b:1[1] condition -> b:1[1]', 'Whether the condition is true in any active lane.',
      'False if only helper lanes are active.', divergence='uniform', helpers='uncounted')
lanes('vote_all', 'b:1[1] condition -> b:1[1]', 'Whether the condition is true in all active lanes.',
      'True if only helper lanes are active.', divergence='uniform', helpers='uncounted')
lanes('vote_ieq', 'x:D[n] value -> b:1[1]', 'Whether all active lanes have the same bits.',
      'True if only helper lanes are active.', D=ALL, divergence='uniform', helpers='uncounted')
lanes('vote_feq', 'f:D[n] value -> b:1[1]', 'Whether all active lanes have equal numbers, by feq.',
      'A NaN makes it false; true if only helper lanes are active.', D=(16, 32, 64),
      divergence='uniform', helpers='uncounted')

BITS = 'Bits of lanes that the subgroup does not have are ignored.'
row('inverse_ballot', 'u:32[4] mask !uniform -> b:1[1]', "This lane's bit of a mask.",
    divergence='divergent', speculate='always')
row('ballot_bit', 'u:32[4] mask, u:32[1] lane !defined -> b:1[1]', 'The bit of a given lane.',
    'A lane that the subgroup does not have gives false.', divergence='operands')
row('ballot_bit_count', 'u:32[4] mask -> u:32[1]', 'How many bits are set.', BITS,
    divergence='operands', speculate='always')
row('ballot_bit_count_inclusive', 'u:32[4] mask -> u:32[1]',
    'How many bits are set of this lane and lower ones.', BITS, divergence='divergent',
    speculate='always')
row('ballot_bit_count_exclusive', 'u:32[4] mask -> u:32[1]', 'How many bits are set of lower lanes.',
    BITS, divergence='divergent', speculate='always')
row('ballot_find_lsb', 'u:32[4] mask -> i:32[1]', 'The lowest lane whose bit is set.',
    '-1 if there is none. ' + BITS, divergence='operands', speculate='always')
row('ballot_find_msb', 'u:32[4] mask -> i:32[1]', 'The highest lane whose bit is set.',
    '-1 if there is none. ' + BITS, divergence='operands', speculate='always')

lanes('read_first', 'x:D[n] value -> x:D[n]', 'The value of the lowest active lane (readfirstlane).', D=ALL,
      divergence='uniform')
lanes('broadcast', 'x:D[n] value, u:32[1] lane !uniform !defined -> x:D[n]',
      'The value of one lane, in all lanes (readlane).', D=ALL, divergence='uniform')
lanes('shuffle', 'x:D[n] value, u:32[1] lane !defined -> x:D[n]',
      'The value of the given lane; each lane may read another one.', D=ALL, divergence='divergent')
for name, words in (('xor', 'exclusive-or'), ('up', 'minus'), ('down', 'plus')):
   lanes(f'shuffle_{name}', 'x:D[n] value, u:32[1] distance !uniform !defined -> x:D[n]',
         f"The value of the lane with the number of this one {words} the distance.",
         'Undef where there is no such lane.', D=ALL, divergence='divergent')
lanes('rotate', 'x:D[n] value, u:32[1] distance !uniform !defined -> x:D[n]',
      'The value of the lane that many lanes ahead, modulo the size of the cluster.',
      indices='cluster_size', D=ALL, divergence='divergent')

for name, words in (('reduce', 'Reduction: combines the values of all active lanes of the cluster.'),
                    ('inclusive_scan', 'Prefix scan: combines the values of the active lanes up to this one.'),
                    ('exclusive_scan', 'Prefix scan: combines the values of the active lanes below this one.')):
   scan = name != 'reduce'
   lanes(name, 'x:D[n] value -> x:D[n]', words,
         'The identity of the op where there is none: for fmin and fmax, NaN.',
         indices='reduce_op' if scan else 'reduce_op cluster_size', D=ALL,
         divergence='divergent' if scan else 'cluster', helpers='uncounted')

lanes('quad_broadcast', 'x:D[n] value, u:32[1] lane !uniform !defined -> x:D[n]',
      'The value of one of the four lanes of the quad.', 'The lane number is taken modulo 4.',
      D=ALL, divergence='divergent', helpers='needed')
for name, words in (('horizontal', 'beside it'), ('vertical', 'above or below it'),
                    ('diagonal', 'across from it')):
   lanes(f'quad_swap_{name}', 'x:D[n] value -> x:D[n]', f'The value of the lane of the quad {words}.',
         D=ALL, divergence='divergent', helpers='needed')
for name in ('any', 'all'):
   lanes(f'quad_vote_{name}', 'b:1[1] condition -> b:1[1]',
         f'Whether the condition is true in {name} of the active lanes of the quad.', 'Helper lanes count.',
         divergence='divergent', helpers='needed')

for axis in 'xy':
   for suffix, words in (('', 'fine or coarse'), ('_fine', 'for each row or column'),
                         ('_coarse', 'once for the quad')):
      lanes(f'dd{axis}{suffix}', 'f:D[n] value -> f:D[n]',
            f'Derivative: the difference between neighbouring pixels along {axis}, taken {words}.',
            'The implementation takes the coarse one.' if not suffix else '', D=(16, 32, 64),
            divergence='divergent', helpers='needed', stages='compute kernel fragment')

# ---- barriers -------------------------------------------------------------------------------

row('barrier', '', 'Execution and memory barrier: waits until all lanes of exec_scope arrive, and orders memory.',
    'With exec_scope none it only orders memory. Else all unfinished lanes of the wave must be '
    'active.', cross_lane=True, effects='barrier',
    indices='exec_scope mem_scope semantics memory')

row('clock', '-> u:64[1]', 'A count that grows with time: what comes later reads more.',
    'How fast is not said. It keeps its place among accesses to memory.', cross_lane=True,
    effects='barrier', divergence='uniform', indices='clock_scope')

# ---- memory ---------------------------------------------------------------------------------

ALIGN = 'offset align_mul align_offset access'
BUFFER = 'u:32[1] array_index !descriptor !defined'


def memory(place, operands, indices, words, writable=True, atomic=True):
   """Load, store and atomics of one class of memory, addressed by `operands`."""
   lane_memory = place == 'scratch'
   aligned = f'{indices} {ALIGN}'.strip()
   atoms = f'{indices} offset access'.strip()
   stages = GRID if place in ('shared', 'kernarg') else ''
   row(f'load_{place}', f'{operands} -> x:D[1..16]', f'Read {words}.', D=MEM, indices=aligned,
       reads=place, divergence='divergent' if lane_memory else 'memory', speculate='access',
       stages=stages)
   if writable:
      row(f'store_{place}', f'x:D[1..16] value, {operands}', f'Write {words}.', D=MEM,
          indices=aligned, writes=place, effects='write', stages=stages,
          helpers='run' if lane_memory else 'skip')
   if atomic:
      row(f'{place}_atomic', f'{operands}, x:D[1] data -> x:D[1]',
          f'Atomic read-modify-write of {words}; gives the old value.', D=ATOM, indices='atomic_op ' + atoms,
          reads=place, writes=place, effects='write', helpers='skip', divergence='divergent',
          stages=stages)
      row(f'{place}_atomic_swap', f'{operands}, x:D[1] compare, x:D[1] data -> x:D[1]',
          f'Atomic compare-and-swap: writes data to {words} if they equal compare; gives the old value.',
          D=ATOM, indices=atoms, reads=place, writes=place, effects='write', helpers='skip',
          divergence='divergent', stages=stages)


memory('global', 'u:64[1] address !defined', '', 'bytes at a 64-bit address')
memory('buffer', BUFFER + ', u:32[1] position !defined', 'set binding',
       "bytes of a descriptor's buffer")
row('buffer_size', BUFFER + ' -> u:32[1]', "Bytes in a descriptor's buffer.",
    indices='set binding access', divergence='operands', speculate='access')
memory('shared', 'u:32[1] address !defined', '', 'bytes of the memory of the workgroup')
memory('scratch', 'u:32[1] address !defined', '', 'bytes of the memory of the lane', atomic=False)
memory('push', 'u:32[1] address !defined', '', 'bytes of the push constants', writable=False,
       atomic=False)
memory('kernarg', 'u:32[1] address !defined', '', 'bytes of the arguments of the kernel',
       writable=False, atomic=False)
memory('constant', 'u:32[1] address !defined', '', 'bytes of the constant data of the shader',
       writable=False, atomic=False)

# ---- images ---------------------------------------------------------------------------------

IMAGE = 'u:32[1] image !descriptor !defined'
SAMPLED = IMAGE + ', u:32[1] sampler !descriptor !defined'
TEXEL_PLACE = 'u:32[1..4] coord !defined, u:32[1] sample !defined'
IMAGE_INDICES = 'set binding dim array ms access'
SAMPLE_INDICES = ('set binding sampler_set sampler_binding dim array offset_x offset_y offset_z '
                  'access')
OUTSIDE = 'Outside of the image it reads 0 and writes nothing.'
COORD = ' The coordinate has hd_image_coord_components components.'

row('image_load', f'{IMAGE}, {TEXEL_PLACE}, u:32[1] lod !defined -> x:D[1..4]', 'Read a texel.',
    OUTSIDE + COORD, D=(16, 32, 64), indices=IMAGE_INDICES, reads='image', divergence='memory',
    speculate='access')
row('image_store', f'x:D[1..4] value, {IMAGE}, {TEXEL_PLACE}, u:32[1] lod !defined',
    'Write a texel.', OUTSIDE + COORD, D=(16, 32, 64), indices=IMAGE_INDICES, writes='image',
    effects='write', helpers='skip')
row('image_atomic', f'{IMAGE}, {TEXEL_PLACE}, x:D[1] data -> x:D[1]',
    'Atomic read-modify-write of a texel; gives the old value.', OUTSIDE + COORD, D=ATOM,
    indices='atomic_op ' + IMAGE_INDICES, reads='image', writes='image', effects='write',
    helpers='skip', divergence='divergent')
row('image_atomic_swap', f'{IMAGE}, {TEXEL_PLACE}, x:D[1] compare, x:D[1] data -> x:D[1]',
    'Atomic compare-and-swap: writes data to a texel if it equals compare; gives the old value.',
    OUTSIDE + COORD, D=ATOM, indices=IMAGE_INDICES, reads='image', writes='image',
    effects='write', helpers='skip', divergence='divergent')
row('image_size', f'{IMAGE}, u:32[1] lod !defined -> u:32[1..3]',
    'Width, height, depth, as far as the shape has them, then layers.',
    'A cube has a width and a height; the layers of a cube array count cubes.',
    indices='set binding dim array access', divergence='operands', speculate='access')
row('image_levels', f'{IMAGE} -> u:32[1]', 'Number of levels of detail.',
    indices='set binding access', divergence='operands', speculate='access')
row('image_samples', f'{IMAGE} -> u:32[1]', 'Number of samples of a texel.',
    indices='set binding access', divergence='operands', speculate='access')


def sample(name, operands, result, meaning, indices=SAMPLE_INDICES, implicit=False, note=''):
   """A sampling op, and the one that compares with a reference (and filters the answers)."""
   for suffix, reference, shape, words in (
         ('', '', result, ''),
         ('_compare', ', f:32[1] reference', result if result == 'x:D[4]' else 'f:D[1]',
          ', compared with a reference')):
      row(name + suffix, f'{SAMPLED}, f:32[1..4] coord{operands}{reference} -> {shape}',
          meaning + words + '.', (note + COORD).strip(), D=TEXEL, indices=indices,
          reads='image', cross_lane=implicit, helpers='needed' if implicit else 'run',
          divergence='divergent' if implicit else 'memory',
          speculate='never' if implicit else 'access',
          stages='compute kernel fragment' if implicit else '')


LEAST = 'The level of detail is held at least at min_lod; 0 changes nothing.'
sample('image_sample', ', f:32[1] bias, f:32[1] min_lod', 'x:D[1..4]',
       'Sample; the level of detail is that of the quad, plus a bias', implicit=True,
       note='The four lanes of the quad give the derivatives. ' + LEAST)
sample('image_sample_lod', ', f:32[1] lod', 'x:D[1..4]', 'Sample at a level of detail')
sample('image_sample_grad', ', f:32[1..3] ddx, f:32[1..3] ddy, f:32[1] min_lod', 'x:D[1..4]',
       'Sample with given derivatives', note=LEAST)
sample('image_gather', ', i:32[2] offset !defined', 'x:D[4]',
       'One component of the four texels that would be filtered',
       indices='component set binding sampler_set sampler_binding dim array access',
       note='The offset counts texels: -32 to 31, and 0 of a cube. Level 0 is read.')
row('image_query_lod', f'{SAMPLED}, f:32[1..3] coord -> f:32[2]',
    'The level of detail that image_sample would take: as accessed, and before it is held in range.',
    indices='set binding sampler_set sampler_binding dim access', cross_lane=True, reads='image',
    helpers='needed', divergence='divergent', stages='compute kernel fragment')

# ---- inputs and outputs of the graphics stages ----------------------------------------------

GRAPHICS = 'vertex fragment'
row('load_input', 'u:32[1] index !defined -> x:D[1..4]',
    'An attribute of the vertex; in a fragment, an input that is the same for the primitive.',
    'The index counts locations.', D=(16, 32, 64), indices='location component access',
    reads='input', divergence='divergent', speculate='access', stages=GRAPHICS)
row('barycentric', '-> f:32[2]', 'Barycentric coordinates of the fragment.',
    indices='interp_mode interp_location', divergence='divergent', speculate='always',
    stages='fragment')
row('barycentric_at_offset', 'f:32[2] offset -> f:32[2]',
    'Barycentric coordinates at an offset, in pixels, from the center.',
    indices='interp_mode', cross_lane=True, helpers='needed', divergence='divergent',
    stages='fragment')
row('barycentric_at_sample', 'u:32[1] sample !defined -> f:32[2]',
    'Barycentric coordinates of a sample.', indices='interp_mode', cross_lane=True,
    helpers='needed', divergence='divergent', stages='fragment')
row('load_interpolated', 'f:32[2] barycentric, u:32[1] index !defined -> f:D[1..4]',
    'An input interpolated over the primitive.', 'The index counts locations.', D=TEXEL,
    indices='location component access', reads='input', divergence='divergent',
    speculate='access', stages='fragment')
row('store_output', 'x:D[1..4] value, u:32[1] index !defined', 'Write an output.',
    'The index counts locations.', D=(16, 32, 64), indices='location component dual_source',
    writes='output', effects='write', helpers='skip', stages=GRAPHICS)

row('store_position', 'f:32[4] position', 'Write the position of the vertex, in clip coordinates.',
    writes='output', effects='write', helpers='skip', stages='vertex')
row('store_point_size', 'f:32[1] size', 'Write the size of the point, in pixels.', writes='output',
    effects='write', helpers='skip', stages='vertex')
for kind, words in (('clip', 'user clip plane'), ('cull', 'cull plane')):
   row(f'store_{kind}_distance', 'f:32[1] distance, u:32[1] index !defined',
       f'Write the distance of the vertex from a {words}.', 'The index is below 8.', writes='output',
       effects='write', helpers='skip', stages='vertex')
   row(f'load_{kind}_distance', 'u:32[1] index !defined -> f:32[1]',
       f'The distance of the fragment from a {words}, interpolated with perspective.',
       'The index is below 8.', indices='access', reads='input', divergence='divergent',
       speculate='access', stages='fragment')
row('store_layer', 'u:32[1] layer', 'Write the layer of the framebuffer.', writes='output',
    effects='write', helpers='skip', stages='vertex')
row('store_viewport_index', 'u:32[1] viewport', 'Write the number of the viewport.',
    writes='output', effects='write', helpers='skip', stages='vertex')

value('vertex_index', 'u:32[1]', 'Number of the vertex, base_vertex included.', 'divergent',
      'vertex')
value('instance_index', 'u:32[1]', 'Number of the instance, base_instance included.', 'divergent',
      'vertex')
value('base_vertex', 'i:32[1]', 'What the draw adds to the vertex numbers.', 'uniform', 'vertex')
value('base_instance', 'u:32[1]', 'What the draw adds to the instance numbers.', 'uniform',
      'vertex')
value('draw_index', 'u:32[1]', 'Number of the draw in its command.', 'uniform', 'vertex')
value('view_index', 'u:32[1]', 'Number of the view.', 'uniform', GRAPHICS)
value('frag_coord', 'f:32[4]', 'Position of the fragment: x, y, depth, 1 / w.', 'divergent',
      'fragment')
value('front_facing', 'b:1[1]', 'Whether the front of the primitive is seen.', 'divergent',
      'fragment')
value('point_coord', 'f:32[2]', 'Position in the point: 0 to 1.', 'divergent', 'fragment')
value('primitive_id', 'u:32[1]', 'Number of the primitive.', 'divergent', 'fragment')
value('layer', 'u:32[1]', 'Layer of the framebuffer.', 'divergent', 'fragment')
value('viewport_index', 'u:32[1]', 'Number of the viewport.', 'divergent', 'fragment')
value('sample_id', 'u:32[1]', 'Number of the sample.', 'divergent', 'fragment')
value('sample_pos', 'f:32[2]', 'Position of the sample in the pixel: 0 to 1.', 'divergent',
      'fragment')
value('sample_mask_in', 'u:32[1]', 'Samples of the pixel that the primitive covers.', 'divergent',
      'fragment')

row('store_depth', 'f:32[1] depth', 'Write the depth of the fragment.', writes='output',
    effects='write', helpers='skip', stages='fragment')
row('store_stencil', 'u:32[1] stencil', 'Write the stencil reference of the fragment.',
    'The low 8 bits count.', writes='output', effects='write', helpers='skip', stages='fragment')
row('store_sample_mask', 'u:32[1] mask', 'Write which samples of the pixel are kept.',
    writes='output', effects='write', helpers='skip', stages='fragment')

row('is_helper', '-> b:1[1]', 'Whether the lane is a helper now: from the start, or demoted.',
    reads='helper', divergence='divergent', stages='fragment')
row('demote', '', 'The lane becomes a helper.', 'It goes on, for the sake of its quad.',
    writes='helper', effects='demote', stages='fragment')
row('demote_if', 'b:1[1] condition', 'The lane becomes a helper where the condition is true.',
    writes='helper', effects='demote', stages='fragment')

INTRINSICS = check_intrinsics(INTRINSICS, INDICES, ENUMS, OPS)
