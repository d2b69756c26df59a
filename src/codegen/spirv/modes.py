# SPDX-License-Identifier: MIT
"""What the reader makes of the enumerants of SPIR-V that stand alone: execution modes, decorations, capabilities.

   read      the reader does what it says
   harmless  it asks for nothing, or for what is so anyway; why
   refused   it changes what a program means, and the reader cannot do that: the module is refused with its name

A mode or decoration without a row is refused, so a newer grammar adds nothing that is ignored. A capability
changes nothing by itself: with a row all that it allows is read, without one what it allows is refused where
it is used. Names stand without the tag of who made them: DerivativeGroupQuads is the row of
DerivativeGroupQuadsNV and DerivativeGroupQuadsKHR.
"""

import re

from codegen.ir.schema import require

TAGS = re.compile(r'(?<=\w)(KHR|EXT|NV|AMDX|AMD|INTEL|GOOGLE|ARM|QCOM|ALTERA|HUAWEI|SAMSUNG|MESA|IMG|VALVE)$')
KINDS = ('ExecutionMode', 'Decoration', 'Capability')
HOWS = ('refused', 'harmless', 'read')
ROWS = {kind: {} for kind in KINDS}


def base(name):
   """Without the tag of who made it."""
   return TAGS.sub('', name)


class Row:
   def __init__(self, kind, name, how, why=''):
      self.name, self.how, self.why = name, how, why
      require(how in HOWS, name, f"'{how}' is not what becomes of it")
      require(name not in ROWS[kind], name, 'has two rows')
      ROWS[kind][name] = self


def rows(kind, how, why, names):
   for name in names.split():
      Row(kind, name, how, why)


def row_of(kind, names):
   """The row of an enumerant that has these names, or None."""
   found = {base(name) for name in names} & set(ROWS[kind])
   require(len(found) < 2, names[0], f'has several rows: {", ".join(sorted(found))}')
   return ROWS[kind][found.pop()] if found else None


# ---- execution modes --------------------------------------------------------------------------

rows('ExecutionMode', 'read', '', '''LocalSize LocalSizeId SubgroupSize SubgroupsPerWorkgroup SubgroupsPerWorkgroupId
   ContractionOff DenormFlushToZero RoundingModeRTZ SignedZeroInfNanPreserve DerivativeGroupQuads DerivativeGroupLinear''')
rows('ExecutionMode', 'read', 'too new for the assemblers of the corpus, so a test makes it from words', 'FPFastMathDefault')
rows('ExecutionMode', 'read', 'tests/spirv/test_float_controls.py makes modules with it', 'DenormPreserve')
rows('ExecutionMode', 'harmless', 'a hint or a promise that nothing is made of',
     '''LocalSizeHint LocalSizeHintId VecTypeHint MaxWorkgroupSize MaxWorkDim NoGlobalOffset NumSIMDWorkitems
     SchedulerTargetFmaxMhz NamedBarrierCount MaximumRegisters MaximumRegistersId NamedMaximumRegisters
     ArithmeticPoison''')
rows('ExecutionMode', 'harmless', 'what is so anyway',
     '''SubgroupUniformControlFlow MaximallyReconverges RoundingModeRTE
     FloatingPointModeIEEE''')
rows('ExecutionMode', 'read', '', '''OriginUpperLeft EarlyFragmentTests EarlyAndLateFragmentTests
   PostDepthCoverage DepthReplacing DepthGreater DepthLess DepthUnchanged StencilRefReplacing''')
rows('ExecutionMode', 'read', 'too new for the assemblers of the corpus, so a test makes it from words', 'QuadDerivatives RequireFullQuads')
rows('ExecutionMode', 'refused', 'coordinates of OpenGL', 'OriginLowerLeft PixelCenterInteger')
rows('ExecutionMode', 'harmless', 'of another stage', '''Invocations SpacingEqual SpacingFractionalEven
   SpacingFractionalOdd VertexOrderCw VertexOrderCcw    PointMode Xfb InputPoints InputLines
   InputLinesAdjacency Triangles InputTrianglesAdjacency Quads Isolines OutputVertices OutputPoints OutputLineStrip
   OutputTriangleStrip StencilRefUnchangedFront
   StencilRefGreaterFront StencilRefLessFront StencilRefUnchangedBack StencilRefGreaterBack StencilRefLessBack
   OutputLines OutputPrimitives OutputTriangles PixelInterlockOrdered PixelInterlockUnordered SampleInterlockOrdered
   SampleInterlockUnordered ShadingRateInterlockOrdered ShadingRateInterlockUnordered    NonCoherentColorAttachmentRead NonCoherentDepthAttachmentRead NonCoherentStencilAttachmentRead
   NonCoherentTileAttachmentRead TileShadingRate''')
