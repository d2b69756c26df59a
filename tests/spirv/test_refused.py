#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is wrong in the body of a function is told with the instruction and its place, and what is not supported too.

    test_refused.py --tool=HEDDLE --scratch=FOLDER

Each case is a piece of assembly that stands in the main function (or, behind `---`, after it), and a part of the message.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..', 'house')]
from tap import Tap  # noqa: E402

BEGIN = '''
OpCapability Shader
OpCapability Int8
OpCapability Int64
OpCapability GroupNonUniformArithmetic
OpCapability RayQueryKHR
OpCapability Sampled1D
OpCapability SampledRect
OpExtension "SPV_KHR_ray_query"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %lane
OpExecutionMode %main LocalSize 64 1 1
OpName %far "far_away"
OpDecorate %lane BuiltIn LocalInvocationIndex
OpDecorate %texture DescriptorSet 0
OpDecorate %texture Binding 0
OpDecorate %picture DescriptorSet 0
OpDecorate %picture Binding 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%u8 = OpTypeInt 8 0
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%f32 = OpTypeFloat 32
%v2 = OpTypeVector %u32 2
%v3 = OpTypeVector %f32 3
%v4 = OpTypeVector %f32 4
%pair = OpTypeStruct %u32 %f32
%fn1 = OpTypeFunction %u32 %u32
%ptr = OpTypePointer Input %u32
%shared = OpTypePointer Workgroup %u32
%small = OpTypePointer Workgroup %u8
%image = OpTypeImage %f32 2D 0 0 0 1 Unknown
%pimage = OpTypePointer UniformConstant %image
%row = OpTypeImage %f32 1D 0 0 0 1 Unknown
%fn_shared = OpTypeFunction %u32 %shared
%fn_image = OpTypeFunction %u32 %image
%fn_row = OpTypeFunction %u32 %row
%storage = OpTypeImage %f32 2D 0 0 0 2 Unknown
%storage_f = OpTypeImage %f32 2D 0 0 0 2 R32f
%pstorage = OpTypePointer UniformConstant %storage
%pstorage_f = OpTypePointer UniformConstant %storage_f
%fn_storage = OpTypeFunction %u32 %storage
%fn_pstorage = OpTypeFunction %u32 %pstorage
%fn_pimage = OpTypeFunction %u32 %pimage
%rect = OpTypeImage %f32 Rect 0 0 0 1 Unknown
%prect = OpTypePointer UniformConstant %rect
%query = OpTypeRayQueryKHR
%pquery = OpTypePointer Function %query
%texture = OpVariable %pimage UniformConstant
%picture = OpVariable %pstorage_f UniformConstant
%rectangle = OpVariable %prect UniformConstant
%lane = OpVariable %ptr Input
%word = OpVariable %shared Workgroup
%byte = OpVariable %small Workgroup
%true = OpConstantTrue %bool
%u8_1 = OpConstant %u8 1
%0 = OpConstant %u32 0
%1 = OpConstant %u32 1
%2 = OpConstant %u32 2
%3 = OpConstant %u32 3
%long = OpConstant %u64 1
%half = OpConstant %f32 0.5
%c2 = OpConstantComposite %v2 %1 %2
%c3 = OpConstantComposite %v3 %half %half %half
%main = OpFunction %void None %fn
%entry = OpLabel
'''

