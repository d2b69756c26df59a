/* SPDX-License-Identifier: MIT */
/* cycle_nest.c - the loop nesting forest of any CFG, reducible or not: nested strongly connected components,
 * each with a header (Steensgaard's and Havlak's forests differ in the choice of headers; see below).
 *
 * By definition, top down: choose a header of a component; the loops inside it are the components of
 * what is left without the header. To do that literally costs the size of a deep nest once a level.
 * But where the header is the first block of the component in a fixed order of blocks, it can be read
 * backwards, as incremental strong connectivity, computed offline:
 *
 *    Insert the blocks one by one, the last of the order first. The component that the new block
 *    closes is the loop that it heads.
 *
 * The components of the blocks inserted so far are those that are left when all earlier blocks of the
 * order have been removed, and the newest block comes first in its component. So what is wanted of
 * each edge is the time at which both its ends come to be in one component. Divide and conquer over
 * time finds it: the components after half of the time tell which edges belong to the first half; the
 * second half sees those components as single nodes. Each edge is visited once per halving: m log n
 * for every graph.
 *
 * The order is the depth-first preorder, declared headers before other blocks, if no declared header
 * of the component is declared to be inside another block of it. Else declared headers come by their
 * depth in the chains of declarations, so that each comes after all that it is declared to be inside
 * of. Whether this order agrees with the rule (the header is the first declared one that is not
 * declared to be inside another block *of the component*) is checked afterwards, by a condition that
 * holds for the declarations that hd_declare_loops writes. Where it does not hold, one level of the
 * component is computed literally.
 */
#include "analysis/cycle_nest.h"

struct edge {
   uint32_t from, to;
   uint32_t time; /* the part has both ends from then on */
};

/* A strongly connected part that is still to be split: ranges of arrays. */
struct part {
   uint32_t first_node, num_nodes;
   uint32_t first_edge, num_edges;
   uint32_t outer; /* the cycle around it */
};

struct range {
   uint32_t first_edge, num_edges;
   uint32_t from_time, to_time; /* both included */
};

struct builder {
   hd_nest *nest;
   const hd_declared *declared;
   hd_heap *heap;
   struct edge *edge;     /* edges of parts, without those from a block to itself */
   struct edge *spare;    /* room for as many */
   uint32_t *member;      /* nodes of parts, in the order in which they are chosen */
   uint32_t *spare_nodes; /* room for as many */
   bool *self;            /* by node: has an edge to itself */
   uint32_t *set;         /* union-find over nodes: those of one cycle are one set */
   uint32_t *top;         /* by representative: the outermost cycle of the set so far, or NONE */
   uint32_t *time;        /* by node: when it is put in */
   uint32_t *part_of;     /* by node: the number of the part looked at last */
   uint32_t *known;       /* by node: the part for which `inside_part` is known */
   bool *inside_part;     /* by node: declared to be inside a block of that part */
   struct part *part;     /* to be done */
   uint32_t num_parts, part_id;
   struct range *range;
   /* for components() */
   uint32_t *stamp, now;
   uint32_t *first, *next, *index, *low, *component, *call, *open, *touched;
   uint32_t num_components, num_touched;
};

static uint32_t
find(struct builder *b, uint32_t n)
{
   while (b->set[n] != n)
      n = b->set[n] = b->set[b->set[n]];
   return n;
}

static void
touch(struct builder *b, uint32_t n)
{
   if (b->stamp[n] == b->now)
      return;
   b->stamp[n] = b->now;
   b->first[n] = NONE;
   b->index[n] = 0;
   b->component[n] = NONE;
   b->touched[b->num_touched++] = n;
}

/* Number the strongly connected parts of a few edges between sets (Tarjan's walk): component[n]
 * for each representative n that an edge touches. The edges' ends become representatives.
 */
