/* SPDX-License-Identifier: MIT */
/* assemble.c - primitive assembly: points, lines and triangles. The first vertex of each is the provoking vertex.
 */
#include "raster/raster.h"

/* Vertices that the first primitive of a strip or list takes, and each further one. */
static const struct {
   uint8_t first, step;
} shapes[HD_NUM_TOPOLOGIES] = {
   [HD_TOPOLOGY_POINT_LIST] = { 1, 1 },     [HD_TOPOLOGY_LINE_LIST] = { 2, 2 },
   [HD_TOPOLOGY_LINE_STRIP] = { 2, 1 },     [HD_TOPOLOGY_TRIANGLE_LIST] = { 3, 3 },
   [HD_TOPOLOGY_TRIANGLE_STRIP] = { 3, 1 }, [HD_TOPOLOGY_TRIANGLE_FAN] = { 3, 1 },
};

/* The vertices of primitive n of a strip or list that begins with vertex `begin`. */
static void
choose_vertices(hd_topology topology, uint32_t begin, uint32_t n, uint32_t v[3])
{
   const uint32_t at = begin + n * shapes[topology].step;

   v[0] = at;
   v[1] = at + 1;
   v[2] = at + 2;
   if (topology == HD_TOPOLOGY_TRIANGLE_STRIP && n % 2) {
      v[1] = at + 2;
      v[2] = at + 1;
   } else if (topology == HD_TOPOLOGY_TRIANGLE_FAN) {
      v[0] = at + 1;
      v[1] = at + 2;
      v[2] = begin;
   }
}

void
hd_raster_assemble(struct raster *r)
{
   const hd_topology topology = r->draw->topology;
   const unsigned size = shapes[topology].first, step = shapes[topology].step;
   uint32_t id = 0, begin = 0;

   while (begin < r->num_vertices) {
      uint32_t end = begin, v[3];
      while (end < r->num_vertices &&
             !(r->indices && r->indices[end] == UINT32_MAX && r->draw->primitive_restart))
         end++;
      for (uint32_t n = 0; end - begin >= size && n <= (end - begin - size) / step; n++) {
         hd_heap_step(&r->heap, 1);
         choose_vertices(topology, begin, n, v);
         hd_raster_primitive(r, v, size, id++);
      }
      begin = end + 1;
   }
   r->stats.primitives += id;
}