CASES = [
   ('%x = OpReadClockKHR %u64 %1', None),
   ('%x = OpReadClockKHR %u64 %2', 'OpReadClockKHR: the scope of a clock is Subgroup or Device'),
   ('%x = OpIAdd %u32 %1 %long', 'OpIAdd: .*operand 1 has another size'),
   ('%x = OpIAdd %u64 %1 %1', 'OpIAdd: the result is 1 x 32 bits, expected 1 x 64'),
   ('%x = OpIAdd %pair %1 %1', 'OpIAdd: the result type is a composite, but the operation gives a single value'),
   ('%x = OpIAdd %u32 %y %1\n%y = OpIAdd %u32 %1 %1', 'OpIAdd: .*does not dominate its use'),
   ('%x = OpIAdd %u32 %u32 %1', 'OpIAdd: .*is not a value'),
   ('%x = OpCompositeExtract %u32 %c2 2', 'OpCompositeExtract'),
   ('%x = OpCompositeExtract %u32 %1 0', 'OpCompositeExtract'),
   ('%x = OpCompositeConstruct %v2 %1', 'OpCompositeConstruct: there are 1 components, expected 2'),
   ('%x = OpCompositeConstruct %pair %1 %1', r'OpCompositeConstruct: member 1 has type \d+, expected \d+'),
   ('%x = OpCompositeConstruct %pair %1', 'OpCompositeConstruct: there are 1 parts, expected 2'),
   ('%x = OpCompositeInsert %v2 %half %c2 0', 'OpCompositeInsert: expected a component of a vector'),
   ('%x = OpVectorShuffle %v2 %c2 %c2 0 4', 'OpVectorShuffle: the operands have no component 4'),
   ('%x = OpVectorExtractDynamic %u32 %1 %0', 'OpVectorExtractDynamic: expected a vector operand'),
   ('%x = OpSelect %u32 %1 %1 %1', 'OpSelect: expected a boolean condition'),
   ('%x = OpSelect %u32 %true %1 %half', r'OpSelect: an object has type \d+, expected \d+'),
   ('%x = OpBitcast %u64 %1', 'OpBitcast: 1 x 32 bits cannot be 1 x 64 bits'),
   ('%t = OpLoad %image %texture\n%x = OpIAdd %u32 %t %1', 'OpIAdd: expected a scalar or vector operand, found an image or sampler'),
   ('%t = OpLoad %image %texture\n%x = OpImageFetch %v4 %t %c2 Lod %0', None),
   ('%t = OpLoad %rect %rectangle\n%x = OpImageFetch %v4 %t %c2', 'OpImageFetch: an image of dimension Rect or TileImageData is not supported'),
   ('%t = OpLoad %image %texture\n%x = OpImageFetch %v4 %t %1', 'OpImageFetch: expected 2 components of integers'),
   ('%t = OpLoad %image %texture\nOpImageWrite %t %c2 %c3', 'OpImageWrite: it writes to an image that is not a storage image'),
   ('%x = OpImageFetch %v4 %1 %c2', 'OpImageFetch: .* is not an image'),
   ('%t = OpLoad %image %texture\n%x = OpImageQueryLod %v3 %t %c3', 'OpImageQueryLod: .* is not a sampled image'),
   ('%x = OpIAddCarry %pair %1 %1', None),
   ('%x = OpIAddCarry %u32 %1 %1', 'OpIAddCarry: expected a result type with two members'),
   ('%x = OpMatrixTimesVector %v3 %c3 %c3', 'OpMatrixTimesVector: .*is not a matrix'),
   ('%x = OpIsNan %bool %u8_1', 'OpIsNan: expected a float operand'),
   ('%x = OpGroupNonUniformIAdd %u32 %3 ClusteredReduce %1 %3',
    'OpGroupNonUniformIAdd: the cluster size must be a power of two'),
   ('%x = OpGroupNonUniformElect %bool %1', 'OpGroupNonUniformElect: a scope other than subgroup'),
   ('OpControlBarrier %1 %1 %0', 'OpControlBarrier: execution scopes wider than a workgroup'),
   ('OpMemoryBarrier %long %0', None),
   ('%x = OpAtomicIAdd %u8 %byte %1 %0 %u8_1', None),
   ('%x = OpSizeOf %u32 %byte', None),
   ('%x = OpSizeOf %u32 %1', 'OpSizeOf: expected a pointer'),
   ('%x = OpAtomicIAdd %u32 %word %1 %0 %long', 'OpAtomicIAdd: the value is 1 x 64 bits, the pointee 1 x 32'),
   ('%x = OpAtomicIAdd %u32 %lane %1 %0 %1', 'OpAtomicIAdd'),
   ('OpDemoteToHelperInvocation', 'OpDemoteToHelperInvocation: expected a fragment shader'),
   ('%x = OpFunctionCall %void %main', 'OpFunctionCall: function .* is recursive, which is not supported'),
   ('%x = OpFunctionCall %void %1', 'OpFunctionCall: .* is not a function'),
   ('%x = OpFunctionCall %u32 %f\nOpReturn\nOpFunctionEnd\n---%f = OpFunction %u32 None %fn1\n%p = OpFunctionParameter %u32\n'
    '%fe = OpLabel\nOpReturnValue %p\nOpFunctionEnd', 'OpFunctionCall: found 0 arguments, function .* has 1 parameters'),
   ('%x = OpFunctionCall %u32 %far %1\nOpReturn\nOpFunctionEnd\n---%far = OpFunction %u32 None %fn1\n'
    '%p = OpFunctionParameter %u32\nOpFunctionEnd', 'OpFunction: function "far_away", which another module defines'),
   ('%x = OpFunctionCall %u32 %f %half\nOpReturn\nOpFunctionEnd\n---%f = OpFunction %u32 None %fn1\n'
    '%p = OpFunctionParameter %u32\n%fe = OpLabel\nOpReturnValue %p\nOpFunctionEnd', r'OpFunctionCall: argument 0 has type \d+, expected \d+'),
   # Formats of images may differ.
   *(('%%t = OpLoad %%image %%texture\n%%loaded = OpLoad %%storage_f %%picture\n%%x = OpFunctionCall %%u32 %%f %s\nOpReturn\nOpFunctionEnd\n---%%f = OpFunction %%u32 None %%fn_%s\n'
      '%%p = OpFunctionParameter %%%s\n%%fe = OpLabel\nOpReturnValue %%1\nOpFunctionEnd' % (argument, parameter, parameter), message)
     for argument, parameter, message in (
         ('%word', 'shared', None),
         ('%lane', 'shared', r'OpFunctionCall: argument 0 has type \d+, expected \d+'),
         ('%byte', 'shared', r'OpFunctionCall: argument 0 has type \d+, expected \d+'),
         ('%1', 'shared', r'OpFunctionCall: argument 0 has type \d+, expected \d+'),
         ('%t', 'image', None),
         ('%t', 'row', r'OpFunctionCall: argument 0 has type \d+, expected \d+'),
         ('%picture', 'pstorage', None), ('%loaded', 'storage', None),
         ('%picture', 'pimage', r'OpFunctionCall: argument 0 has type \d+, expected \d+'),
         ('%loaded', 'image', r'OpFunctionCall: argument 0 has type \d+, expected \d+'))),
   ('%x = OpFunctionCall %u32 %f %1\nOpReturn\nOpFunctionEnd\n---%f = OpFunction %u32 None %fn1\n'
    '%p = OpFunctionParameter %u32\n%fe = OpLabel\nOpReturn\nOpFunctionEnd', 'OpReturn: the function returns a value'),
   ('%x = OpFunctionCall %u32 %f %1\nOpReturn\nOpFunctionEnd\n---%f = OpFunction %u32 None %fn1\n'
    '%p = OpFunctionParameter %u32\n%fe = OpLabel\nOpReturnValue %half\nOpFunctionEnd',
    r'OpReturnValue: the value has type \d+, expected \d+'),
   ('OpReturnValue %1\nOpFunctionEnd\n---', 'OpReturnValue: the entry point returns a value'),
   ('OpBranch %entry\nOpFunctionEnd\n---', 'OpBranch: it branches to the first block of the function'),
   ('OpBranch %1\nOpFunctionEnd\n---', 'OpBranch: .*is not a label of this function'),
   ('OpBranchConditional %1 %a %b\n%a = OpLabel\nOpReturn\n%b = OpLabel', 'OpBranchConditional: expected a boolean condition'),
   ('OpSwitch %1 %a 1 %b 1 %a\n%b = OpLabel\nOpReturn\n%a = OpLabel', 'OpSwitch: .*two cases have the value 1'),
   ('OpBranch %a\n%a = OpLabel\n%x = OpPhi %u32 %1 %entry %1 %entry', None),
   ('OpBranchConditional %true %a %b\n%b = OpLabel\nOpBranch %a\n%a = OpLabel\n%x = OpPhi %u32 %1 %entry %1 %b %0 %entry',
    'OpPhi: .*listed twice with other values'),
   ('OpBranchConditional %true %a %b\n%b = OpLabel\nOpBranch %a\n%a = OpLabel\n%x = OpPhi %u32 %1 %entry',
    'OpPhi: expected values for 2 predecessors, found 1'),
   ('OpBranchConditional %true %a %b\n%b = OpLabel\nOpBranch %a\n%a = OpLabel\n%x = OpPhi %u32 %1 %entry %1 %b %1 %a',
    'OpPhi: .*is not a predecessor'),
   ('OpBranchConditional %true %a %b\n%b = OpLabel\nOpBranch %a\n%a = OpLabel\n%x = OpPhi %u32 %1 %entry %half %b',
    r'OpPhi: %\d+ has type \d+, the phi \d+'),
   ('OpBranchConditional %true %a %b\n%b = OpLabel\n%y = OpIAdd %u32 %1 %1\nOpBranch %a\n%a = OpLabel\n'
    '%x = OpPhi %u32 %y %entry %y %b', 'OpPhi: .*does not dominate its use'),
   ('OpBranchConditional %true %a %b\n%b = OpLabel\n%y = OpIAdd %u32 %1 %1\nOpBranch %a\n%a = OpLabel\n'
    '%x = OpIAdd %u32 %y %1', 'OpIAdd: .*does not dominate its use'),
   ('OpBranch %a\n%a = OpLabel\n%x = OpVariable %shared Function', 'OpVariable: it is not in the first block'),
   ('%q = OpVariable %pquery Function\nOpRayQueryTerminateKHR %q',
    'OpVariable: a variable of type OpTypeRayQueryKHR is not supported'),
   ('OpReturn\nOpReturn\nOpFunctionEnd\n---', 'OpReturn: it must be in a block'),
]

