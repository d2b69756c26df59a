/* SPDX-License-Identifier: MIT
   panels.js - source, input and IR: a list of lines each, which show what is pointed at and pinned. */
'use strict';

class Panel {
   constructor(app, id, title, wide) {
      this.app = app;
      this.id = id;
      this.title = title;
      this.tools = make('span', { class: 'tools' });
      this.head = make('header', {}, make('h2', {}, title));
      this.notes = make('div', { class: 'note' });
      this.notes.hidden = true;
      this.element = make('section', { class: wide ? 'panel wide' : 'panel', id: `panel-${id}`, 'aria-label': title },
         this.head, this.notes);
   }

   say(text) {
      this.notes.hidden = !text;
      this.notes.textContent = text || '';
   }

   /* A list whose rows are `{entity, ...}`; pointing at one, or at a token of it, tells the application. */
   addList(render, extra) {
      this.list = new List(this.title, render, (row) => {
         const words = extra ? extra(row) : '';
         return words + this.app.marksOf(row.entity, this);
      });
      const element = this.list.element;
      element.addEventListener('mouseover', (event) => {
         const token = event.target.closest('.token'), row = this.list.rowAt(event);
         this.app.point(token ? token.dataset.entity : row ? row.entity : null);
      });
      element.addEventListener('mouseleave', () => this.app.point(null));
      element.addEventListener('click', (event) => {
         const token = event.target.closest('.token'), row = this.list.rowAt(event);
         if (row) this.list.cursor = this.list.rows.indexOf(row);
         const entity = token ? token.dataset.entity : row && row.entity;
         if (entity) this.app.pin(entity);
      });
      element.addEventListener('keydown', (event) => this.key(event));
      this.element.append(element);
   }

   key(event) {
      const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -1e9, End: 1e9 };
      if (event.key in steps) {
         const row = this.list.move(steps[event.key]);
         if (row) this.app.point(row.entity);
         event.preventDefault();
      } else if (event.key === 'Enter' && this.list.rows[this.list.cursor]) {
         const { entity } = this.list.rows[this.list.cursor];
         if (entity) this.app.pin(entity);
         event.preventDefault();
      }
   }

   mark() {
      if (this.list) this.list.mark();
   }

   /* Scroll the first marked row into view. */
   reveal(test) {
      const n = this.list.rows.findIndex((row) => row.entity && test(row.entity));
      if (n >= 0) this.list.show(n);
   }
}

function plainRow(row, text, heat) {
   return make('div', { class: 'row' }, make('span', { class: 'number' }, row.number), heat || null, make('span', {}, text));
}

class SourcePanel extends Panel {
   constructor(app) {
      super(app, 'source', 'Source');
      this.choice = make('select', { 'aria-label': 'Source file', change: () => this.update() });
      this.head.append(this.choice);
      this.addList((row) => plainRow(row, row.text, app.heat.isThere ? app.heat.mark(row.entity) : null));
   }

   /* The referenced lines of a file whose text is missing. */
   namedLines(side, file) {
      const lines = new Set();
      for (const [at, line] of side.raw.places.slice(1)) {
         if (at === file) lines.add(line);
      }
      return [...lines].sort((a, b) => a - b).map((line) => ({ line, text: '' }));
   }

   setSide(side) {
      this.choice.replaceChildren(...side.raw.files.map((file, n) => make('option', { value: n }, file.name)));
      this.choice.hidden = side.raw.files.length < 2;
      this.update();
   }

   update() {
      const side = this.app.side, file = Number(this.choice.value || 0), given = side.raw.files[file];
      if (!given) {
         this.say('The shader names no source: compile it with debug information (glslangValidator -g), or look at the input.');
         this.list.setRows([]);
         return;
      }
      const lines = given.lines ? given.lines.map((text, n) => ({ line: n + 1, text })) : this.namedLines(side, file);
      this.say(given.lines ? '' : `The text of ${given.name} is not in the input: --source=FILE shows it.`);
      this.list.setRows(lines.map(({ line, text }) => ({ number: line, text, entity: `s:${file}:${line}` })));
   }
}

class InputPanel extends Panel {
   constructor(app) {
      super(app, 'input', 'Input');
      this.addList((row) => {
         const element = plainRow(row, '');
         appendText(element.lastChild, row.text, () => null);
         return element;
      });
   }

