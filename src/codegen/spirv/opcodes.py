# SPDX-License-Identifier: MIT
"""Which part of the SPIR-V reader takes each instruction of the grammar, and what it becomes.

A room is a file of src/spirv (or two). An instruction that stands in no row is unsupported: the
reason is that of the first pattern in UNSUPPORTED that fits its name.

   room(ROOM, NAMES)              instructions, by their names in the grammar without "Op"
   alu(NAME, OP, FLAGS)           one that is the op OP of src/codegen/ir/ops.py on its operands
   unsupported(REASON, PATTERNS)  the reason completes "OpX: ... is not supported"
"""

import fnmatch

from codegen.ir.schema import require

ROOMS = {
   'unsupported': 'read by nobody',
   'ignore': 'has no meaning for what is compiled',
   'debug': 'names and places of the source',
   'module': 'what a module says about itself, decorations, entry points',
   'type': 'types',
   'constant': 'constants',
   'variable': 'variables',
   'flow': 'functions, blocks, jumps, phis, calls',
   'composite': 'values made of several others',
   'alu': 'arithmetic',
   'lanes': 'groups, subgroups, barriers, derivatives',
   'pointer': 'pointers',
   'memory': 'loads, stores, copies',
   'atomic': 'atomics',
   'image': 'images and samplers',
   'ext': 'instructions of extended sets',
}

# What is done to the operands and the result of an alu row's op.
FLAGS = {
   'swap': 'the first two operands change places',
   'not': 'the boolean result is turned over',
   'float': 'float controls and fast-math decorations of the result apply',
   'sized': 'the result type says how large the result is',
}

ROWS = {}
REASONS = []


class Row:
   """Where an instruction goes; `op` and `flags` are there in the alu room alone."""

   def __init__(self, name, where, op='', flags=''):
      self.name, self.room, self.op, self.flags = name, where, op, flags.split()
      require(where in ROOMS, name, f"'{where}' is not a room")
      require(set(self.flags) <= set(FLAGS), name, f"'{flags}' are not all flags")
      require(name not in ROWS, name, 'has two rows')
      ROWS[name] = self


def room(where, names):
   for name in names.split():
      Row(name, where)


def alu(name, op, flags=''):
   Row(name, 'alu', op, flags)


def unsupported(reason, patterns):
   for pattern in patterns.split():
      REASONS.append((pattern, reason))


def row_of(names):
   """The row of an instruction that has these names, or None."""
   return next((ROWS[name[2:]] for name in names if name[2:] in ROWS), None)


def reason_of(names):
   """Why an instruction without a row is unsupported."""
   for pattern, reason in REASONS:
      if any(fnmatch.fnmatchcase(name[2:], pattern) for name in names):
         return reason
   return 'this extension'


# ---- the module -----------------------------------------------------------------------------

room('ignore', '''Nop SourceContinued Source SourceExtension ModuleProcessed Extension
   LifetimeStart LifetimeStop AssumeTrueKHR''')
room('debug', 'Name MemberName String Line NoLine')
room('module', '''ExtInstImport MemoryModel EntryPoint ExecutionMode ExecutionModeId Capability
   Decorate MemberDecorate DecorationGroup GroupDecorate GroupMemberDecorate DecorateId
   DecorateString MemberDecorateString''')
room('type', '''TypeVoid TypeBool TypeInt TypeFloat TypeVector TypeMatrix TypeImage TypeSampler
   TypeSampledImage TypeArray TypeRuntimeArray TypeStruct TypeOpaque TypePointer TypeFunction
   TypeEvent TypeDeviceEvent TypeReserveId TypeQueue TypePipe TypeForwardPointer TypePipeStorage
   TypeNamedBarrier TypeAccelerationStructureKHR TypeRayQueryKHR''')
room('constant', '''ConstantTrue ConstantFalse Constant ConstantComposite ConstantSampler
   ConstantNull SpecConstantTrue SpecConstantFalse SpecConstant SpecConstantComposite
   SpecConstantOp''')
room('variable', 'Variable')

# ---- functions ------------------------------------------------------------------------------

room('flow', '''Function FunctionParameter FunctionEnd FunctionCall Phi LoopMerge SelectionMerge
   Label Branch BranchConditional Switch Kill Return ReturnValue Unreachable TerminateInvocation
   DemoteToHelperInvocation''')
room('composite', '''Undef VectorExtractDynamic VectorInsertDynamic VectorShuffle
   CompositeConstruct CompositeExtract CompositeInsert CopyObject Transpose CopyLogical Select
   ExpectKHR''')
room('pointer', '''AccessChain InBoundsAccessChain PtrAccessChain InBoundsPtrAccessChain
   ArrayLength PtrEqual PtrNotEqual PtrDiff ConvertPtrToU ConvertUToPtr PtrCastToGeneric
   GenericCastToPtr GenericCastToPtrExplicit GenericPtrMemSemantics SizeOf''')
