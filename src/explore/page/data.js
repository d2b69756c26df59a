/* SPDX-License-Identifier: MIT
   data.js - what the page was given, ready to be asked. Strings of the shader only ever become text of nodes. */
'use strict';

const DATA = JSON.parse(document.getElementById('data').textContent);

const ROW = { FUNCTION: 0, BLOCK: 1, IF: 2, ELSE: 3, LOOP: 4, CONTINUE: 5, END: 6, INSTR: 7, MACHINE_BLOCK: 8,
   MACHINE_INST: 9 };

/* Adjacent lists, one for each node. */
function pushTo(table, at, what) {
   if (table[at]) table[at].push(what);
   else table[at] = [what];
}

/* A shader and its compilation. */
class Side {
   constructor(raw, number) {
      this.raw = raw;
      this.number = number;
      this.lines = raw.lines;
      this.steps = raw.steps;
      this.nodes = raw.nodes;
      this.phases = raw.machine ? raw.machine.phases : [];
      this.insts = raw.machine ? raw.machine.insts : [];
      this.expanded = {};
      this.found = [];
      this.made = [];
      this.came = [];
      this.values = new Map();
      this.blocks = new Map();
      this.atPlace = new Map();
      this.atInput = new Map();
      for (const line of this.lines) this.nameNode(line);
      for (let n = 0; n < this.nodes.length; n++) this.addNode(n);
      for (const [, old, now] of raw.became) this.link(old, now);
      this.instsOf = [];
      this.insts.forEach((node, inst) => node >= 0 && pushTo(this.instsOf, node, inst));
   }

   /* The first word of a line that defines something is what others call it. */
   nameNode([kind, , text, node]) {
      const match = kind === ROW.INSTR ? /^%(\d+)/.exec(text) : kind === ROW.BLOCK ? /^b(\d+)/.exec(text) : null;
      if (match) (kind === ROW.INSTR ? this.values : this.blocks).set(Number(match[1]), node);
   }

   addNode(n) {
      const [, , from, line, place] = this.nodes[n];
      if (from >= 0) this.link(from, n);
      if (line) {
         if (!this.atInput.has(line)) this.atInput.set(line, []);
         this.atInput.get(line).push(n);
      }
      if (place) {
         const key = this.placeKey(place);
         if (!this.atPlace.has(key)) this.atPlace.set(key, []);
         this.atPlace.get(key).push(n);
      }
   }

   link(old, now) {
      pushTo(this.made, old, now);
      pushTo(this.came, now, old);
   }

   placeKey(place) {
      const [file, line] = this.raw.places[place];
      return `${file}:${line}`;
   }

   /* Expand runs to line numbers. */
   expand(key, runs) {
      if (!this.expanded[key]) {
         let length = 0;
         for (let n = 1; n < runs.length; n += 2) length += runs[n];
         const lines = new Int32Array(length);
         for (let n = 0, at = 0; n < runs.length; n += 2) {
            for (let k = 0; k < runs[n + 1]; k++) lines[at++] = runs[n] + k;
         }
         this.expanded[key] = lines;
      }
      return this.expanded[key];
   }

   stepLines(step) {
      return this.expand(`step ${step}`, this.steps[step].lines);
   }

   phaseLines(phase) {
      return this.expand(`phase ${phase}`, this.phases[phase].lines);
   }

   /* Of a phase, the text of each instruction. */
   phaseTexts(phase) {
      const texts = new Map();
      for (const n of this.phaseLines(phase)) {
         const [kind, , text, inst] = this.lines[n];
         if (kind === ROW.MACHINE_INST) texts.set(inst, text);
      }
      return texts;
   }

   /* Machine instructions that use or define this machine value, in any phase. */
   instsWith(value) {
      if (!this.named) {
         this.named = new Map();
         for (const [kind, , text, inst] of this.lines) {
            if (kind !== ROW.MACHINE_INST) continue;
            for (const [, number] of text.matchAll(/%(\d+)/g)) {
               if (!this.named.has(number)) this.named.set(number, new Set());
               this.named.get(number).add(inst);
            }
         }
      }
      return this.named.get(value) || [];
   }

   /* The line that shows a machine instruction: in the last phase that has it. */
   instText(inst) {
      for (let n = this.phases.length; n-- > 0;) {
         for (const number of this.phaseLines(n)) {
            if (this.lines[number][0] === ROW.MACHINE_INST && this.lines[number][3] === inst) return this.lines[number][2];
         }
      }
      return `instruction ${inst}`;
   }

   /* The line of each node in a step. */
   stepPlaces(step) {
      if (!this.found[step]) {
         const places = new Map();
         this.stepLines(step).forEach((line, at) => {
            const node = this.lines[line][3];
            if (node >= 0 && !places.has(node)) places.set(node, at);
         });
         this.found[step] = places;
      }
      return this.found[step];
   }

   /* The last step, up to this one, that changed the shader. */
   shown(step) {
      while (step > 0 && !this.steps[step].changed) step--;
      return step;
   }

   /* The last such step before this one; -1: none. */
   before(step) {
      return step ? this.shown(step - 1) : -1;
   }

   /* The line that shows a node: in this step, else in the nearest step that has it. */
   lineOf(node, wanted) {
      if (!this.nodes[node]) return null;
      const [first, last] = this.nodes[node];
      const step = Math.max(first, Math.min(last, wanted === undefined ? last : wanted));
      const at = this.stepPlaces(step).get(node);
      return at === undefined ? null : this.lines[this.stepLines(step)[at]];
   }

   textOf(node, step) {
      const line = this.lineOf(node, step);
      return line ? line[2] : `node ${node}`;
   }
}

const SIDES = DATA.sides.map((raw, n) => new Side(raw, n));
