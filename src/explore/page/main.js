/* SPDX-License-Identifier: MIT
   main.js - the application: what is shown, pointed at and pinned; keys; the address. */
'use strict';

const KEYS = [
   ['← →', 'previous, next pass that changed something'], ['[ ]', 'previous, next phase of the machine code'], ['↑ ↓', 'line of the panel that has the focus'],
   [', .', 'previous, next step of the run'],
   ['Enter', 'pin that line'], ['/', 'search for a name, a value or a word'], ['Esc', 'drop what is pinned'],
   ['1 … 9', 'show or hide a panel'], ['s', 'of two shaders the other one'], ['t', 'light or dark'], ['?', 'this help'],
];

class App {
   constructor() {
      this.side = SIDES[0];
      this.step = this.phase = 0;
      this.pointed = null;
      this.pins = [];
      this.pointedSet = this.pinnedSet = null;
      this.panels = [new SourcePanel(this), new InputPanel(this), new IrPanel(this), new GraphPanel(this), new MachinePanel(this)];
      document.getElementById('panels').append(...this.panels.map((panel) => panel.element));
      this.makeBar();
      this.lanes = new Lanes(this);
      this.below = new Below(this, [['why', 'Why', new Why(this)], ['curves', 'Curves', new Curves(this)],
         ['lanes', 'Lanes', this.lanes], ...(DATA.compare ? [['compare', 'Compare', new Compare(this)]] : [])]);
      document.addEventListener('keydown', (event) => this.key(event));
      window.addEventListener('beforeprint', () => this.eachList((list) => list.draw(true)));
      window.addEventListener('afterprint', () => this.eachList((list) => list.draw()));
      window.addEventListener('hashchange', () => this.readAddress());
      this.setSide(this.side);
      this.ready = true;
      this.readAddress();
   }

   eachList(what) {
      for (const panel of this.panels) {
         if (panel.list) what(panel.list);
      }
   }

   makeBar() {
      const { raw } = this.side;
      this.search = new Search(this);
      this.chips = make('span', { class: 'chips', id: 'pins' });
      this.help = make('dialog', { id: 'help' }, make('h2', {}, 'Keys'),
         make('table', {}, ...KEYS.map(([key, text]) => make('tr', {}, make('td', {}, make('kbd', {}, key)), make('td', {}, text)))),
         make('p', { class: 'dim' }, 'Pointing at a line shows what it came from and became; a click pins it. The address is a link to this view.'),
         make('form', { method: 'dialog' }, make('button', {}, 'Close')));
      document.body.append(this.help);
      const toggles = this.panels.map((panel, n) => make('button', { type: 'button', 'aria-pressed': 'true',
         id: `toggle-${panel.id}`, title: `Key ${n + 1}`, click: () => this.toggle(n) }, panel.title));
      this.toggles = toggles;
      const title = SIDES.length > 1 ? this.makeSides() : [make('h1', {}, raw.title || raw.name || 'shader'), make('span', { class: 'dim' }, raw.target || '')];
      document.getElementById('bar').append(...title, ...toggles, this.search.element, this.chips, make('span', { class: 'grow' }),
         make('button', { type: 'button', id: 'theme', title: 'Light or dark (t)', click: () => this.theme() }, '◐'),
         make('button', { type: 'button', id: 'help-button', title: 'Keys (?)', click: () => this.help.showModal() }, '?'));
      for (const message of raw.messages) {
         document.getElementById('panels').before(make('div', { class: 'note' }, `${message.severity}: ${message.message}`));
      }
   }

   static nameOfSide({ raw }) {
      return `${raw.title || raw.name || 'shader'}${raw.target ? ` ${raw.target}` : ''}`;
   }

   /* Which of two inputs the panels show. */
   makeSides() {
      this.sideButtons = SIDES.map((side, n) => make('button', { type: 'button', id: `side-${n}`, 'aria-pressed': String(side === this.side),
         title: 'Key s', click: () => this.chooseSide(n) }, `${'AB'[n]}: ${App.nameOfSide(side)}`));
      return this.sideButtons;
   }