room('memory', 'Load Store CopyMemory CopyMemorySized')
room('atomic', '''AtomicLoad AtomicStore AtomicExchange AtomicCompareExchange
   AtomicCompareExchangeWeak AtomicIIncrement AtomicIDecrement AtomicIAdd AtomicISub AtomicSMin
   AtomicUMin AtomicSMax AtomicUMax AtomicAnd AtomicOr AtomicXor AtomicFlagTestAndSet
   AtomicFlagClear AtomicFMinEXT AtomicFMaxEXT AtomicFAddEXT''')
room('image', '''SampledImage Image ImageTexelPointer ImageSampleImplicitLod ImageSampleExplicitLod
   ImageSampleDrefImplicitLod ImageSampleDrefExplicitLod ImageSampleProjImplicitLod ImageSampleProjExplicitLod
   ImageSampleProjDrefImplicitLod ImageSampleProjDrefExplicitLod ImageFetch ImageGather ImageDrefGather ImageRead
   ImageWrite ImageQuerySizeLod ImageQuerySize ImageQueryLod ImageQueryLevels ImageQuerySamples''')
room('ext', 'ExtInst')

room('lanes', '''ControlBarrier MemoryBarrier
   GroupAll GroupAny GroupBroadcast GroupIAdd GroupFAdd GroupFMin GroupUMin GroupSMin GroupFMax
   GroupUMax GroupSMax GroupAsyncCopy GroupWaitEvents GroupIMulKHR GroupFMulKHR
   GroupBitwiseAndKHR GroupBitwiseOrKHR GroupBitwiseXorKHR GroupLogicalAndKHR GroupLogicalOrKHR
   GroupLogicalXorKHR
   GroupIAddNonUniformAMD GroupFAddNonUniformAMD GroupFMinNonUniformAMD GroupUMinNonUniformAMD
   GroupSMinNonUniformAMD GroupFMaxNonUniformAMD GroupUMaxNonUniformAMD GroupSMaxNonUniformAMD
   SubgroupBallotKHR SubgroupFirstInvocationKHR SubgroupAllKHR SubgroupAnyKHR SubgroupAllEqualKHR
   SubgroupReadInvocationKHR SubgroupShuffleINTEL SubgroupShuffleDownINTEL SubgroupShuffleUpINTEL
   SubgroupShuffleXorINTEL
   GroupNonUniformElect GroupNonUniformAll GroupNonUniformAny GroupNonUniformAllEqual
   GroupNonUniformBroadcast GroupNonUniformBroadcastFirst GroupNonUniformBallot
   GroupNonUniformInverseBallot GroupNonUniformBallotBitExtract GroupNonUniformBallotBitCount
   GroupNonUniformBallotFindLSB GroupNonUniformBallotFindMSB GroupNonUniformShuffle
   GroupNonUniformShuffleXor GroupNonUniformShuffleUp GroupNonUniformShuffleDown
   GroupNonUniformIAdd GroupNonUniformFAdd GroupNonUniformIMul GroupNonUniformFMul
   GroupNonUniformSMin GroupNonUniformUMin GroupNonUniformFMin GroupNonUniformSMax
   GroupNonUniformUMax GroupNonUniformFMax GroupNonUniformBitwiseAnd GroupNonUniformBitwiseOr
   GroupNonUniformBitwiseXor GroupNonUniformLogicalAnd GroupNonUniformLogicalOr
   GroupNonUniformLogicalXor GroupNonUniformQuadBroadcast GroupNonUniformQuadSwap
   GroupNonUniformRotateKHR GroupNonUniformPartitionNV IsHelperInvocationEXT ReadClockKHR
   DPdx DPdy Fwidth DPdxFine DPdyFine FwidthFine DPdxCoarse DPdyCoarse FwidthCoarse''')

# ---- arithmetic -----------------------------------------------------------------------------

alu('AbsISubINTEL', 'iabs_diff')
alu('AbsUSubINTEL', 'uabs_diff')
alu('IAddSatINTEL', 'iadd_sat')
alu('UAddSatINTEL', 'uadd_sat')
alu('ISubSatINTEL', 'isub_sat')
alu('USubSatINTEL', 'usub_sat')
alu('SNegate', 'ineg')
alu('IAdd', 'iadd')
alu('ISub', 'isub')
alu('IMul', 'imul')
alu('UDiv', 'udiv')
alu('SDiv', 'idiv')
alu('UMod', 'urem')
alu('SRem', 'irem')
alu('SMod', 'imod')
alu('FNegate', 'fneg', 'float')
alu('FAdd', 'fadd', 'float')
alu('FSub', 'fsub', 'float')
alu('FMul', 'fmul', 'float')
alu('FDiv', 'fdiv', 'float')