static void
components(struct builder *b, struct edge *edge, uint32_t num)
{
   uint32_t num_index = 0;

   hd_heap_step(b->heap, num);
   b->now++;
   b->num_touched = b->num_components = 0;
   for (uint32_t i = 0; i < num; i++) {
      edge[i].from = find(b, edge[i].from);
      edge[i].to = find(b, edge[i].to);
      touch(b, edge[i].from);
      touch(b, edge[i].to);
      b->next[i] = b->first[edge[i].from];
      b->first[edge[i].from] = i;
   }
   for (uint32_t t = 0; t < b->num_touched; t++) {
      uint32_t num_call = 0, num_open = 0;

      if (b->index[b->touched[t]])
         continue;
      b->call[num_call++] = b->open[num_open++] = b->touched[t];
      b->index[b->touched[t]] = b->low[b->touched[t]] = ++num_index;
      while (num_call) {
         uint32_t n = b->call[num_call - 1], i = b->first[n];

         if (i != NONE) {
            uint32_t to = edge[i].to;
            b->first[n] = b->next[i];
            if (!b->index[to]) {
               b->index[to] = b->low[to] = ++num_index;
               b->call[num_call++] = b->open[num_open++] = to;
            } else if (b->component[to] == NONE && b->index[to] < b->low[n]) {
               b->low[n] = b->index[to];
            }
            continue;
         }
         num_call--;
         if (num_call && b->low[n] < b->low[b->call[num_call - 1]])
            b->low[b->call[num_call - 1]] = b->low[n];
         if (b->low[n] != b->index[n])
            continue;
         do {
            b->component[b->open[--num_open]] = b->num_components;
         } while (b->open[num_open] != n);
         b->num_components++;
      }
   }
}

static uint32_t
new_cycle(struct builder *b, uint32_t header, uint32_t outer)
{
   hd_nest *nest = b->nest;
   uint32_t c = nest->num++;

   nest->header[c] = header;
   nest->outer[c] = outer;
   nest->head[header] = c;
   nest->natural[header] = c;
   return c;
}

/* All ends of these edges come into one part when `header` is put in. */
static void
close_cycle(struct builder *b, uint32_t header, uint32_t outer, const struct edge *edge,
            uint32_t num)
{
   hd_nest *nest = b->nest;
   uint32_t c = nest->head[header];

   if (c == NONE)
      c = new_cycle(b, header, outer);
   uint32_t set = find(b, header);
   b->top[set] = c;
   for (uint32_t i = 0; i < 2 * num; i++) {
      uint32_t n = find(b, i & 1 ? edge[i / 2].to : edge[i / 2].from);
      if (n == set)
         continue;
      if (b->top[n] == NONE)
         nest->natural[n] = c;
      else
         nest->outer[b->top[n]] = c;
      b->set[n] = set;
   }
}

/* The nest of one part whose members are put in from the last to the first. */
static void
put_in_one_by_one(struct builder *b, const struct part *p)
{
   uint32_t *member = b->member + p->first_node;
   uint32_t num_ranges = 1;

   for (uint32_t i = 0; i < p->num_nodes; i++) {
      b->time[member[i]] = p->num_nodes - 1 - i;
      if (b->self[member[i]])
         b->top[member[i]] = new_cycle(b, member[i], p->outer);
   }
   for (uint32_t i = p->first_edge; i < p->first_edge + p->num_edges; i++) {
      uint32_t from = b->time[b->edge[i].from], to = b->time[b->edge[i].to];
      b->edge[i].time = from > to ? from : to;
   }
   b->range[0] = (struct range){ p->first_edge, p->num_edges, 0, p->num_nodes - 1 };
   while (num_ranges) {
      struct range r = b->range[--num_ranges];
      struct edge *edge = b->edge + r.first_edge;
      uint32_t half = r.from_time + (r.to_time - r.from_time) / 2, num_early = 0;

      if (!r.num_edges)
         continue;
      if (r.from_time == r.to_time) {
         close_cycle(b, member[p->num_nodes - 1 - half], p->outer, edge, r.num_edges);
         continue;
      }
      /* Edges that are there at half time in front, then those of them that were closed by then. */
      for (uint32_t i = 0; i < r.num_edges; i++) {
         if (edge[i].time <= half) {
            struct edge e = edge[i];
            edge[i] = edge[num_early];
            edge[num_early++] = e;
         }
      }
      components(b, edge, num_early);
      uint32_t num_closed = 0;
      for (uint32_t i = 0; i < num_early; i++) {
         if (b->component[edge[i].from] == b->component[edge[i].to]) {
            struct edge e = edge[i];
            edge[i] = edge[num_closed];
            edge[num_closed++] = e;
         }
      }
      /* The first half is done first: then the second finds its sets by find(). At most one range
       * waits for each halving, so there are never more than two for each bit of a time.
       */
      b->range[num_ranges++] = (struct range){ r.first_edge + num_closed, r.num_edges - num_closed,
                                               half + 1, r.to_time };
      b->range[num_ranges++] = (struct range){ r.first_edge, num_closed, r.from_time, half };
   }
}

