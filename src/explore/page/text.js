/* SPDX-License-Identifier: MIT
   text.js - lines of the text form in colours: values, blocks, strings, words. */
'use strict';

const TOKENS = /"(?:[^"\\]|\\.)*"|%\d+|\bb\d+\b|\/\/.*$|^[a-z]\w*|(?<== )[a-z]\w*/g;

/* Append a line to an element; `token(kind, number)` gives the entity of a value or block, or null. */
function appendText(element, text, token) {
   let from = 0;
   for (const match of text.matchAll(TOKENS)) {
      const word = match[0];
      if (match.index > from) element.append(text.slice(from, match.index));
      from = match.index + word.length;
      const isValue = word[0] === '%', isBlock = /^b\d+$/.test(word);
      const kind = isValue ? 'value' : isBlock ? 'block' : word[0] === '"' ? 'string' : word[0] === '/' ? 'note-text' : 'word';
      const span = make('span', { class: kind }, word);
      const entity = isValue || isBlock ? token(kind, Number(word.slice(1))) : null;
      if (entity) {
         span.classList.add('token');
         span.dataset.entity = entity;
      }
      element.append(span);
   }
   element.append(text.slice(from));
}