# Entry points of stages: %in is an input, %out an output.
STAGE = '''
OpCapability Shader
{capabilities}
OpMemoryModel Logical GLSL450
OpEntryPoint {model} %main "main" %in %out
{modes}
OpDecorate %out {out}
{decorations}
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%f32 = OpTypeFloat 32
%i32 = OpTypeInt 32 1
%v2 = OpTypeVector %f32 2
%v4 = OpTypeVector %f32 4
%i2 = OpTypeVector %i32 2
%zero = OpConstant %i32 0
%three = OpConstant %i32 3
%half = OpConstant %f32 0.5
%at = OpConstantComposite %v2 %half %half
%several = OpTypeArray %f32 %three
%sparse = OpTypeStruct %i32 %v4
%image = OpTypeImage %f32 {dim} 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%psampled = OpTypePointer UniformConstant %sampled
%texture = OpVariable %psampled UniformConstant
%pin = OpTypePointer Input %{kind}
%pout = OpTypePointer Output %i32
%in = OpVariable %pin Input
%out = OpVariable %pout Output
{types}
%main = OpFunction %void None %fn
%entry = OpLabel
{body}
OpReturn
OpFunctionEnd
'''
FRAGMENT = {'model': 'Fragment', 'modes': 'OpExecutionMode %main OriginUpperLeft', 'capabilities': '', 'out': 'Location 0',
            'decorations': 'OpDecorate %in Location 0', 'dim': '2D', 'kind': 'f32', 'types': '', 'body': ''}
