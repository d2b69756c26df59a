/* SPDX-License-Identifier: MIT
   curves.js - registers over the code, instructions by class and pass, size and time by phase. */
'use strict';

const SVG = 'http://www.w3.org/2000/svg';
/* A palette for colour-blind readers; lines that may meet also have different dashes. */
const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#f0e442', '#999999'];
const DASHES = ['', '6 3', '2 2', '8 2 2 2'];

function draw(tag, attributes, ...children) {
   const element = document.createElementNS(SVG, tag);
   for (const [name, value] of Object.entries(attributes || {})) {
      if (typeof value === 'function') element.addEventListener(name, value);
      else element.setAttribute(name, value);
   }
   element.append(...children);
   return element;
}

/* A chart with a frame, a title and an axis from 0 to `most`. */
class Chart {
   constructor(title, width, height, most) {
      this.left = 40;
      this.top = 34;
      this.width = width - this.left - 8;
      this.height = height - this.top - 16;
      this.most = Math.max(1, most);
      this.svg = draw('svg', { width, height, viewBox: `0 0 ${width} ${height}`, class: 'chart', role: 'img', 'aria-label': title });
      this.text(this.left, 13, title, 'title');
      this.svg.append(draw('path', { class: 'axis', d: `M${this.left} ${this.top}V${this.top + this.height}H${this.left + this.width}` }));
      this.text(this.left - 4, this.top + 9, this.most, 'end');
      this.text(this.left - 4, this.top + this.height, '0', 'end');
   }

   text(x, y, what, words) {
      const element = draw('text', { x, y, class: words || '' }, String(what));
      this.svg.append(element);
      return element;
   }

   /* The legend: names are in the text colour, so that they are legible on any background. */
   key(x, sign, name, colour) {
      const element = this.text(x, 27, '', 'small');
      element.append(draw('tspan', { fill: colour }, sign), name);
   }

   y(value) {
      return this.top + this.height * (1 - Math.min(1, value / this.most));
   }
}

/* If there are more values than pixels, a pixel shows the maximum of its values. */
function thin(values, places) {
   if (values.length <= places) return values.map((value, n) => [n, value]);
   const out = [];
   for (let n = 0; n < places; n++) {
      const from = Math.floor(n * values.length / places), to = Math.floor((n + 1) * values.length / places);
      let best = from;
      for (let k = from; k < to; k++) {
         if (values[k] > values[best]) best = k;
      }
      out.push([best, values[best]]);
   }
   return out;
}

class Curves {
   constructor(app) {
      this.app = app;
      this.element = make('div', { class: 'curves', id: 'curves' });
   }

   /* The last phase, up to the one shown, that has liveness. */
   livePhase() {
      const { side, phase } = this.app;
      for (let n = phase; n >= 0; n--) {
         if (side.phases[n] && side.phases[n].live0) return n;
      }
      return side.phases.findIndex((one) => one.live0);
   }

   registers(width) {
      const { side } = this.app, at = this.livePhase();
      if (at < 0) return null;
      const phase = side.phases[at], { files, occupancy } = side.raw.machine;
      const curves = [phase.live0, phase.live1].filter((one) => one);
      const most = Math.max(...curves.map((one) => one.reduce((a, b) => Math.max(a, b), 0)));
      const peaks = curves.map((one) => one.reduce((a, b) => Math.max(a, b), 0));
      const waves = occupancy.filter(([, ...limits]) => peaks.every((peak, file) => peak <= limits[file])).length;
      const chart = new Chart(`registers live after ${phase.name}: ${peaks.map((peak, file) => `${peak} ${files[file]}`).join(', ')}${
         occupancy.length ? `, room for ${waves} ${waves === 1 ? 'wave' : 'waves'}` : ''}`, width, 170, Math.ceil(most * 1.15) + 1);
      const insts = [...side.phaseLines(at)].map((n) => side.lines[n]).filter((line) => line[0] === ROW.MACHINE_INST);
      const x = (n) => chart.left + chart.width * n / Math.max(1, insts.length - 1);
      this.steps(chart, occupancy, peaks, files);
      curves.forEach((values, file) => {
         const points = thin(values, chart.width).map(([n, value]) => `${x(n).toFixed(1)},${chart.y(value).toFixed(1)}`);
         chart.svg.append(draw('polyline', { points: points.join(' '), class: 'curve', stroke: COLOURS[file], 'stroke-dasharray': DASHES[file] }));
         chart.key(chart.left + 90 * file, `${file ? '– –' : '──'} `, files[file], COLOURS[file]);
      });
      const line = draw('path', { class: 'cursor', d: '' });
      chart.svg.append(line);
      chart.svg.addEventListener('mousemove', (event) => {
         const box = chart.svg.getBoundingClientRect();
         const n = Math.round((event.clientX - box.left - chart.left) / chart.width * (insts.length - 1));
         if (!insts[n]) return;
         line.setAttribute('d', `M${x(n)} ${chart.top}V${chart.top + chart.height}`);
         this.app.point(`m:${insts[n][3]}`);
      });
      chart.svg.addEventListener('click', () => this.app.pointed && this.app.pin(this.app.pointed));
      return chart.svg;
   }

