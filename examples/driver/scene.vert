// SPDX-License-Identifier: MIT
#version 450
layout(push_constant) uniform Push { mat4 transform; float cutoff; } push;
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 place;
layout(location = 0) out vec3 to_normal;
layout(location = 1) out vec2 to_place;

void main()
{
   to_normal = normal;
   to_place = place;
   gl_Position = push.transform * vec4(position, 1.0);
}
