/* SPDX-License-Identifier: MIT
   list.js - lists of any length: only the rows in sight are in the document. */
'use strict';

const ROW_HEIGHT = 18;
const ON_PAPER = 5000;

function make(tag, attributes, ...children) {
   const element = document.createElement(tag);
   for (const [name, value] of Object.entries(attributes || {})) {
      if (name === 'class') element.className = value;
      else if (typeof value === 'function') element.addEventListener(name, value);
      else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
   }
   for (const child of children) {
      if (child !== null && child !== undefined) element.append(child);
   }
   return element;
}

class List {
   /* `render(row, number)` gives the element of a row, `classes(row)` the words that mark it. */
   constructor(label, render, classes) {
      this.rows = [];
      this.render = render;
      this.classes = classes;
      this.cursor = -1;
      this.shown = new Map();
      this.space = make('div', { class: 'space' });
      this.element = make('div', { class: 'list', tabindex: '0', role: 'listbox', 'aria-label': label }, this.space);
      this.element.addEventListener('scroll', () => this.draw());
      new ResizeObserver(() => this.draw()).observe(this.element);
   }

   setRows(rows) {
      this.rows = rows;
      this.cursor = Math.min(this.cursor, rows.length - 1);
      this.space.style.height = `${rows.length * ROW_HEIGHT}px`;
      for (const element of this.shown.values()) element.remove();
      this.shown.clear();
      this.draw();
   }

   draw(all) {
      const first = all ? 0 : Math.max(0, Math.floor(this.element.scrollTop / ROW_HEIGHT) - 10);
      const room = this.element.clientHeight;
      const last = Math.min(this.rows.length, all ? ON_PAPER : first + Math.ceil(room / ROW_HEIGHT) + 20);
      for (const [n, element] of this.shown) {
         if (n < first || n >= last) {
            element.remove();
            this.shown.delete(n);
         }
      }
      if (!all && !room) return;
      for (let n = first; n < last; n++) {
         if (this.shown.has(n)) continue;
         const element = this.render(this.rows[n], n);
         element.dataset.row = n;
         element.style.top = `${n * ROW_HEIGHT}px`;
         this.shown.set(n, element);
         this.space.append(element);
      }
      if (all) {
         for (let n = first; n < last; n++) this.space.append(this.shown.get(n));
      }
      this.mark();
   }

   /* Only the classes of rows changed. */
   mark() {
      for (const [n, element] of this.shown) {
         const words = this.classes(this.rows[n]);
         const name = `row ${words}${n === this.cursor ? ' cursor' : ''}`;
         if (element.className !== name) element.className = name;
      }
   }

   show(n) {
      const top = n * ROW_HEIGHT, box = this.element;
      if (top < box.scrollTop || top + ROW_HEIGHT > box.scrollTop + box.clientHeight)
         box.scrollTop = Math.max(0, top - box.clientHeight / 3);
      this.draw();
   }

   move(by) {
      if (!this.rows.length) return null;
      this.cursor = Math.max(0, Math.min(this.rows.length - 1, this.cursor + by));
      this.show(this.cursor);
      return this.rows[this.cursor];
   }

   /* The row of an event's target, or null. */
   rowAt(event) {
      const element = event.target.closest('.row');
      return element && this.space.contains(element) ? this.rows[Number(element.dataset.row)] : null;
   }
}
