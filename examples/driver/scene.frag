// SPDX-License-Identifier: MIT
#version 450
layout(push_constant) uniform Push { mat4 transform; float cutoff; } push;
layout(set = 0, binding = 0) uniform Light { vec3 direction; float ambient; } light;
layout(set = 0, binding = 1) uniform sampler2D image;
layout(location = 0) in vec3 normal;
layout(location = 1) in vec2 place;
layout(location = 0) out vec4 color;

void main()
{
   vec4 texel = texture(image, place);
   if (texel.a < push.cutoff)
      discard;
   float direct = max(dot(normalize(normal), light.direction), 0.0);
   color = vec4(texel.rgb * mix(direct, 1.0, light.ambient), 1.0);
}