alu('Not', 'inot')
alu('BitwiseOr', 'ior')
alu('BitwiseXor', 'ixor')
alu('BitwiseAnd', 'iand')
alu('BitReverse', 'bit_reverse')
alu('LogicalNot', 'inot')
alu('LogicalOr', 'ior')
alu('LogicalAnd', 'iand')
alu('LogicalEqual', 'ieq')
alu('LogicalNotEqual', 'ine')

alu('IEqual', 'ieq')
alu('INotEqual', 'ine')
alu('ULessThan', 'ult')
alu('ULessThanEqual', 'ule')
alu('UGreaterThan', 'ult', 'swap')
alu('UGreaterThanEqual', 'ule', 'swap')
alu('SLessThan', 'ilt')
alu('SLessThanEqual', 'ile')
alu('SGreaterThan', 'ilt', 'swap')
alu('SGreaterThanEqual', 'ile', 'swap')

alu('FOrdEqual', 'feq', 'float')
alu('FOrdNotEqual', 'fne', 'float')
alu('FOrdLessThan', 'flt', 'float')
alu('FOrdLessThanEqual', 'fle', 'float')
alu('FOrdGreaterThan', 'flt', 'float swap')
alu('FOrdGreaterThanEqual', 'fle', 'float swap')
alu('FUnordEqual', 'fequ', 'float')
alu('FUnordNotEqual', 'fneu', 'float')
alu('FUnordLessThan', 'fltu', 'float')
alu('FUnordLessThanEqual', 'fleu', 'float')
alu('FUnordGreaterThan', 'fltu', 'float swap')
alu('FUnordGreaterThanEqual', 'fleu', 'float swap')
alu('LessOrGreater', 'fne', 'float')
alu('Ordered', 'ford')
alu('Unordered', 'funord')

alu('ConvertFToU', 'f2u', 'sized')
alu('ConvertFToS', 'f2i', 'sized')
alu('ConvertSToF', 'i2f', 'sized float')
alu('ConvertUToF', 'u2f', 'sized float')
alu('UConvert', 'u2u', 'sized')
alu('SConvert', 'i2i', 'sized')
alu('FConvert', 'f2f', 'sized float')
alu('QuantizeToF16', 'fquantize16', 'float')

# Those that are several ops, or whose operands need more than a flag.
room('alu', '''FRem FMod ShiftRightLogical ShiftRightArithmetic ShiftLeftLogical BitFieldInsert
   BitFieldSExtract BitFieldUExtract BitCount SatConvertSToU SatConvertUToS Bitcast
   VectorTimesScalar MatrixTimesScalar VectorTimesMatrix MatrixTimesVector MatrixTimesMatrix
   OuterProduct Dot IAddCarry ISubBorrow UMulExtended SMulExtended SDot UDot SUDot SDotAccSat
   UDotAccSat SUDotAccSat Any All IsNan IsInf IsFinite IsNormal SignBitSet
   UCountLeadingZerosINTEL UCountTrailingZerosINTEL IAverageINTEL UAverageINTEL
   IAverageRoundedINTEL UAverageRoundedINTEL IMul32x16INTEL UMul32x16INTEL''')

# ---- what is not read -----------------------------------------------------------------------

unsupported('a sparse image', '*Sparse*')
unsupported('an image of a kernel', 'ImageQueryFormat ImageQueryOrder')
unsupported('an image', '''*Image* Fragment*Fetch* *Sampler*''')
unsupported('ray tracing', '''*Ray* *Trace* *HitObject* ReorderThread* ReportIntersection*
   *Intersection* ExecuteCallable* *AccelerationStructure*''')
unsupported('a geometry shader', 'EmitVertex EndPrimitive EmitStreamVertex EndStreamPrimitive')
unsupported('a mesh shader', 'EmitMesh* SetMesh* WritePackedPrimitive*')
unsupported('a cooperative matrix', '*CooperativeMatrix*')
unsupported('a cooperative vector', '*CooperativeVector*')
unsupported('a tensor', '*Tensor*')
unsupported('a graph', '*Graph*')
unsupported('an untyped pointer', '*Untyped*')
unsupported('a pipe', '*Pipe* CommitReadPipe IsValidReserveId')
unsupported('enqueueing kernels', '''Enqueue* GetKernel* *Event GetDefaultQueue BuildNDRange
   SetUserEventStatus CaptureEventProfilingInfo''')
unsupported('a named barrier', '*NamedBarrier*')
unsupported('a split barrier', 'ControlBarrier*INTEL')
unsupported('a fragment shader interlock', '*InvocationInterlock*')
unsupported('subgroup block access', 'SubgroupBlock*')
