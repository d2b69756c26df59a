/* SPDX-License-Identifier: MIT
   why.js - reasons of what is pointed at or pinned: why it is divergent, why it stays, what made it and what became of it,
   what it waits for, where it was spilled. */
'use strict';

const WHY = { DIVERGENT: 0, STAYS: 1, ADDED: 2 };
const LONGEST_CHAIN = 40;
const LONGEST_LIST = 12;
const IS_SPILL = /^p_(spill|reload)/;

class Why {
   constructor(app) {
      this.app = app;
      this.element = make('div', { class: 'why', id: 'why' });
      this.element.addEventListener('click', (event) => {
         const token = event.target.closest('[data-entity]');
         if (token) app.pin(token.dataset.entity);
      });
   }

   setSide(side) {
      this.reasons = [];
      this.writers = null;
      side.raw.why.forEach((reason) => pushTo(this.reasons, reason[0], reason));
   }

   /* The step that is shown, or the nearest one that has this node. */
   stepFor(node) {
      const [first, last] = this.app.side.nodes[node];
      return Math.max(first, Math.min(last, this.app.step));
   }

   /* Explanations that apply there. */
   reasonsOf(node, kind) {
      const { side } = this.app, at = side.shown(this.stepFor(node));
      return (this.reasons[node] || []).filter(([, first, last, is]) => is === kind && first <= at && at <= last);
   }

   text(words, text) {
      const { side } = this.app, element = make('span', { class: words });
      appendText(element, text, (kind, number) => {
         const node = (kind === 'value' ? side.values : side.blocks).get(number);
         return node === undefined ? null : `n:${node}`;
      });
      return element;
   }

   item(...parts) {
      return make('li', {}, ...parts);
   }

   /* From the value to what makes it divergent. */
   chain(node) {
      const items = [], seen = new Set();
      for (let at = node; at >= 0 && !seen.has(at) && items.length < LONGEST_CHAIN;) {
         const [reason] = this.reasonsOf(at, WHY.DIVERGENT);
         if (!reason) break;
         seen.add(at);
         items.push(this.item(this.text('code', this.app.side.textOf(at, this.app.step)), ' – ', this.text('', reason[4])));
         at = reason[5];
      }
      return items;
   }

   section(title, all) {
      const items = all.slice(0, LONGEST_LIST);
      if (all.length > items.length) items.push(this.item(`and ${all.length - items.length} more`));
      return items.length ? make('div', { class: 'reason' }, make('h3', {}, title), make('ul', {}, ...items)) : null;
   }

   ofNode(node) {
      const { side } = this.app, [first, last, from] = side.nodes[node];
      const parts = [], steps = side.steps;
      const chain = this.chain(node);
      parts.push(this.section('divergent, because', chain));
      if (!chain.length && side.lineOf(node)?.[0] === ROW.INSTR && /^%/.test(side.textOf(node)))
         parts.push(this.section('uniform', [this.item(`in step ${this.stepFor(node)} no reason makes it divergent`)]));
      parts.push(this.section('after the last pass', (this.reasons[node] || []).filter((reason) => reason[3] === WHY.STAYS).map((reason) => this.item(this.text('', reason[4])))));
      parts.push(this.section('added here', (this.reasons[node] || []).filter((reason) => reason[3] === WHY.ADDED)
         .map((reason) => this.item(`${steps[reason[1]].name}: `, this.text('', reason[4])))));
      const life = [this.item(first ? `made by ${steps[first].name} (step ${first})` : 'there in the input')];
      if (from >= 0) life.push(this.item('made of ', this.text('code', side.textOf(from))));
      if (last < steps.length - 1) life.push(this.item(`gone after ${steps[last + 1].name} (step ${last + 1})`));
      for (const made of side.made[node] || []) life.push(this.item('became ', this.text('code', side.textOf(made))));
      parts.push(this.section('life', life));
      parts.push(this.section('spilled', this.spills(side.instsOf[node] || [])));
      return parts;
   }

