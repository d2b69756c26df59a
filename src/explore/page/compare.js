/* SPDX-License-Identifier: MIT
   compare.js - two shaders beside each other: figures as bars, and their lines aligned by what is the same. */
'use strict';

/* The longest increasing subsequence: of pairs [a, b] sorted by a, the indices of the most pairs whose b ascend. */
function longestAscending(pairs) {
   const tails = [], previous = new Int32Array(pairs.length).fill(-1);
   pairs.forEach(([, b], n) => {
      let low = 0, high = tails.length;
      while (low < high) {
         const middle = (low + high) >> 1;
         if (pairs[tails[middle]][1] < b) low = middle + 1;
         else high = middle;
      }
      if (low) previous[n] = tails[low - 1];
      tails[low] = n;
   });
   const out = [];
   for (let n = tails.length ? tails[tails.length - 1] : -1; n >= 0; n = previous[n]) out.push(n);
   return out.reverse();
}

/* Rows [left, right, mark] of two lists of lines `{text, depth, key}`; `partner` says which place on the right is that of one
   on the left, and whether it is the same there. Lines without a key are aligned where they stand between the same ones. */
function align(left, right, partner) {
   const pairs = [], marks = new Map();
   left.forEach((line, n) => {
      const found = partner(n);
      if (!found) return;
      pairs.push([n, found[0]]);
      marks.set(n, found[1]);
   });
   const paired = new Set(pairs.map(([, b]) => b)), rows = [];
   const gap = (fromA, toA, fromB, toB) => {
      let a = fromA, b = fromB;
      while (a < toA || b < toB) {
         const plain = a < toA && b < toB && !left[a].key && !right[b].key && left[a].text === right[b].text;
         if (plain) rows.push([left[a++], right[b++], '']);
         else if (a < toA && (left[a].key || b >= toB || right[b].key === null)) rows.push([left[a], null, marks.has(a++) ? 'moved' : 'gone']);
         else if (b < toB) rows.push([null, right[b], paired.has(b++) ? 'moved' : 'added']);
         else rows.push([left[a++], null, 'gone']);
      }
   };
   let a = 0, b = 0;
   for (const n of longestAscending(pairs)) {
      const [x, y] = pairs[n];
      gap(a, x, b, y);
      rows.push([left[x], right[y], marks.get(x)]);
      a = x + 1;
      b = y + 1;
   }
   gap(a, left.length, b, right.length);
   return rows;
}

class Compare {
   constructor(app) {
      this.app = app;
      this.element = make('div', { class: 'compare', id: 'compare' });
      this.choice = make('select', { id: 'compare-what', 'aria-label': 'What is compared', change: () => this.fill() });
      this.summary = make('span', { class: 'dim', id: 'compare-summary' });
      this.only = make('input', { type: 'checkbox', id: 'compare-only', change: () => this.fill() });
      this.list = new List('Comparison', (row) => this.render(row), (row) => row.mark ? `${row.mark} ` : '');
      this.list.element.addEventListener('click', (event) => this.click(event));
      this.figures = make('div', { class: 'figures', id: 'compare-figures' });
      const views = [['first', 'IR before the passes'], ['last', 'IR after the passes'], ['machine', 'machine code']];
      this.choice.append(...views.filter(([id]) => id === 'machine' ? SIDES.every((side) => side.phases.length) : DATA.compare[id])
         .map(([id, title]) => make('option', { value: id }, title)));
      this.element.append(this.figures, make('div', { class: 'aligned' }, make('div', { class: 'lane-tools' }, this.choice,
         make('label', {}, this.only, ' differences alone'), this.summary), this.list.element));
   }