rows('ExecutionMode', 'refused', 'kernels that run before or after others', 'Initializer Finalizer')
rows('ExecutionMode', 'refused', 'a float mode', 'RoundingModeRTP RoundingModeRTN FloatingPointModeALT')
rows('ExecutionMode', 'refused', 'a way to launch shaders', '''Coalescing IsApiEntry MaxNodeRecursion
   StaticNumWorkgroups ShaderIndex MaxNumWorkgroups SharesInputWith''')
rows('ExecutionMode', 'refused', 'a size of its own', 'SubgroupSizeHalf SubgroupSizeFull Shader64BitIndexing')
rows('ExecutionMode', 'refused', 'ray tracing', 'OpacityMicromapId')
rows('ExecutionMode', 'refused', 'an interface of hardware of its own', '''StreamingInterface RegisterMapInterface
   SharedLocalMemorySize''')

# ---- decorations ------------------------------------------------------------------------------

rows('Decoration', 'read', '', '''SpecId Block BufferBlock RowMajor ArrayStride MatrixStride CPacked BuiltIn Restrict
   Volatile Constant Coherent NonWritable SaturatedConversion Binding DescriptorSet Offset FuncParamAttr
   FPRoundingMode FPFastMathMode LinkageAttributes NoContraction Invariant Alignment AlignmentId NonUniform RestrictPointer Aliased
   NoPerspective Flat Centroid Sample Location Component Index InputAttachmentIndex''')
rows('Decoration', 'harmless', 'a hint or a promise that nothing is made of',
     '''RelaxedPrecision NonReadable Uniform UniformId MaxByteOffset MaxByteOffsetId NoSignedWrap NoUnsignedWrap
     AliasedPointer ReferencedIndirectly StackCall AliasScope NoAlias SingleElementVector
     Register Memory Numbanks Bankwidth MaxPrivateCopies Singlepump Doublepump MaxReplicates
     SimpleDualPort Merge BankBits ForcePow2Depth Stridesize Wordsize TrueDualPort
     BurstCoalesce CacheSize DontStaticallyCoalesce Prefetch StallEnable StallFree FuseLoopsInFunction MathOpDSPMode
     InitiationInterval MaxConcurrency PipelineEnable BufferLocation LatencyControlLabel
     LatencyControlConstraint CacheControlLoad CacheControlStore FPMaxErrorDecoration Conditional
     ConduitKernelArgument RegisterMapKernelArgument MMHostInterfaceAddressWidth MMHostInterfaceDataWidth
     MMHostInterfaceLatency MMHostInterfaceReadWriteMode MMHostInterfaceMaxBurst MMHostInterfaceWaitRequest
     StableKernelArgument HostAccess InitMode ImplementInRegisterMap''')
rows('Decoration', 'harmless', 'what is so anyway', 'ColMajor GLSLShared GLSLPacked')
rows('Decoration', 'harmless', 'a name for tools', 'CounterBuffer UserSemantic UserType UTFEncoded')
rows('Decoration', 'harmless', 'of another stage, or of what is refused where it is used',
     '''Patch Stream XfbBuffer XfbStride
     ExplicitInterp OverrideCoverage Passthrough ViewportRelative SecondaryViewportRelative PerPrimitive PerView PerTask
     PerVertex HitObjectShaderRecordBuffer BindlessSampler BindlessImage BoundSampler BoundImage Clobber SideEffects
     IOPipeStorage WeightTexture BlockMatchTexture BlockMatchSampler''')
rows('Decoration', 'refused', 'a float mode', '''FunctionRoundingMode FunctionDenormMode FunctionFloatingPointMode
   SaturatedToLargestFloat8NormalConversion''')