   /* Of each value in the spill phase, the instruction that writes it: it stands before `=`, or it is named first. */
   writersOf(at) {
      const writers = new Map();
      for (const [kind, , text, inst] of this.linesOf(at)) {
         if (kind !== ROW.MACHINE_INST || IS_SPILL.test(text)) continue;
         const [written, read] = text.split(/ =(?: |$)/);
         for (const [value] of written.matchAll(/%\d+/g)) {
            if (read !== undefined || !writers.has(value)) writers.set(value, inst);
         }
      }
      return writers;
   }

   /* Where the spill phase stores and loads the values that these instructions write. */
   spills(insts) {
      const { side } = this.app, at = side.phases.findIndex((phase) => phase.name === 'spill');
      if (at < 0) return [];
      const lines = this.linesOf(at).filter(([kind, , text]) => kind === ROW.MACHINE_INST && IS_SPILL.test(text));
      if (!lines.length) return [];
      this.writers = this.writers || this.writersOf(at);
      return lines.filter(([, , text]) => insts.includes(this.writers.get(/%\d+/.exec(text)?.[0])))
         .map(([, , text]) => this.item(make('span', { class: 'code' }, text)));
   }

   linesOf(phase) {
      return [...this.app.side.phaseLines(phase)].map((n) => this.app.side.lines[n]);
   }

   ofInst(inst) {
      const { side } = this.app, at = side.phases.findIndex((phase) => phase.reads);
      if (at < 0) return [];
      const insts = this.linesOf(at).filter(([kind]) => kind === ROW.MACHINE_INST), { reads } = side.phases[at];
      const n = insts.findIndex((line) => line[3] === inst), parts = [];
      if (n < 0) return [this.section('life', [this.item('it is not in the code: a phase has replaced it')])];
      const show = (k) => this.item(make('span', { class: 'code', 'data-entity': `m:${insts[k][3]}` }, insts[k][2]));
      const isMemory = (k) => side.raw.machine.classes[insts[k][4]] === 'memory';
      if (side.raw.machine.classes[insts[n][4]] === 'waits') {
         const next = insts[n + 1] ? n + 1 : n;
         parts.push(this.section('it waits before', [show(next)]));
         parts.push(this.section('for the data of', reads[next].filter(isMemory).map(show)));
      }
      parts.push(this.section('its value is spilled', this.spills([inst])));
      parts.push(this.section('it reads what these wrote', reads[n].map(show)));
      parts.push(this.section('who reads it', reads.flatMap((one, k) => one.includes(n) ? [show(k)] : [])));
      return parts;
   }

   ofPass() {
      const { side, step } = this.app, at = side.steps[step];
      const items = [this.item(`step ${step}: ${at.name}`, at.meaning ? ` – ${at.meaning}` : '')];
      items.push(this.item(document.getElementById('pass-summary').textContent));
      const added = side.raw.why.filter((reason) => reason[3] === WHY.ADDED && reason[1] === step);
      for (const reason of added.slice(0, 20)) items.push(this.item(this.text('', reason[4])));
      if (added.length > 20) items.push(this.item(`and ${added.length - 20} more`));
      for (const message of side.raw.messages) items.push(this.item(`${message.severity}: `, this.text('', message.message)));
      for (const text of side.raw.cut) items.push(this.item(text));
      return this.section('pass', items);
   }

   update() {
      const { app } = this, entity = app.pointed || app.pins[app.pins.length - 1];
      const [kind, number] = (entity || '').split(':');
      const parts = [];
      if (kind === 'n') {
         parts.push(make('h2', {}, this.text('code', app.side.textOf(Number(number)))), ...this.ofNode(Number(number)));
      } else if (kind === 'm') {
         const node = app.side.insts[Number(number)];
         parts.push(make('h2', { class: 'code' }, app.side.instText(Number(number))), ...this.ofInst(Number(number)));
         if (node >= 0) parts.push(make('h2', {}, this.text('code', app.side.textOf(node))), ...this.ofNode(node));
      } else {
         parts.push(make('p', { class: 'dim' }, 'Point at a line of IR or machine code, or pin one.'));
      }
      parts.push(this.ofPass());
      this.element.replaceChildren(...parts.filter((part) => part));
   }

   mark() {
      this.update();
   }
}
