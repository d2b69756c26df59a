/* SPDX-License-Identifier: MIT
   lanes.js - the runs: steps of a wave across, lanes down; a scrubber that shows masks and values; how often what ran. */
'use strict';

const LANE_HEIGHT = 3;

/* A run, in the interpreter or of machine code. */
class Run {
   constructor(side, raw, kind) {
      this.side = side;
      this.raw = raw;
      this.kind = kind;
      this.masks = raw.masks.map((text) => BigInt(`0x${text}`));
      const phase = side.phases.findIndex((one) => one.offsets);
      this.insts = kind === 'machine' ? [...side.phaseLines(phase)].map((n) => side.lines[n]).filter((line) => line[0] === ROW.MACHINE_INST)
         .map((line) => line[3]) : null;
      this.times = new Map(raw.totals.map(([what, times, lanes]) => [what, { times, lanes }]));
      this.wave = 0;
      this.at = 0;
   }

   get steps() {
      const wave = this.raw.waves[this.wave];
      return wave ? wave.steps.length / 2 : 0;
   }

   what(step) {
      return this.raw.waves[this.wave].steps[2 * step];
   }

   /* null: a wave-wide (scalar) instruction. */
   mask(step) {
      const mask = this.raw.waves[this.wave].steps[2 * step + 1];
      return mask < 0 ? null : this.masks[mask];
   }

   /* The rows of the panels for a step. */
   entity(step) {
      const what = this.what(step);
      if (this.kind === 'interpreter') return `n:${what}`;
      return what < this.insts.length ? `m:${this.insts[what]}` : null;
   }

   node(step) {
      const what = this.what(step);
      if (this.kind === 'interpreter') return what;
      return what < this.insts.length ? this.side.insts[this.insts[what]] : -1;
   }

   text(step) {
      const entity = this.entity(step);
      if (!entity) return '?';
      const number = Number(entity.slice(2));
      return this.kind === 'interpreter' ? this.side.textOf(number, 0) : this.side.instText(number);
   }

   /* The colour key of a step: its source line, or its block. */
   key(step, by) {
      const node = this.node(step);
      if (by === 'line') return node >= 0 && this.side.nodes[node][4] ? this.side.placeKey(this.side.nodes[node][4]) : '';
      return String(this.blockOf(step));
   }

   blockOf(step) {
      if (!this.blocks) {
         this.blocks = new Map();
         const phase = this.side.phases.findIndex((one) => one.offsets);
         const lines = this.kind === 'machine' ? this.side.phaseLines(phase) : this.side.stepLines(0);
         let block = -1, n = 0;
         for (const number of lines) {
            const [kind, , text, node] = this.side.lines[number];
            if (kind === ROW.BLOCK || kind === ROW.MACHINE_BLOCK) block = text;
            else if (kind === ROW.INSTR) this.blocks.set(node, block);
            else if (kind === ROW.MACHINE_INST) this.blocks.set(n++, block);
         }
      }
      return this.blocks.get(this.what(step));
   }

   /* The contents of registers or values after a step: name to value, and which ones the step wrote. */
   state(step) {
      const values = new Map(), fresh = new Set(), stores = [];
      for (const [at, name, value, lane] of this.raw.waves[this.wave].values) {
         if (at > step) break;
         if (lane !== undefined) {
            if (at === step) stores.push({ name, value, lane });
            continue;
         }
         values.set(name, value);
         if (at === step) fresh.add(name);
      }
      return { values, fresh, stores };
   }
}

class Lanes {
   constructor(app) {
      this.app = app;
      this.lane = 0;
      this.by = 'block';
      this.element = make('div', { class: 'lanes', id: 'lanes' });
   }

   setSide(side) {
      const { run } = side.raw;
      this.runs = run ? ['interpreter', 'machine'].filter((kind) => run[kind]).map((kind) => new Run(side, run[kind], kind)) : [];
      this.drawn = null;
   }

