// SPDX-License-Identifier: MIT
// Rays through a tree of boxes with a stack of its own: 31 nodes in heap order, leaves from 15 on.
// workgroup 64 1 1
// workgroups 2 1 1
// f32[128] zero
// u32[128] zero
// f32[256] -1..1
// i32 31
static float box_distance(float ox, float oy, float dx, float dy, int node)
{
   // The boxes follow from the node's number.
   uint h = (uint)node * 0x9e3779b9u;
   float cx = (float)(h >> 24) / 128.0f - 1.0f;
   float cy = (float)(h >> 16 & 255) / 128.0f - 1.0f;
   float half_size = 1.5f / (float)(32 - clz(node + 1));
   float ix = 1.0f / (dx == 0.0f ? 0.0001f : dx), iy = 1.0f / (dy == 0.0f ? 0.0001f : dy);
   float x0 = (cx - half_size - ox) * ix, x1 = (cx + half_size - ox) * ix;
   float y0 = (cy - half_size - oy) * iy, y1 = (cy + half_size - oy) * iy;
   float near = fmax(fmin(x0, x1), fmin(y0, y1));
   float far = fmin(fmax(x0, x1), fmax(y0, y1));
   return near <= far && far > 0.0f ? near : 1000.0f;
}
KERNEL(64) bvh_walk(__global float *restrict hit, __global uint *restrict visits, __global const float *restrict rays,
                    int nodes)
{
   uint at = group_id * 64 + local_id;
   float ox = rays[at * 2], oy = rays[at * 2 + 1];
   float dx = oy * 0.5f + 0.25f, dy = ox * 0.75f - 0.125f;
   int stack[16], top = 0;
   float best = 1000.0f;
   uint seen = 0;

   stack[top++] = 0;
   while (top > 0) {
      int node = stack[--top];
      seen++;
      float t = box_distance(ox, oy, dx, dy, node);
      if (t >= best)
         continue;
      if (node * 2 + 2 >= nodes) {
         if (t < best)
            best = t;
         continue;
      }
      float left = box_distance(ox, oy, dx, dy, node * 2 + 1);
      float right = box_distance(ox, oy, dx, dy, node * 2 + 2);
      // The nearer one is looked at first.
      if (left < right) {
         if (right < best)
            stack[top++] = node * 2 + 2;
         if (left < best)
            stack[top++] = node * 2 + 1;
      } else {
         if (left < best)
            stack[top++] = node * 2 + 1;
         if (right < best)
            stack[top++] = node * 2 + 2;
      }
   }
   hit[at] = best;
   visits[at] = seen;
}
