// SPDX-License-Identifier: MIT
// A picture of the Mandelbrot set: lanes of a wave leave the loop one by one.
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(constant_id = 0) const uint max_steps = 64;
layout(push_constant) uniform View { vec2 corner; float pixel; uint width; };
layout(set = 0, binding = 0) writeonly buffer Picture { uint rgba[]; };

uint colour(uint steps)
{
   if (steps == max_steps)
      return 0xff000000u;
   float t = float(steps) / float(max_steps);
   vec3 c = vec3(9.0 * (1.0 - t) * t * t * t, 15.0 * (1.0 - t) * (1.0 - t) * t * t,
                 8.5 * (1.0 - t) * (1.0 - t) * (1.0 - t) * t);
   return packUnorm4x8(vec4(c, 1.0));
}

void main()
{
   uvec2 at = gl_GlobalInvocationID.xy;
   vec2 c = corner + pixel * vec2(at), z = vec2(0.0);
   uint steps = 0;
   while (steps < max_steps) {
      z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
      if (dot(z, z) > 4.0)
         break;
      steps++;
   }
   rgba[at.y * width + at.x] = colour(steps);
}