   build() {
      const { runs } = this;
      if (!runs.length) {
         this.element.replaceChildren(make('p', { class: 'dim' },
            'Nothing was run: name memories, as for heddle run, or --groups: heddle explore shader.spv 0.0=zero:4096'));
         return;
      }
      const waves = runs[0].raw.waves;
      this.waveChoice = make('select', { id: 'wave', 'aria-label': 'Wave', change: () => this.setWave(Number(this.waveChoice.value)) },
         ...waves.map((wave, n) => make('option', { value: n }, `workgroup ${wave.workgroup}, wave ${wave.wave}`)));
      this.byChoice = make('select', { id: 'colour-by', 'aria-label': 'Colour by', change: () => { this.by = this.byChoice.value; this.paintAll(); } },
         make('option', { value: 'block' }, 'coloured by block'), make('option', { value: 'line' }, 'coloured by line'));
      this.laneChoice = make('input', { type: 'number', id: 'lane', min: 0, max: runs[0].raw.lanes - 1, value: this.lane, 'aria-label': 'Lane',
         input: () => this.setLane(Number(this.laneChoice.value)) });
      this.views = runs.map((run) => this.makeView(run));
      this.element.replaceChildren(make('div', { class: 'lane-tools' }, this.waveChoice, this.byChoice, make('label', {}, 'lane ', this.laneChoice),
         ...this.app.side.raw.cut.map((text) => make('span', { class: 'dim' }, text))), ...this.views.map((view) => view.element));
      this.paintAll();
   }

   makeView(run) {
      const canvas = make('canvas', { class: 'timeline', id: `timeline-${run.kind}` });
      const scrubber = make('input', { type: 'range', min: 0, class: 'scrubber', id: `scrubber-${run.kind}`, 'aria-label': `Step of the ${run.kind}`,
         input: () => this.setStep(run, Number(scrubber.value)) });
      const text = make('div', { class: 'step-text', id: `step-${run.kind}` });
      const mask = make('div', { class: 'mask', id: `mask-${run.kind}` });
      const table = make('table', { class: 'registers', id: `registers-${run.kind}` });
      const note = make('div', { class: 'dim' });
      canvas.addEventListener('mousedown', (event) => this.pick(run, canvas, event));
      canvas.addEventListener('mousemove', (event) => event.buttons && this.pick(run, canvas, event));
      return { run, canvas, scrubber, text, mask, table, note, element: make('div', { class: 'run' },
         make('h3', {}, run.kind === 'machine' ? `machine code, ${run.raw.lanes} lanes` : `interpreter, ${run.raw.lanes} lanes`), note, canvas, scrubber, text, mask, table) };
   }

   pick(run, canvas, event) {
      const box = canvas.getBoundingClientRect();
      const step = Math.floor((event.clientX - box.left) / box.width * run.steps), lane = Math.floor((event.clientY - box.top) / box.height * run.raw.lanes);
      this.lane = Math.max(0, Math.min(run.raw.lanes - 1, lane));
      this.laneChoice.value = this.lane;
      this.setStep(run, Math.max(0, Math.min(run.steps - 1, step)));
   }

   setWave(wave) {
      for (const run of this.runs) {
         const { workgroup, wave: number } = this.runs[0].raw.waves[wave];
         const at = run.raw.waves.findIndex((one) => one.workgroup === workgroup && one.wave === number);
         run.wave = at < 0 ? 0 : at;
         run.at = 0;
      }
      this.paintAll();
   }

   setLane(lane) {
      if (!(lane >= 0 && lane < this.runs[0].raw.lanes)) return;
      this.lane = lane;
      this.showAll();
      this.app.writeAddress();
   }

   /* For the address: the wave, the lane, and the step of each run. */
   get place() {
      return this.runs.length ? [this.runs[0].wave, this.lane, ...this.runs.map((run) => run.at)].join('.') : '';
   }

   set place(text) {
      const [wave, lane, ...steps] = text.split('.').map(Number);
      this.update();
      if (!this.runs.length || !this.runs[0].raw.waves[wave]) return;
      this.waveChoice.value = wave;
      this.setWave(wave);
      this.laneChoice.value = lane;
      this.setLane(lane);
      this.runs.forEach((run, n) => { if (Number.isInteger(steps[n]) && steps[n] >= 0 && steps[n] < run.steps) run.at = steps[n]; });
      this.showAll();
   }

   /* Advance by this many steps of the machine run, or of the interpreter's run if there is no other. */
   move(by) {
      const run = this.runs[this.runs.length - 1];
      if (run && run.steps) this.setStep(run, Math.max(0, Math.min(run.steps - 1, run.at + by)));
   }

   /* Move the other run to the nearest step that shares a node. */
   setStep(run, step) {
      run.at = step;
      const entity = run.entity(step);
      if (entity) {
         this.app.point(entity);
         this.app.reveal(this.app.pointedSet);
         for (const other of this.runs) {
            if (other !== run) this.follow(other, step / Math.max(1, run.steps));
         }
      }
      this.showAll();
      this.app.writeAddress();
   }