rows('Decoration', 'refused', 'a language of vectors', '''SIMTCall VectorComputeVariable FuncParamIOKind
   VectorComputeFunction VectorComputeCallableFunction MediaBlockIO GlobalVariableOffset''')
rows('Decoration', 'refused', 'a way to launch shaders', '''NodeMaxPayloads TrackFinishWriting NodeSharesPayloadLimitsWith
   PayloadNodeName PayloadNodeBaseIndex PayloadNodeSparseArray PayloadNodeArraySize PayloadDispatchIndirect''')
rows('Decoration', 'refused', 'a layout given by constants', 'ArrayStrideId OffsetId MemberOffset Bank')
rows('Decoration', 'refused', 'a cooperative matrix', 'CooperativeMatrixTranspose')
rows('Decoration', 'refused', 'a function of its maker', 'Intrinsic')

# ---- capabilities -----------------------------------------------------------------------------

rows('Capability', 'read', '', '''Matrix Shader Addresses Linkage Kernel Vector16 Float16Buffer Float16 Float64 Int64
   Int64Atomics Groups Int16 UniformBufferArrayDynamicIndexing StorageBufferArrayDynamicIndexing GenericPointer Int8
   DerivativeControl GroupNonUniform GroupNonUniformVote GroupNonUniformArithmetic GroupNonUniformBallot
   GroupNonUniformShuffle GroupNonUniformShuffleRelative GroupNonUniformClustered GroupNonUniformQuad
   SubgroupDispatch UniformDecoration SubgroupBallot WorkgroupMemoryExplicitLayout
   WorkgroupMemoryExplicitLayout8BitAccess WorkgroupMemoryExplicitLayout16BitAccess SubgroupVote
   StorageBuffer16BitAccess UniformAndStorageBuffer16BitAccess
   StoragePushConstant16 DeviceGroup VariablePointersStorageBuffer VariablePointers StorageBuffer8BitAccess
   UniformAndStorageBuffer8BitAccess StoragePushConstant8 DenormPreserve DenormFlushToZero SignedZeroInfNanPreserve
   RoundingModeRTE RoundingModeRTZ ComputeDerivativeGroupQuads ComputeDerivativeGroupLinear ShaderNonUniform
   RuntimeDescriptorArray UniformBufferArrayNonUniformIndexing StorageBufferArrayNonUniformIndexing VulkanMemoryModel
   VulkanMemoryModelDeviceScope PhysicalStorageBufferAddresses DemoteToHelperInvocation SubgroupShuffle
   IntegerFunctions2 AtomicFloat32MinMax AtomicFloat64MinMax AtomicFloat16MinMax ExpectAssume DotProductInputAll
   DotProductInput4x8Bit DotProductInput4x8BitPacked DotProduct BitInstructions GroupNonUniformRotate GroupNonUniformPartitioned
   AtomicFloat32Add AtomicFloat64Add AtomicFloat16Add OptNone GroupUniformArithmetic
   Sampled1D Image1D SampledBuffer ImageBuffer ImageQuery ImageGatherExtended StorageImageExtendedFormats
   StorageImageReadWithoutFormat StorageImageWriteWithoutFormat ImageBasic ImageReadWrite LiteralSampler ImageCubeArray SampledCubeArray ImageMSArray
   StorageImageMultisample MinLod InputAttachment SampledImageArrayDynamicIndexing StorageImageArrayDynamicIndexing
   InputAttachmentArrayDynamicIndexing UniformTexelBufferArrayDynamicIndexing StorageTexelBufferArrayDynamicIndexing
   SampledImageArrayNonUniformIndexing StorageImageArrayNonUniformIndexing InputAttachmentArrayNonUniformIndexing
   UniformTexelBufferArrayNonUniformIndexing StorageTexelBufferArrayNonUniformIndexing Int64Image ClipDistance CullDistance
   SampleRateShading InterpolationFunction DrawParameters StencilExport ShaderLayer ShaderViewportIndex
   ShaderViewportIndexLayer MultiView StorageInputOutput16 SampleMaskPostDepthCoverage''')
