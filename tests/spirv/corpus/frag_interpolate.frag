// SPDX-License-Identifier: MIT
// Inputs at other places of the pixel, at samples; input attachments; a second source.
//: read
//: judge none
#version 450
layout(location = 0) in vec4 color;
layout(location = 1) in vec2 uv[3];
layout(location = 4) sample in float at_sample;
layout(input_attachment_index = 1, set = 0, binding = 0) uniform subpassInput before;
layout(input_attachment_index = 2, set = 0, binding = 1) uniform subpassInputMS many;
layout(set = 0, binding = 2) uniform Where { int which; };
layout(location = 0, index = 0) out vec4 first;
layout(location = 0, index = 1) out vec4 second;

void main()
{
   first = interpolateAtCentroid(color) + interpolateAtSample(uv[which], gl_SampleID).xyxy;
   first += interpolateAtOffset(color.y, vec2(0.25, -0.25)) + at_sample;
   second = subpassLoad(before) + subpassLoad(many, 2) + vec4(gl_SamplePosition, 0.0, 0.0);
}