   chooseSide(n) {
      if (!SIDES[n] || SIDES[n] === this.side) return;
      this.pins = [];
      this.pointed = this.pointedSet = null;
      this.sideButtons.forEach((button, k) => button.setAttribute('aria-pressed', String(k === n)));
      this.setSide(SIDES[n]);
      this.pinsChanged();
   }

   toggle(n) {
      const panel = this.panels[n];
      if (!panel) return;
      panel.element.hidden = !panel.element.hidden;
      this.toggles[n].setAttribute('aria-pressed', String(!panel.element.hidden));
      if (panel.id === 'graph') panel.update();
   }

   theme() {
      const root = document.documentElement, dark = matchMedia('(prefers-color-scheme: dark)').matches;
      const now = root.dataset.theme || (dark ? 'dark' : 'light');
      root.dataset.theme = now === 'dark' ? 'light' : 'dark';
   }

   setSide(side) {
      this.side = side;
      this.heat = new Heat(side);
      document.title = `${side.raw.title || 'shader'} – Heddle explorer`;
      for (const panel of this.panels) panel.setSide(side);
      this.below.setSide(side);
      this.setStep(this.step);
      this.setPhase(this.ready ? this.phase : side.phases.length - 1);
   }

   updatePanel(id) {
      for (const panel of this.panels) {
         if (panel.id === id) panel.update();
      }
      this.below.update();
      this.writeAddress();
   }

   setStep(step) {
      this.step = Math.max(0, Math.min(this.side.steps.length - 1, step));
      this.updatePanel('graph');
      this.updatePanel('ir');
   }

   setPhase(phase) {
      this.phase = Math.max(0, Math.min(this.side.phases.length - 1, phase));
      this.updatePanel('machine');
   }

   /* Advance by this many steps that changed the shader. */
   moveStep(by) {
      const { folded } = this.panels.find((panel) => panel instanceof IrPanel);
      const at = folded.findLastIndex((n) => n <= this.step) + by;
      this.setStep(folded[Math.max(0, Math.min(folded.length - 1, at))]);
   }

   /* The hovered and the pinned entity */

   point(entity) {
      if (entity === this.pointed) return;
      this.pointed = entity;
      this.pointedSet = entity ? related(this.side, entity) : null;
      this.mark();
   }

   pin(entity) {
      const at = this.pins.indexOf(entity);
      if (at >= 0) this.pins.splice(at, 1);
      else this.pins.push(entity);
      this.pinsChanged();
   }

   pinsChanged() {
      this.pinnedSet = this.pins.length ? relatedToAll(this.side, this.pins) : null;
      this.chips.replaceChildren(...this.pins.map((entity) => make('button', { type: 'button', class: 'chip', title: 'Unpin',
         click: () => this.pin(entity) }, this.nameOf(entity))));
      this.mark();
      if (this.pinnedSet) this.reveal(this.pinnedSet);
      this.writeAddress();
   }

   /* Scroll into view, except the panel that the user points at. */
   reveal(set) {
      for (const panel of this.panels) {
         if (panel.list && !panel.list.element.contains(document.activeElement)) panel.reveal((entity) => this.isIn(entity, set));
      }
   }

   nameOf(entity) {
      const [kind, ...rest] = entity.split(':');
      if (kind === 'n') return this.side.textOf(Number(rest[0]));
      if (kind === 's') return `${this.side.raw.files[Number(rest[0])]?.name}:${rest[1]}`;
      if (kind === 'm') return this.side.instText(Number(rest[0]));
      return kind === 't' ? `%${rest[0]} of the machine` : `input ${rest[0]}`;
   }