   /* The counts of `heddle stats` after the passes: control flow, and each op. */
   static shapeOf(side) {
      const shape = { blocks: 0, ifs: 0, loops: 0, 'nested at most': 0 }, ops = new Map();
      let nested = 0;
      for (const n of side.stepLines(side.shown(side.steps.length - 1))) {
         const [kind, , text] = side.lines[n];
         if (kind === ROW.BLOCK) shape.blocks++;
         if (kind === ROW.IF || kind === ROW.LOOP) {
            shape[kind === ROW.IF ? 'ifs' : 'loops']++;
            shape['nested at most'] = Math.max(shape['nested at most'], ++nested);
         }
         if (kind === ROW.END) nested = Math.max(0, nested - 1);
         const op = kind === ROW.INSTR && /^(?:%\d+:\S+ (?:"(?:[^"\\]|\\.)*" )?= )?([a-z]\w*)/.exec(text);
         if (op) ops.set(op[1], (ops.get(op[1]) || 0) + 1);
      }
      return [...Object.entries(shape), ...[...ops].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([op, num]) => [`… ${op}`, num])];
   }

   /* Statistics of a side: name, value. */
   static figuresOf(side) {
      const sum = (counts) => counts.reduce((a, b) => a + b, 0), out = [], { steps, phases, raw } = side;
      out.push(['IR instructions before', sum(steps[0].counts)], ['IR instructions after', sum(steps[steps.length - 1].counts)]);
      const shape = Compare.shapeOf(side);
      if (!phases.length) return [...out, ...shape];
      const last = phases[phases.length - 1];
      for (const [name, value] of raw.machine.figures) out.push([`machine code: ${name}`, value]);
      raw.machine.classes.forEach((name, n) => SIDES.some((one) => one.phases.length && one.phases[one.phases.length - 1].counts[n]) && out.push([`… ${name}`, last.counts[n]]));
      const live = [...phases].reverse().find((one) => one.live0);
      [live && live.live0, live && live.live1].forEach((values, file) => {
         if (values) out.push([`${raw.machine.files[file]} at the peak`, values.reduce((a, b) => Math.max(a, b), 0)]);
      });
      return [...out, ...shape];
   }

   makeFigures() {
      const [a, b] = SIDES.map((side) => new Map(Compare.figuresOf(side)));
      const names = [...new Set([...a.keys(), ...b.keys()])];
      const bar = (value, most, side) => draw('svg', { width: 150, height: 10, class: 'chart', role: 'img', 'aria-label': String(value) },
         draw('rect', { x: 0, y: 1, width: Math.max(1, 150 * value / most), height: 8, fill: COLOURS[side] }));
      const table = make('table', {}, make('tr', {}, make('th', {}), ...SIDES.map((side, n) => make('th', { colspan: 2 }, `${'AB'[n]}: ${App.nameOfSide(side)}`)), make('th', {})));
      for (const name of names) {
         const isCount = !/^machine code: |at the peak$/.test(name);
         const values = [a.get(name), b.get(name)].map((value) => value === undefined ? isCount ? 0 : null : value);
         if (values.includes(null)) {
            table.append(make('tr', {}, make('td', {}, name), ...values.flatMap((value) => [make('td', { class: 'end' }, value === null ? '–' : String(value)),
               make('td', {})]), make('td', { class: 'dim' }, 'only one of them has it')));
            continue;
         }
         const most = Math.max(1, ...values), by = values[1] - values[0];
         const percent = values[0] ? ` (${by > 0 ? '+' : ''}${Math.round(100 * by / values[0])} %)` : '';
         table.append(make('tr', {}, make('td', {}, name), ...values.flatMap((value, n) => [make('td', { class: 'end' }, String(value)), make('td', {}, bar(value, most, n))]),
            make('td', { class: 'dim' }, by ? `${by > 0 ? '+' : ''}${by}${percent}` : '=')));
      }
      this.figures.replaceChildren(table);
   }

   linesOf(side, what) {
      const numbers = what === 'machine' ? side.phaseLines(side.phases.length - 1) : side.stepLines(what === 'first' ? 0 : side.shown(side.steps.length - 1));
      return [...numbers].map((n) => {
         const [kind, depth, text, id] = side.lines[n];
         const machine = kind === ROW.MACHINE_INST, key = machine ? `m:${id}` : kind === ROW.MACHINE_BLOCK || id < 0 ? null : `n:${id}`;
         return { text, depth: machine ? depth + 1 : depth, key, id, kind };
      });
   }

   /* The partner of each line on the left. */
   partners(left, right, what) {
      const pairs = new Map(((what === 'first' ? DATA.compare.first : DATA.compare.last || DATA.compare.first).pairs).map(([a, b, kind]) => [a, [b, kind]]));
      const words = ['', 'moved', 'changed'], places = new Map();
      if (what !== 'machine') {
         right.forEach((line, n) => line.key && places.set(line.id, n));
         return (n) => {
            const pair = left[n].key && pairs.get(left[n].id);
            return pair && places.has(pair[0]) ? [places.get(pair[0]), words[pair[1]]] : null;
         };
      }
      /* Instructions selected from the same node, in order; they match if the mnemonics (after a predicate) are equal. */
      const op = (text) => text.replace(/^\(\S*\) /, '').split(' ')[0];
      right.forEach((line, n) => {
         const node = line.key ? SIDES[1].insts[line.id] : -1;
         if (node >= 0) places.set(node, [...(places.get(node) || []), n]);
      });
      const found = left.map((line) => {
         const node = line.key ? SIDES[0].insts[line.id] : -1, pair = node >= 0 ? pairs.get(node) : null;
         const at = pair && places.get(pair[0]) ? places.get(pair[0]).shift() : undefined;
         if (at === undefined) return null;
         return [at, op(line.text) === op(right[at].text) ? '' : 'changed'];
      });
      return (n) => found[n];
   }

   fill() {
      const what = this.choice.value, [left, right] = SIDES.map((side) => this.linesOf(side, what));
      const rows = align(left, right, this.partners(left, right, what)).map(([a, b, mark]) => ({ a, b, mark }));
      const count = (mark) => rows.filter((row) => row.mark === mark).length;
      const cut = SIDES.some((side) => (what === 'machine' ? side.phases[side.phases.length - 1] : side.steps[what === 'first' ? 0 : side.shown(side.steps.length - 1)]).cut);
      this.summary.textContent = `${cut ? 'of the lines that there was room for: ' : ''}${rows.length - count('gone') - count('added') - count('moved') - count('changed')} lines the same, ${count('changed')} changed, ` +
         `${count('moved')} moved, ${count('gone')} only in A, ${count('added')} only in B`;
      this.list.setRows(this.only.checked ? rows.filter((row) => row.mark) : rows);
   }

   render(row) {
      const signs = { gone: '−', added: '+', moved: '>', changed: '~' };
      const half = (line, side) => {
         const code = make('span', { class: 'half', 'data-side': side });
         if (line) appendText(code, '  '.repeat(line.depth) + line.text, () => null);
         return code;
      };
      return make('div', { class: 'row' }, make('span', { class: 'mark' }, signs[row.mark] || ''), half(row.a, 0), half(row.b, 1));
   }

   /* Switch to the clicked side and pin the entity there. */
   click(event) {
      const half = event.target.closest('.half'), row = this.list.rowAt(event);
      if (!half || !row) return;
      const side = Number(half.dataset.side), line = side ? row.b : row.a;
      if (!line || !line.key) return;
      if (this.app.side !== SIDES[side]) this.app.chooseSide(side);
      if (!this.app.pins.includes(line.key)) this.app.pin(line.key);
   }

   update() {
      if (!this.made) {
         this.makeFigures();
         if (DATA.compare.last) this.choice.value = 'last';
         this.made = true;
         this.fill();
      }
      this.list.draw();
   }
}