   follow(run, part) {
      const wanted = part * run.steps, set = this.app.pointedSet;
      let best = -1;
      for (let n = 0; n < run.steps; n++) {
         const entity = run.entity(n);
         if (entity && this.app.isIn(entity, set) && (best < 0 || Math.abs(n - wanted) < Math.abs(best - wanted))) best = n;
      }
      if (best >= 0) run.at = best;
   }

   paintAll() {
      for (const view of this.views) this.paint(view);
      this.showAll();
   }

   paint({ run, canvas, scrubber, note }) {
      const { steps } = run, { lanes } = run.raw, room = Math.max(300, (document.body.clientWidth - 60) / this.views.length);
      const each = Math.max(1, Math.min(10, Math.floor(room / Math.max(1, steps))));
      canvas.width = Math.max(1, steps * each);
      canvas.height = lanes * LANE_HEIGHT;
      canvas.style.width = `${Math.min(room - 20, canvas.width)}px`;
      canvas.style.height = `${Math.max(60, canvas.height)}px`;
      scrubber.max = Math.max(0, steps - 1);
      scrubber.style.width = canvas.style.width;
      const ink = canvas.getContext('2d'), colours = new Map(), style = getComputedStyle(document.documentElement);
      ink.fillStyle = style.getPropertyValue('--band');
      ink.fillRect(0, 0, canvas.width, canvas.height);
      for (let n = 0; n < steps; n++) {
         const key = run.key(n, this.by), mask = run.mask(n);
         if (!colours.has(key)) colours.set(key, COLOURS[colours.size % COLOURS.length]);
         ink.fillStyle = colours.get(key);
         if (mask === null) {
            ink.globalAlpha = 0.25;
            ink.fillRect(n * each, 0, each > 2 ? each - 0.5 : each, canvas.height);
            ink.globalAlpha = 1;
            continue;
         }
         for (let lane = 0; lane < lanes; lane++) {
            let end = lane;
            while (end < lanes && mask >> BigInt(end) & 1n) end++;
            if (end > lane) ink.fillRect(n * each, lane * LANE_HEIGHT, each > 2 ? each - 0.5 : each, (end - lane) * LANE_HEIGHT - 0.5);
            lane = Math.max(lane, end);
         }
      }
      const wave = run.raw.waves[run.wave];
      note.textContent = [run.raw.result === 'ok' ? '' : `${run.raw.result}: ${run.raw.message || ''}`,
         wave && wave.cut ? `only the first ${steps} steps of this wave are shown` : ''].filter((text) => text).join('; ');
   }

   showAll() {
      for (const view of this.views) this.show(view);
   }

   show({ run, scrubber, text, mask, table }) {
      scrubber.value = run.at;
      if (!run.steps) return;
      const at = run.mask(run.at), { lanes } = run.raw, wave = run.raw.waves[run.wave];
      const who = at === null ? 'for the wave' : `${[...at.toString(2)].filter((bit) => bit === '1').length} of ${lanes} lanes`;
      const cycle = wave.cycles && run.kind === 'machine' && wave.cycles[run.at] ? `, cycle ${wave.cycles[run.at]}` : '';
      text.textContent = `${run.at}: ${run.text(run.at)} (${who}${cycle})`;
      mask.replaceChildren(...Array.from({ length: lanes }, (_, lane) => make('span', {
         class: `${at === null ? 'all' : at >> BigInt(lane) & 1n ? 'on' : 'off'}${lane === this.lane ? ' chosen' : ''}`, title: `lane ${lane}`, click: () => { this.laneChoice.value = lane; this.setLane(lane); } })));
      this.fill(table, run);
   }

