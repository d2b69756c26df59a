/* SPDX-License-Identifier: MIT
   machine.js - machine code after each phase, and at the end with the place of each instruction in its bytes. */
'use strict';

class MachinePanel extends Panel {
   constructor(app) {
      super(app, 'machine', 'Machine code', true);
      this.slider = make('input', { type: 'range', min: 0, 'aria-label': 'Phase', id: 'phase-slider',
         input: () => app.setPhase(Number(this.slider.value)) });
      this.choice = make('select', { 'aria-label': 'Phase', id: 'phase-list', change: () => app.setPhase(Number(this.choice.value)) });
      this.summary = make('span', { class: 'dim', id: 'phase-summary' });
      this.head.append(this.slider, this.choice, this.summary);
      this.addList((row) => this.render(row), (row) => row.mark ? `${row.mark} ` : '');
   }

   setSide(side) {
      this.slider.max = Math.max(0, side.phases.length - 1);
      this.choice.replaceChildren(...side.phases.map((phase, n) => make('option', { value: n }, `${n} ${phase.name}`)));
      this.element.classList.toggle('absent', !side.phases.length);
   }

   render(row) {
      const signs = { added: '+', changed: '~' };
      const element = make('div', { class: 'row' }, make('span', { class: 'number', title: row.hint }, row.number),
         make('span', { class: 'mark' }, signs[row.mark] || ''), this.heatOf(row),
         make('span', {}, '  '.repeat(row.depth)));
      const code = make('span', {});
      appendText(code, row.text, (kind, number) => kind === 'value' ? `t:${number}` : null);
      element.append(code);
      return element;
   }

   heatOf(row) {
      const { heat } = this.app;
      if (!heat.isThere) return null;
      return row.insts ? heat.markBlock(row.insts) : heat.mark(row.entity);
   }

   rowsOf(side, at) {
      const phase = side.phases[at], before = at ? side.phaseTexts(at - 1) : null;
      const rows = [];
      let n = 0, block = null;
      for (const number of side.phaseLines(at)) {
         const [kind, depth, text, inst] = side.lines[number];
         if (kind === ROW.MACHINE_BLOCK) {
            block = { depth, text, entity: null, number: '', mark: '', block: Number(text.slice(1, -1)), insts: [] };
            rows.push(block);
            continue;
         }
         const live = phase.live0 ? `${phase.live0[n]} ${phase.live1 ? phase.live1[n] : ''}` : '';
         const was = before ? before.get(inst) : text;
         rows.push({ depth: depth + 1, text, entity: `m:${inst}`, at: n,
            number: phase.offsets ? phase.offsets[n].toString(16).padStart(4, '0') : live,
            hint: phase.offsets ? 'byte' : `registers that are live: ${side.raw.machine.files.join(', ')}`,
            mark: was === undefined ? 'added' : was === text ? '' : 'changed' });
         if (block) block.insts.push(inst);
         n++;
      }
      return rows;
   }

   update() {
      const { side, phase } = this.app, at = side.phases[phase];
      if (!at) {
         this.say(side.raw.target ? 'There is no machine code: the messages above say why.' : 'Only passes were run: --target=NAME compiles.');
         this.list.setRows([]);
         this.summary.textContent = '';
         return;
      }
      this.slider.value = phase;
      this.choice.value = phase;
      const rows = this.rowsOf(side, phase), count = at.counts.reduce((sum, n) => sum + n, 0);
      const time = at.nanoseconds === undefined ? '' : `, ${(at.nanoseconds / 1000).toFixed(0)} µs`;
      const bytes = at.sizes ? `, ${side.raw.machine.code_size} bytes` : '';
      this.summary.textContent = `${count} instructions${bytes}${time}`;
      this.say(at.cut ? side.raw.cut.join('; ') : '');
      this.list.setRows(rows);
   }
}