   /* The URL fragment is untrusted. */
   exists(entity) {
      const match = /^([nismt]):(\d+)(?::(\d+))?$/.exec(entity);
      if (!match) return false;
      if (match[1] === 't') return !match[3];
      if (match[1] === 'm') return Number(match[2]) < this.side.insts.length;
      if (match[1] === 'n') return Number(match[2]) < this.side.nodes.length;
      return match[1] === 'i' ? !match[3] : match[3] && Number(match[2]) < this.side.raw.files.length;
   }

   isIn(entity, set) {
      const [kind, ...rest] = entity.split(':');
      if (kind === 'n') return set.nodes.has(Number(rest[0]));
      if (kind === 'm') return set.insts.has(Number(rest[0]));
      return kind === 's' ? set.places.has(rest.join(':')) : set.inputs.has(Number(rest[0]));
   }

   marksOf(entity) {
      if (!entity) return '';
      let words = '';
      if (this.pinnedSet && this.isIn(entity, this.pinnedSet)) words += 'pinned ';
      if (this.pointedSet && this.isIn(entity, this.pointedSet)) words += 'hovered ';
      return words;
   }

   mark() {
      for (const panel of this.panels) panel.mark();
      this.below.mark();
   }

   /* The address: #step=3&pin=n:12 */

   writeAddress() {
      const parts = new URLSearchParams();
      if (this.side.number) parts.set('side', this.side.number);
      if (this.step) parts.set('step', this.step);
      if (this.phase < this.side.phases.length - 1) parts.set('phase', this.phase);
      if (this.below.shown !== 'why') parts.set('view', this.below.shown);
      if (this.below.shown === 'lanes' && this.lanes.place) parts.set('run', this.lanes.place);
      for (const entity of this.pins) parts.append('pin', entity);
      const text = `#${parts}`;
      if (this.ready && text !== location.hash && (text !== '#' || location.hash)) history.replaceState(null, '', text);
   }

   readAddress() {
      const parts = new URLSearchParams(location.hash.slice(1));
      if (SIDES.length > 1) this.chooseSide(Number(parts.get('side') || 0));
      const pins = parts.getAll('pin').filter((entity) => this.exists(entity));
      const step = Number(parts.get('step') || 0), phase = Number(parts.get('phase') || this.side.phases.length - 1);
      if (parts.has('view')) this.below.shown = parts.get('view');
      if (parts.has('run')) this.lanes.place = parts.get('run');
      this.pins = pins;
      if (Number.isInteger(step)) this.setStep(step);
      if (Number.isInteger(phase)) this.setPhase(phase);
      this.pinsChanged();
   }

   key(event) {
      if (event.target.matches('input[type="search"], select') || event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
      const { key } = event, inList = event.target.closest && event.target.closest('.list');
      if (key === 'ArrowLeft' || key === 'ArrowRight') {
         if (event.target.matches('input[type="range"]')) return;
         this.moveStep(key === 'ArrowLeft' ? -1 : 1);
      } else if ((key === 'ArrowDown' || key === 'ArrowUp') && !inList) {
         const panel = this.panels.find((one) => one.list && !one.element.hidden);
         if (!panel) return;
         panel.list.element.focus();
         panel.key(event);
      } else if (key === '[' || key === ']') {
         this.setPhase(this.phase + (key === '[' ? -1 : 1));
      } else if ((key === ',' || key === '.') && this.below.shown === 'lanes') {
         this.lanes.move(key === ',' ? -1 : 1);
      } else if (key === '/') {
         this.search.focus();
      } else if (key === '?') {
         this.help.showModal();
      } else if (key === 'Escape') {
         this.pins = [];
         this.pinsChanged();
      } else if (key === 's' && SIDES.length > 1) {
         this.chooseSide(1 - this.side.number);
      } else if (key === 't') {
         this.theme();
      } else if (/^[1-9]$/.test(key)) {
         this.toggle(Number(key) - 1);
      } else {
         return;
      }
      event.preventDefault();
   }
}

window.explorer = new App();