   fill(table, run) {
      const { values, fresh, stores } = run.state(run.at);
      const show = (value) => {
         const one = Array.isArray(value) ? value[this.lane] : value;
         if (one === null || one === undefined) return '–';
         const number = typeof one === 'string' ? one : `0x${one.toString(16)}`;
         return typeof one === 'number' && one < 1e6 ? `${one}` : `${number}${typeof one === 'number' ? ` ${asFloat(one)}` : ''}`;
      };
      const isThere = ([name, value]) => fresh.has(name) || !Array.isArray(value) || value[this.lane] !== null;
      const rows = [...values].filter(isThere).sort((a, b) => (fresh.has(b[0]) - fresh.has(a[0])) || a[0].localeCompare(b[0], 'en', { numeric: true }));
      const cells = rows.map(([name, value]) => make('span', { class: fresh.has(name) ? 'cell fresh' : 'cell', title: Array.isArray(value) ? 'of this lane' : 'the same in all lanes' },
         make('b', {}, name), ` ${show(value)}`));
      const mine = stores.filter(({ lane }) => lane < 0 || lane === this.lane);
      table.replaceChildren(make('tr', {}, make('td', {}, ...mine.map(({ name, value }) => make('span', { class: 'cell fresh' }, make('b', {}, `${name} ← `), value)), ...cells)));
   }

   update() {
      if (this.drawn === this.app.side) return;
      this.drawn = this.app.side;
      this.build();
   }
}

/* The bits as a float, where they look like one. */
function asFloat(bits) {
   const view = new DataView(new ArrayBuffer(4));
   view.setUint32(0, bits >>> 0);
   const value = view.getFloat32(0);
   return Number.isFinite(value) && Math.abs(value) > 1e-6 && Math.abs(value) < 1e9 ? `(${Number(value.toPrecision(6))})` : '';
}

/* Execution counts and active lanes of rows: the heat map. */
class Heat {
   constructor(side) {
      const { run } = side.raw;
      this.nodes = new Map();
      this.insts = new Map();
      this.places = new Map();
      if (!run) return;
      for (const [node, times, lanes] of run.interpreter.totals) this.add(this.nodes, node, times, lanes, run.interpreter.lanes);
      for (const [node, one] of this.nodes) {
         const place = side.nodes[node][4];
         if (place) this.add(this.places, side.placeKey(place), one.times, one.lanes, run.interpreter.lanes);
      }
      if (!run.machine) return;
      const phase = side.phases.findIndex((one) => one.offsets);
      const insts = [...side.phaseLines(phase)].map((n) => side.lines[n]).filter((line) => line[0] === ROW.MACHINE_INST);
      for (const [what, times, lanes] of run.machine.totals) {
         if (!insts[what]) continue;
         /* Of one instruction before the output there may be several. */
         const before = this.insts.get(insts[what][3])?.times || 0;
         this.add(this.insts, insts[what][3], times, lanes, run.machine.lanes).times = Math.max(before, times);
      }
   }

   /* `lanes` -1: wave-wide. `room`: the number of lanes that could have been active. */
   add(table, key, times, lanes, width) {
      const one = table.get(key) || { times: 0, lanes: 0, room: 0 };
      one.times += times;
      one.lanes += Math.max(0, lanes);
      one.room += lanes < 0 ? 0 : times * width;
      table.set(key, one);
      return one;
   }

   /* The mark of a row: darkness is the execution count, fill is the share of active lanes. */
   mark(entity) {
      if (!entity) return null;
      const [kind, ...rest] = entity.split(':');
      return this.bar(kind === 'n' ? this.nodes.get(Number(rest[0])) : kind === 'm' ? this.insts.get(Number(rest[0])) : kind === 's' ? this.places.get(rest.join(':')) : null);
   }

   /* A block of machine code has the maximal count of its instructions. */
   markBlock(insts) {
      const all = { times: 0, lanes: 0, room: 0 };
      for (const one of insts.map((inst) => this.insts.get(inst)).filter((found) => found)) {
         all.times = Math.max(all.times, one.times);
         all.lanes += one.lanes;
         all.room += one.room;
      }
      return this.bar(all.times ? all : null);
   }

   bar(one) {
      if (!one) return make('span', { class: 'heat' });
      const used = one.room ? one.lanes / one.room : 1;
      const bar = make('span', { class: 'heat', title: `${one.times} times, ${one.room ? `${(100 * used).toFixed(0)} % of the lanes` : 'for the wave'}` });
      const fill = make('span', { class: 'fill' });
      fill.style.height = `${Math.max(8, 100 * used)}%`;
      fill.style.opacity = String(0.25 + 0.75 * Math.log1p(one.times) / Math.log1p(this.most));
      bar.append(fill);
      return bar;
   }

   /* The maximal execution count. */
   get most() {
      if (!this.found) this.found = [this.nodes, this.insts, this.places].flatMap((table) => [...table.values()]).reduce((most, { times }) => Math.max(most, times), 1);
      return this.found;
   }

   get isThere() {
      return this.nodes.size > 0;
   }
}