/* Is the nest that was found for this part the one that the rule gives? It is if in each of its
 * cycles that has marked blocks the header is the only one not declared to be inside another: every
 * other marked block is declared to be inside it, directly or through the chain, and a marked
 * header inside names that of the cycle around it, which is outside its own.
 */
static bool
obeys_marks(struct builder *b, const struct part *p)
{
   const hd_nest *nest = b->nest;
   const hd_declared *d = b->declared;

   for (uint32_t i = 0; i < p->num_nodes; i++) {
      uint32_t n = b->member[p->first_node + i], c = nest->natural[n];

      if (!d->marked[n])
         continue;
      if (nest->header[c] != n) {
         if (!d->any_inside || !forest_contains(&d->chain, nest->header[c], n))
            return false;
      } else if (nest->outer[c] != p->outer) {
         if (d->inside[n] != nest->header[nest->outer[c]])
            return false;
      } else {
         for (uint32_t y = d->inside[n]; y != NONE; y = d->inside[y]) {
            if (b->part_of[y] == b->part_id)
               return false;
         }
      }
   }
   return true;
}

/* Forget the nest that was found for this part. */
static void
undo(struct builder *b, const struct part *p, uint32_t num_cycles)
{
   b->nest->num = num_cycles;
   for (uint32_t i = 0; i < p->num_nodes; i++) {
      uint32_t n = b->member[p->first_node + i];
      b->set[n] = n;
      b->top[n] = b->nest->natural[n] = b->nest->head[n] = NONE;
   }
   /* The edges' ends had become representatives; their true ends are in `spare`. */
   memcpy(b->edge + p->first_edge, b->spare + p->first_edge, p->num_edges * sizeof(*b->edge));
}

/* Is `n` declared to be inside a block of the part that is looked at? */
static bool
is_inside_part(struct builder *b, uint32_t n)
{
   const uint32_t *inside = b->declared->inside;
   uint32_t *path = b->spare_nodes, length = 0;
   bool is = false;

   for (; n != NONE; n = inside[n]) {
      if (b->known[n] == b->part_id) {
         is = b->inside_part[n];
         break;
      }
      path[length++] = n;
   }
   /* From the end of the chain back: what the block above knows, and whether it is of the part. */
   uint32_t above = n;
   while (length) {
      n = path[--length];
      is = above != NONE && (is || b->part_of[above] == b->part_id);
      b->known[n] = b->part_id;
      b->inside_part[n] = is;
      above = n;
   }
   return is;
}

/* The header of a part, by the rule word by word. */
static uint32_t
choose_header(struct builder *b, const struct part *p)
{
   const uint32_t *member = b->member + p->first_node;
   uint32_t best = NONE, first = NONE;

   for (uint32_t i = 0; i < p->num_nodes; i++) {
      uint32_t n = member[i];
      if (n < first)
         first = n;
      if (n < best && b->declared->marked[n] && !is_inside_part(b, n))
         best = n;
   }
   return best != NONE ? best : first;
}

/* Take a part (or the whole graph) apart: what stays together without `header` becomes new parts,
 * what doesn't is in the cycle `outer` itself.
 */
