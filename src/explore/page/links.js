/* SPDX-License-Identifier: MIT
   links.js - what is one and the same thing in all panels. An entity is a string: n:12 is a node, s:0:7 a line of a
   source file, i:7 a line of the input, m:3 an instruction of the machine, t:5 a value of it. */
'use strict';

/* The transitive closure of these entities along a table of links, themselves included. */
function reach(table, from) {
   const seen = new Set(from), stack = [...from];
   while (stack.length) {
      for (const next of table[stack.pop()] || []) {
         if (!seen.has(next)) {
            seen.add(next);
            stack.push(next);
         }
      }
   }
   return seen;
}

const nothing = () => ({ nodes: new Set(), places: new Set(), inputs: new Set(), insts: new Set() });

/* The origins and results of an entity. */
function related(side, entity) {
   const [kind, ...rest] = entity.split(':');
   const found = nothing();
   let roots = [];

   if (kind === 'n') roots = [Number(rest[0])].filter((n) => n < side.nodes.length);
   if (kind === 's') {
      roots = side.atPlace.get(rest.join(':')) || [];
      found.places.add(rest.join(':'));
   }
   if (kind === 'i') {
      roots = side.atInput.get(Number(rest[0])) || [];
      found.inputs.add(Number(rest[0]));
   }
   if (kind === 't') {
      for (const inst of side.instsWith(rest[0])) found.insts.add(inst);
      return found;
   }
   if (kind === 'm') {
      const inst = Number(rest[0]);
      found.insts.add(inst);
      roots = [side.insts[inst]].filter((node) => node >= 0);
   }
   const older = reach(side.came, roots), newer = reach(side.made, roots);
   for (const node of older) {
      const [, , , line, place] = side.nodes[node];
      found.nodes.add(node);
      if (line && kind !== 'i') found.inputs.add(line);
      if (place && kind !== 's') found.places.add(side.placeKey(place));
   }
   for (const node of newer) {
      found.nodes.add(node);
      if (kind === 'm') continue;
      for (const inst of side.instsOf[node] || []) found.insts.add(inst);
   }
   return found;
}

/* The union of several sets. */
function relatedToAll(side, entities) {
   const all = nothing();
   for (const entity of entities) {
      const one = related(side, entity);
      for (const key of Object.keys(all)) {
         for (const item of one[key]) all[key].add(item);
      }
   }
   return all;
}
