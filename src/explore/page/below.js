/* SPDX-License-Identifier: MIT
   below.js - what stands below the panels: one of several views at a time. */
'use strict';

class Below {
   /* `views` are [id, title, view]; a view has an element and is updated when it is shown. */
   constructor(app, views) {
      this.app = app;
      this.views = views;
      this.shown = views[0][0];
      this.tabs = views.map(([id, title]) => make('button', { type: 'button', role: 'tab', id: `tab-${id}`,
         'aria-selected': 'false', click: () => this.show(id) }, title));
      document.getElementById('below').append(make('div', { class: 'tabs', role: 'tablist' }, ...this.tabs),
         ...views.map(([, , view]) => view.element));
   }

   setSide(side) {
      for (const [, , view] of this.views) {
         if (view.setSide) view.setSide(side);
      }
   }

   show(id) {
      this.shown = this.shown === id ? '' : id;
      this.update();
      this.app.writeAddress();
   }

   update() {
      this.views.forEach(([id, , view], n) => {
         view.element.hidden = id !== this.shown;
         this.tabs[n].setAttribute('aria-selected', String(id === this.shown));
         if (id === this.shown) view.update();
      });
   }

   /* The hovered or pinned entity changed. */
   mark() {
      for (const [id, , view] of this.views) {
         if (id === this.shown && view.mark) view.mark();
      }
   }
}