static void
take_apart(struct builder *b, const struct part *p, uint32_t header, uint32_t outer)
{
   uint32_t *member = b->member + p->first_node;
   struct edge *edge = b->edge + p->first_edge, *spare = b->spare + p->first_edge;
   uint32_t num = 0;

   for (uint32_t i = 0; i < p->num_edges; i++) {
      if (edge[i].from != header && edge[i].to != header)
         edge[num++] = edge[i];
   }
   components(b, edge, num);

   /* Count nodes and edges by component, in arrays that components() is done with. */
   uint32_t num_components = b->num_components;
   uint32_t *num_nodes = b->index, *num_edges = b->low, *node_place = b->call,
            *edge_place = b->open;
   for (uint32_t c = 0; c < num_components; c++)
      num_nodes[c] = num_edges[c] = 0;
   for (uint32_t t = 0; t < b->num_touched; t++)
      num_nodes[b->component[b->touched[t]]]++;
   for (uint32_t i = 0; i < num; i++) {
      if (b->component[edge[i].from] == b->component[edge[i].to])
         num_edges[b->component[edge[i].from]]++;
   }
   uint32_t node_at = 0, edge_at = 0;
   for (uint32_t c = 0; c < num_components; c++) {
      node_place[c] = node_at;
      edge_place[c] = edge_at;
      if (num_nodes[c] == 1)
         continue;
      b->part[b->num_parts++] = (struct part){ p->first_node + node_at, num_nodes[c],
                                               p->first_edge + edge_at, num_edges[c], outer };
      node_at += num_nodes[c];
      edge_at += num_edges[c];
   }

   for (uint32_t i = 0; i < p->num_nodes; i++) {
      uint32_t n = member[i], c = b->stamp[n] == b->now ? b->component[n] : NONE;

      if (c != NONE && num_nodes[c] > 1) {
         b->spare_nodes[node_place[c]++] = n;
      } else if (n != header) {
         b->nest->natural[n] = outer;
         if (b->self[n])
            new_cycle(b, n, outer);
      }
   }
   memcpy(member, b->spare_nodes, node_at * sizeof(*member));
   for (uint32_t i = 0; i < num; i++) {
      uint32_t c = b->component[edge[i].from];
      if (c == b->component[edge[i].to])
         spare[edge_place[c]++] = edge[i];
   }
   memcpy(edge, spare, edge_at * sizeof(*edge));
}

/* Sort by number: runs of 1, 2, 4, ... are merged. `spare` has room for as many. */
static void
sort(uint32_t *array, uint32_t num, uint32_t *spare)
{
   for (uint32_t run = 1; run < num; run *= 2) {
      for (uint32_t begin = 0; begin < num; begin += 2 * run) {
         uint32_t middle = begin + run < num ? begin + run : num;
         uint32_t end = middle + run < num ? middle + run : num;
         for (uint32_t at = begin, i = begin, j = middle; at < end; at++)
            spare[at] = i < middle && (j == end || array[i] < array[j]) ? array[i++] : array[j++];
      }
      memcpy(array, spare, num * sizeof(*array));
   }
}

static void
do_part(struct builder *b, const struct part *p)
{
   uint32_t *member = b->member + p->first_node;
   uint32_t num_cycles = b->nest->num, num_marked = 0;
   bool any_inside = false;

   if (b->declared->any_marked) {
      b->part_id++;
      for (uint32_t i = 0; i < p->num_nodes; i++) {
         b->part_of[member[i]] = b->part_id;
         num_marked += b->declared->marked[member[i]];
      }
   }
   for (uint32_t i = 0; i < num_marked; i++)
      any_inside |= is_inside_part(b, member[i]);
   if (!any_inside) {
      /* The marked ones in preorder, then the others: the rule, in every part of this part too. */
      sort(member, num_marked, b->spare_nodes);
      put_in_one_by_one(b, p);
      return;
   }
   memcpy(b->spare + p->first_edge, b->edge + p->first_edge, p->num_edges * sizeof(*b->edge));
   put_in_one_by_one(b, p);
   if (obeys_marks(b, p))
      return;
   undo(b, p, num_cycles);
   uint32_t header = choose_header(b, p);
   take_apart(b, p, header, new_cycle(b, header, p->outer));
}

/* The reachable nodes in the order in which headers are chosen: the marked ones by their depth in
 * the chains, then the others; by preorder among equals.
 */