PLACED = '\nOpDecorate %texture DescriptorSet 0\nOpDecorate %texture Binding 0'


def built_in(name, capability, kind):
   return {'capabilities': f'OpCapability {capability}', 'decorations': f'OpDecorate %in BuiltIn {name}\nOpDecorate %in Flat', 'kind': kind,
           'body': f'%x = OpLoad %{kind} %in'}, f'the built-in {name} is not supported'


STAGES = [
   ({}, None),
   built_in('ShadingRateKHR', 'FragmentShadingRateKHR', 'i32'),
   built_in('FullyCoveredEXT', 'FragmentFullyCoveredEXT', 'bool'),
   built_in('FragSizeEXT', 'FragmentDensityEXT', 'i2'),
   built_in('FragInvocationCountEXT', 'FragmentDensityEXT', 'i32'),
   ({'model': 'Vertex', 'modes': '', 'capabilities': 'OpCapability FragmentShadingRateKHR', 'out': 'BuiltIn PrimitiveShadingRateKHR',
     'body': 'OpStore %out %zero'}, 'the built-in PrimitiveShadingRateKHR is not supported'),
   ({'capabilities': 'OpCapability FragmentBarycentricKHR', 'decorations': 'OpDecorate %in Location 0\nOpDecorate %in PerVertexKHR',
     'kind': 'several'}, 'an input or output with the decoration PerVertexKHR'),
   ({'decorations': 'OpDecorate %in Location 0\nOpDecorate %in ExplicitInterpAMD'}, 'an input or output with the decoration ExplicitInterpAMD'),
   *(({'capabilities': f'OpCapability FragmentShader{kind}InterlockEXT', 'modes': f'OpExecutionMode %main {kind}InterlockOrderedEXT',
       'body': 'OpBeginInvocationInterlockEXT\nOpEndInvocationInterlockEXT'},
      'OpBeginInvocationInterlockEXT: a fragment shader interlock is not supported') for kind in ('Pixel', 'Sample')),
   *(({'capabilities': 'OpCapability SparseResidency', 'decorations': 'OpDecorate %in Location 0' + PLACED,
       'body': f'%s = OpLoad %sampled %texture\n{load}%x = {op} %sparse {operands}'}, f'{op}: a sparse image is not supported')
     for op, load, operands in (('OpImageSparseSampleImplicitLod', '', '%s %at'), ('OpImageSparseSampleExplicitLod', '', '%s %at Lod %half'),
                                ('OpImageSparseGather', '', '%s %at %zero'),
                                ('OpImageSparseFetch', '%i = OpImage %image %s\n%c = OpConvertFToS %i2 %at\n', '%i %c'))),
   ({'capabilities': 'OpCapability SampledRect', 'dim': 'Rect', 'decorations': 'OpDecorate %in Location 0' + PLACED,
     'body': '%s = OpLoad %sampled %texture\n%x = OpImageSampleImplicitLod %v4 %s %at'},
    'OpImageSampleImplicitLod: an image of dimension Rect or TileImageData is not supported'),
   # TileImageEXT by its numbers: assemblers may not know it.
   ({'capabilities': 'OpCapability !4167', 'types': '%90 = OpTypeVector %f32 3', 'body': '!0x31041 !90 !89'},
    'OpDepthAttachmentReadEXT: .*not supported'),
   ({'capabilities': 'OpCapability RayQueryKHR', 'types': '%query = OpTypeRayQueryKHR\n%pquery = OpTypePointer Private %query\n%q = OpVariable %pquery Private',
     'body': '%b = OpRayQueryProceedKHR %bool %q'}, 'OpRayQueryProceedKHR: ray tracing is not supported'),
   *(({'model': model, 'modes': '', 'capabilities': f'OpCapability {capability}'}, f"'main' is an? {name} shader, which is not supported")
     for model, name, capability in (
         ('TessellationControl', 'tessellation control', 'Tessellation'), ('TessellationEvaluation', 'tessellation evaluation', 'Tessellation'),
         ('Geometry', 'geometry', 'Geometry'), ('TaskNV', 'task', 'MeshShadingNV'), ('MeshNV', 'mesh', 'MeshShadingNV'),
         ('TaskEXT', 'task', 'MeshShadingEXT'), ('MeshEXT', 'mesh', 'MeshShadingEXT'),
         *((name.title().replace(' ', '').replace('-', '') + 'KHR', name, 'RayTracingKHR')
           for name in ('ray generation', 'intersection', 'any-hit', 'closest-hit', 'miss', 'callable')))),
]


