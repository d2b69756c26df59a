/* SPDX-License-Identifier: MIT
   graph.js - the tree as nested boxes, and the graph of the same blocks beside it. */
'use strict';

const MOST_BLOCKS = 1500;
const BOX = { width: 46, height: 20, row: 30, indent: 16 };

class GraphPanel extends Panel {
   constructor(app) {
      super(app, 'graph', 'Tree and graph');
      this.tree = make('div', { class: 'tree', id: 'tree' });
      this.graph = make('div', { class: 'graph', id: 'graph' });
      this.body = make('div', { class: 'drawing' }, this.tree, this.graph);
      this.element.append(this.body);
      this.body.addEventListener('mouseover', (event) => this.at(event, (entity) => app.point(entity)));
      this.body.addEventListener('mouseleave', () => app.point(null));
      this.body.addEventListener('click', (event) => this.at(event, (entity) => entity && app.pin(entity)));
   }

   at(event, what) {
      const element = event.target.closest('[data-entity]');
      what(element ? element.dataset.entity : null);
   }

   setSide() {}

   /* The lines of the step as a tree: each with the lines inside. */
   nest(side, step) {
      const top = { kids: [] }, open = [top];
      let block = null, blocks = 0;
      for (const n of side.stepLines(step)) {
         const [kind, , text, node] = side.lines[n], last = open[open.length - 1];
         if (kind === ROW.INSTR) {
            if (block) block.size++;
            continue;
         }
         if (kind === ROW.FUNCTION) {
            open.length = 1;
            open.push({ kind, text, kids: [] });
            top.kids.push(open[1]);
         } else if (kind === ROW.BLOCK) {
            if (++blocks > MOST_BLOCKS) break;
            block = { kind, text, node, size: 0 };
            last.kids.push(block);
         } else if (kind === ROW.IF || kind === ROW.LOOP) {
            const box = { kind, text, node, kids: [{ kids: [] }] };
            last.kids.push(box);
            open.push(box, box.kids[0]);
         } else if (kind === ROW.ELSE || kind === ROW.CONTINUE) {
            open.pop();
            const box = open[open.length - 1];
            box.kids.push({ kids: [] });
            open.push(box.kids[1]);
         } else {
            open.length -= 2;
         }
      }
      this.cut = blocks > MOST_BLOCKS;
      return top;
   }

   drawTree(tree) {
      const draw = (item) => {
         if (item.kind === ROW.BLOCK) {
            return make('div', { class: 'box block-box', 'data-entity': `n:${item.node}` }, item.text.replace(/:$/, ''),
               make('span', { class: 'dim' }, item.size ? ` ${item.size}` : ''));
         }
         if (item.kind === ROW.IF || item.kind === ROW.LOOP) {
            const titles = item.kind === ROW.IF ? ['then', 'else'] : ['body', 'continue'];
            return make('div', { class: `box ${item.kind === ROW.IF ? 'if-box' : 'loop-box'}` },
               make('div', { class: 'box-head', 'data-entity': `n:${item.node}` }, item.text.replace(/ \{$/, '')),
               make('div', { class: 'arms' }, ...item.kids.map((list, n) =>
                  make('div', { class: 'arm' }, make('span', { class: 'dim' }, titles[n]), ...list.kids.map(draw)))));
         }
         return make('div', { class: 'box function-box' }, make('div', { class: 'box-head' }, item.text.replace(/ \{.*$/, '')), ...item.kids.map(draw));
      };
      this.tree.replaceChildren(...tree.kids.map(draw));
   }

   /* Blocks one below the other as in the text; what is deeper stands further to the right. Edges that go on are
      on the right, those that go back on the left. */
   drawGraph(side, step) {
      const blocks = [], places = new Map();
      for (const n of side.stepLines(step)) {
         const [kind, depth, text, node, succs] = side.lines[n];
         if (kind !== ROW.BLOCK || blocks.length === MOST_BLOCKS) continue;
         places.set(node, blocks.length);
         blocks.push({ node, depth, text: text.replace(/[ :].*$/, ''), succs });
      }
      const deepest = Math.min(20, blocks.reduce((most, block) => Math.max(most, block.depth), 0));
      const left = 26, width = left + BOX.indent * deepest + BOX.width + 60, height = blocks.length * BOX.row + 10;
      const svg = draw('svg', { width, height, viewBox: `0 0 ${width} ${height}`, class: 'cfg' });
      const x = (n) => left + BOX.indent * Math.min(20, blocks[n].depth - 1), y = (n) => 5 + n * BOX.row;
      blocks.forEach((block, n) => {
         for (const [k, succ] of (block.succs || []).entries()) {
            const to = places.get(succ);
            if (to === undefined) continue;
            svg.append(this.edge(n, to, x, y, k, `n:${block.node}`));
         }
      });
      blocks.forEach((block, n) => svg.append(draw('g', { 'data-entity': `n:${block.node}`, class: 'node' },
         draw('rect', { x: x(n), y: y(n), width: BOX.width, height: BOX.height, rx: 3 }),
         draw('text', { x: x(n) + BOX.width / 2, y: y(n) + 14 }, block.text))));
      this.graph.replaceChildren(svg);
   }

   edge(from, to, x, y, k, entity) {
      const back = to <= from, next = to === from + 1 && k === 0;
      const fromX = back ? x(from) : x(from) + BOX.width, toX = back ? x(to) : x(to) + BOX.width;
      const bend = Math.min(44, 8 + 3 * Math.abs(to - from)), turn = back ? Math.min(fromX, toX) - Math.min(24, bend) : Math.max(fromX, toX) + bend;
      const d = next ? `M${x(from) + 14} ${y(from) + BOX.height}L${x(to) + 14} ${y(to)}`
         : `M${fromX} ${y(from) + BOX.height / 2}C${turn} ${y(from) + BOX.height / 2} ${turn} ${y(to) + BOX.height / 2} ${toX} ${y(to) + BOX.height / 2}`;
      return draw('path', { d, class: back ? 'edge back' : 'edge', 'data-from': entity }, draw('title', {}, back ? 'goes back' : ''));
   }

   update() {
      const { side, step } = this.app;
      if (this.element.hidden) return;
      const key = `${side.number}:${side.shown(step)}`;
      if (this.key === key) return;
      this.key = key;
      this.drawTree(this.nest(side, step));
      this.drawGraph(side, step);
      this.say(this.cut ? `Only the first ${MOST_BLOCKS} blocks are drawn.` : '');
      this.mark();
   }

   mark() {
      for (const element of this.body.querySelectorAll('[data-entity]')) {
         const words = this.app.marksOf(element.dataset.entity);
         element.classList.toggle('pinned', words.includes('pinned'));
         element.classList.toggle('hovered', words.includes('hovered'));
      }
   }
}
