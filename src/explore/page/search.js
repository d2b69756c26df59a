/* SPDX-License-Identifier: MIT
   search.js - a box that finds names, values and words in the step that is shown, the input and the source. */
'use strict';

const MOST_RESULTS = 200;

class Search {
   constructor(app) {
      this.app = app;
      this.at = -1;
      this.found = [];
      this.box = make('input', { type: 'search', placeholder: 'search ( / )', 'aria-label': 'Search', id: 'search',
         input: () => this.update(), keydown: (event) => this.key(event), blur: () => setTimeout(() => this.close(), 150) });
      this.results = make('div', { id: 'results', role: 'listbox' });
      this.results.hidden = true;
      this.element = make('span', {}, this.box, this.results);
   }

   focus() {
      this.box.focus();
      this.box.select();
   }

   close() {
      this.results.hidden = true;
   }

   update() {
      const wanted = this.box.value.toLowerCase();
      this.found = [];
      this.at = -1;
      if (wanted) {
         for (const panel of this.app.panels) {
            for (const row of panel.list ? panel.list.rows : []) {
               if (this.found.length < MOST_RESULTS && row.entity && row.text.toLowerCase().includes(wanted))
                  this.found.push({ panel, row });
            }
         }
      }
      this.results.replaceChildren(...this.found.map(({ panel, row }, n) => make('div', { role: 'option',
         mousedown: (event) => { event.preventDefault(); this.choose(n); } }, `${panel.title}: ${row.text}`)));
      if (wanted && !this.found.length) this.results.append(make('div', { class: 'dim' }, 'nothing found'));
      if (this.found.length === MOST_RESULTS) this.results.append(make('div', { class: 'dim' }, 'the rest is left out'));
      this.results.hidden = !wanted;
   }

   choose(n) {
      const { panel, row } = this.found[n];
      this.close();
      panel.list.cursor = panel.list.rows.indexOf(row);
      panel.list.show(panel.list.cursor);
      if (!this.app.pins.includes(row.entity)) this.app.pin(row.entity);
   }

   key(event) {
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
         if (!this.found.length) return;
         const by = event.key === 'ArrowDown' ? 1 : -1;
         this.at = (this.at + by + this.found.length) % this.found.length;
         [...this.results.children].forEach((element, n) => element.setAttribute('aria-selected', String(n === this.at)));
         this.results.children[this.at].scrollIntoView({ block: 'nearest' });
         event.preventDefault();
      } else if (event.key === 'Enter' && this.found.length) {
         this.choose(Math.max(0, this.at));
         this.box.blur();
      } else if (event.key === 'Escape') {
         this.close();
         this.box.blur();
         event.stopPropagation();
      }
   }
}