   /* Register limits for each occupancy: the steps around the number used. */
   steps(chart, occupancy, peaks, files) {
      peaks.forEach((peak, file) => {
         let said = -100;
         for (const [waves, ...limits] of occupancy) {
            const limit = limits[file];
            if (limit > chart.most || (waves > 1 && occupancy[waves - 2][file + 1] === limit)) continue;
            chart.svg.append(draw('path', { class: 'limit', stroke: COLOURS[file], d: `M${chart.left} ${chart.y(limit)}H${chart.left + chart.width}` }));
            if (Math.abs(chart.y(limit) - said) < 11) continue;
            said = chart.y(limit);
            chart.text(chart.left + chart.width - 4 - 130 * file, said - 2, `${limit} ${files[file]}: ${waves} ${waves === 1 ? 'wave' : 'waves'}`, 'end small');
         }
      });
   }

   /* Columns of one or several values each, with the names of their places. */
   columns(title, width, names, values, classes, choose) {
      const sums = values.map((one) => one.reduce((a, b) => a + b, 0));
      const chart = new Chart(title, width, 170, sums.reduce((a, b) => Math.max(a, b), 0));
      const each = chart.width / Math.max(1, names.length);
      values.forEach((one, n) => {
         let sum = 0;
         const column = draw('g', { class: 'column', click: () => choose(n) }, draw('title', {},
            `${names[n]}: ${one.map((value, k) => value ? `${classes[k]} ${value}` : '').filter((text) => text).join(', ') || '0'}`));
         one.forEach((value, k) => {
            if (!value) return;
            const y = chart.y(sum + value);
            column.append(draw('rect', { x: chart.left + each * n, y, width: Math.max(0.5, each - (each > 3 ? 1 : 0)),
               height: Math.max(0.5, chart.y(sum) - y), fill: COLOURS[k % COLOURS.length] }));
            sum += value;
         });
         chart.svg.append(column);
      });
      if (classes.length > 1) {
         let x = chart.left;
         classes.forEach((name, k) => {
            chart.key(x, '■ ', name, COLOURS[k % COLOURS.length]);
            x += 18 + 6.6 * name.length;
         });
      }
      return chart.svg;
   }

   update() {
      const { app } = this, { side } = app, width = 520, { steps, phases } = side;
      const parts = [];
      const registers = this.registers(width * 1.5);
      if (registers) parts.push(registers);
      parts.push(this.columns('IR after each pass', width, steps.map((step) => step.name), steps.map((step) => step.counts),
         side.raw.classes, (n) => app.setStep(n)));
      if (phases.length) {
         parts.push(this.columns('machine code after each phase', width, phases.map((phase) => phase.name),
            phases.map((phase) => phase.counts), side.raw.machine.classes, (n) => app.setPhase(n)));
      }
      const timed = [...steps.slice(1), ...phases];
      if (timed.some((one) => one.nanoseconds)) {
         parts.push(this.columns('µs of each pass and phase', width, timed.map((one) => one.name),
            timed.map((one) => [Math.round((one.nanoseconds || 0) / 1000)]), ['µs'],
            (n) => n < steps.length - 1 ? app.setStep(n + 1) : app.setPhase(n - steps.length + 1)));
      }
      this.element.replaceChildren(...parts);
   }
}