def refused_stages(tap, tool, path):
   for parts, message in STAGES:
      text = STAGE.format(**{**FRAGMENT, **parts})
      name = message or 'the stage itself'
      done = subprocess.run(['spirv-as', '--preserve-numeric-ids', '--target-env', 'spv1.3', '-', '-o', path], input=text, text=True,
                            stderr=subprocess.PIPE, check=False)
      if not done.returncode:
         done = subprocess.run([tool, 'validate', path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
         good = re.search(message, done.stderr) and 'unsupported' in done.stderr if message else not done.returncode
         tap.check(name, bool(good), done.stderr)
      else:
         tap.check(name, False, done.stderr)


def main():
   parser = argparse.ArgumentParser()
   parser.add_argument('--tool', required=True)
   parser.add_argument('--scratch', required=True)
   args = parser.parse_args()
   if not shutil.which('spirv-as'):
      print('1..0 # SKIP not installed: spirv-as')
      return
   os.makedirs(args.scratch, exist_ok=True)
   tap = Tap()
   path = os.path.join(args.scratch, 'refused.spv')
   for code, message in CASES:
      inside, mark, after = code.partition('\n---')
      text = BEGIN + inside + ('' if mark else '\nOpReturn\nOpFunctionEnd') + '\n' + after + '\n'
      name = inside.replace('\n', '; ')
      done = subprocess.run(['spirv-as', '--target-env', 'spv1.6', '-', '-o', path], input=text, text=True,
                            stderr=subprocess.PIPE, check=False)
      if done.returncode:
         tap.check(name, False, done.stderr)
         continue
      done = subprocess.run([args.tool, 'validate', '--json', path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            check=False)
      if message is None:
         tap.check(name, done.returncode == 0, done.stderr)
         continue
      told = [json.loads(line) for line in done.stderr.splitlines() if line.startswith('{')]
      good = done.returncode and told and told[0].get('offset') and re.search(message, told[0]['message'])
      tap.check(name, bool(good), f'expected: {message}\n{done.stdout}{done.stderr}')
   refused_stages(tap, args.tool, path)
   tap.finish()


if __name__ == '__main__':
   main()