static void
rank_nodes(const struct builder *b, hd_stack *stack, uint32_t num, uint32_t *member)
{
   const hd_declared *d = b->declared;
   uint32_t *place = scratch_fill(stack, (size_t)d->chain.num + 3, 0);
   uint32_t depths = d->any_inside ? d->chain.num + 1 : 1;

   for (int pass = 0; pass < 2; pass++) {
      for (uint32_t n = 0; n < num; n++) {
         uint32_t depth = !d->marked[n] ? depths : d->any_inside ? d->chain.depth[n] : 0;
         if (pass)
            member[place[depth]++] = n;
         else
            place[depth + 1]++;
      }
      for (uint32_t i = 0; !pass && i < depths; i++)
         place[i + 1] += place[i];
   }
}

void
hd_nest_build(hd_nest *nest, const hd_graph *g, const hd_declared *declared)
{
   hd_stack *stack = hd_shader_stack(g->f->shader);
   uint32_t num = g->num_reachable, num_edges = g->succ_begin[g->num];
   struct builder b = { .nest = nest, .declared = declared };

   *nest = (hd_nest){ .g = g, .declared = declared };
   nest->header = scratch(stack, num);
   nest->outer = scratch(stack, num);
   nest->head = scratch_fill(stack, g->num, 0xff);
   nest->natural = scratch_fill(stack, g->num, 0xff);
   if (!g->goes_back)
      return;

   b.heap = hd_shader_heap(g->f->shader);
   b.edge = hd_stack_alloc(stack, (num_edges + 1) * sizeof(*b.edge));
   b.spare = hd_stack_alloc(stack, (num_edges + 1) * sizeof(*b.spare));
   b.next = scratch(stack, num_edges);
   b.part = hd_stack_alloc(stack, (num + 1) * sizeof(*b.part));
   b.range = hd_stack_alloc(stack, 70 * sizeof(*b.range));
   b.self = memset(hd_stack_alloc(stack, num), 0, num);
   b.inside_part = hd_stack_alloc(stack, g->num);
   uint32_t **array[] = { &b.member, &b.spare_nodes, &b.set,   &b.top,       &b.time,
                          &b.first,  &b.index,       &b.low,   &b.component, &b.call,
                          &b.open,   &b.touched,     &b.stamp, &b.part_of,   &b.known };
   for (size_t i = 0; i < sizeof(array) / sizeof(*array); i++)
      *array[i] = scratch_fill(stack, g->num, 0);
   for (uint32_t n = 0; n < num; n++) {
      b.set[n] = n;
      b.top[n] = NONE;
   }
   if (declared->any_marked) {
      rank_nodes(&b, stack, num, b.member);
   } else {
      for (uint32_t n = 0; n < num; n++)
         b.member[n] = n;
   }

   struct part all = { 0, num, 0, 0, NONE };
   for (uint32_t n = 0; n < num; n++) {
      for (uint32_t e = g->succ_begin[n]; e < g->succ_begin[n + 1]; e++) {
         if (g->succ[e] == n)
            b.self[n] = true;
         else
            b.edge[all.num_edges++] = (struct edge){ n, g->succ[e], 0 };
      }
   }
   take_apart(&b, &all, NONE, NONE);
   while (b.num_parts) {
      struct part p = b.part[--b.num_parts];
      do_part(&b, &p);
   }
}

void
hd_nest_headers(const hd_graph *g, bool *header)
{
   hd_faults faults = { NULL, NULL, 0 };
   hd_declared declared;
   hd_nest nest;

   memset(header, 0, g->num);
   if (g->f->structured) {
      hd_foreach_node(n, g->f) {
         hd_loop *loop = hd_node_as_loop(n);
         if (loop && loop_repeats(g, loop))
            header[g->node[hd_loop_header(loop)->node.index]] = true;
      }
      return;
   }
   hd_declared_read(&declared, g, &faults);
   hd_nest_build(&nest, g, &declared);
   for (uint32_t c = 0; c < nest.num; c++)
      header[nest.header[c]] = true;
}