   setSide(side) {
      const { kind, lines, words } = side.raw.input;
      this.head.firstChild.textContent = { spirv: 'SPIR-V', text: 'Input', printed: 'Input, printed' }[kind];
      this.list.setRows(lines.map((text, n) => {
         const number = words ? words[n] : n + 1;
         return { number, text, entity: `i:${number}` };
      }));
   }
}

class IrPanel extends Panel {
   constructor(app) {
      super(app, 'ir', 'IR', true);
      this.slider = make('input', { type: 'range', min: 0, 'aria-label': 'Pass', id: 'pass-slider',
         input: () => app.setStep(this.folded[Number(this.slider.value)]) });
      this.choice = make('select', { 'aria-label': 'Pass', id: 'pass-list', change: () => app.setStep(Number(this.choice.value)) });
      this.gone = make('button', { type: 'button', 'aria-pressed': 'true', title: 'Show what the pass removed', id: 'show-gone',
         click: () => this.toggleGone() }, 'removed');
      this.summary = make('span', { class: 'dim', id: 'pass-summary' });
      this.head.append(this.slider, this.choice, this.gone, this.summary);
      this.addList((row) => this.render(row), (row) => row.mark ? `${row.mark} ` : '');
   }

   toggleGone() {
      this.gone.setAttribute('aria-pressed', String(this.gone.getAttribute('aria-pressed') !== 'true'));
      this.update();
   }

   /* Equal steps share a position of the slider. */
   setSide(side) {
      this.folded = side.steps.map((step, n) => n).filter((n) => side.steps[n].changed);
      this.slider.max = this.folded.length - 1;
      this.choice.replaceChildren(...side.steps.map((step, n) =>
         make('option', { value: n }, `${n} ${step.name}${step.changed ? '' : ' (no change)'}`)));
   }

   render(row) {
      const signs = { added: '+', changed: '~', gone: '−' };
      const element = make('div', { class: 'row' }, make('span', { class: 'mark' }, signs[row.mark] || ''),
         this.app.heat.isThere ? this.app.heat.mark(row.entity) : null, make('span', {}, '  '.repeat(row.depth)));
      const code = make('span', {});
      const side = this.app.side;
      appendText(code, row.text, (kind, number) => {
         const node = (kind === 'value' ? side.values : side.blocks).get(number);
         return node === undefined ? null : `n:${node}`;
      });
      element.append(code);
      return element;
   }

   /* The rows of a step: added, changed and removed since the previous one. */
   rowsOf(side, step) {
      const was = side.before(step), older = was >= 0 && side.steps[step].changed ? side.stepPlaces(was) : null;
      const rows = [], after = new Map();
      if (older && this.gone.getAttribute('aria-pressed') === 'true') this.findGone(side, step, was, after);
      for (const row of after.get(-1) || []) rows.push(row);
      for (const number of side.stepLines(step)) {
         const [, depth, text, node] = side.lines[number];
         const before = older && node >= 0 ? older.get(node) : undefined;
         const mark = !older || node < 0 ? '' : before === undefined ? 'added'
            : side.stepLines(was)[before] === number || side.lines[side.stepLines(was)[before]][2] === text ? '' : 'changed';
         rows.push({ depth, text, entity: node >= 0 ? `n:${node}` : null, mark });
         for (const row of (node >= 0 && after.get(node)) || []) rows.push(row);
      }
      return rows;
   }

   /* A removed row follows the last earlier row that still exists. */
   findGone(side, step, was, after) {
      const now = side.stepPlaces(step);
      let anchor = -1;
      for (const number of side.stepLines(was)) {
         const [, depth, text, node] = side.lines[number];
         if (node < 0) continue;
         if (now.has(node)) {
            anchor = node;
         } else {
            if (!after.has(anchor)) after.set(anchor, []);
            after.get(anchor).push({ depth, text, entity: `n:${node}`, mark: 'gone' });
         }
      }
   }

   update() {
      const { side, step } = this.app, at = side.steps[step];
      this.slider.value = Math.max(0, this.folded.findLastIndex((n) => n <= step));
      this.choice.value = step;
      const rows = this.rowsOf(side, step);
      const count = (mark) => rows.filter((row) => row.mark === mark).length;
      const time = at.nanoseconds === undefined ? '' : `${(at.nanoseconds / 1000).toFixed(0)} µs`;
      this.summary.textContent = step === 0 ? `${rows.length} lines`
         : at.changed ? `+${count('added')} ~${count('changed')} −${count('gone')} ${time}` : `no change ${time}`;
      this.summary.title = at.meaning || '';
      this.say(at.cut ? side.raw.cut.join('; ') : '');
      this.list.setRows(rows);
   }
}
