#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of heddle explore in a browser: links between panels, slider, search, pins, keys, addresses; names that are
code are shown and not run.

    test_page.py TOOL SANITIZED BACKENDS SPIRV
"""
import json
import os
import re
import struct
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tools'))
import browser  # noqa: E402
from browser import DOWN, ENTER, ESCAPE, LEFT, RIGHT, Browser  # noqa: E402
from harness import TAP, finish, heddle, path, put  # noqa: E402
from shaders import BRANCHY, HOSTILE, IRREDUCIBLE, KNOWN, NASTY, TARGETS, branchy, large, spilling  # noqa: E402

MACHINES = [TARGETS[name] for name in sys.argv[3].split(',') if name in TARGETS]
ROWS = 'return [...document.querySelectorAll(arguments[0])].map((row) => row.textContent.trim())'


def page(name, *args):
   done = heddle('explore', '-o', path(name), *args)
   TAP.check(f'{name}: made', done.status == 0 and not done.err, done)
   return path(name)


def rows(b, panel, words=''):
   """What rows of a panel say, of those that are in sight, in their order."""
   return b.run('return [...document.querySelectorAll(arguments[0])].sort((x, y) => x.dataset.row - y.dataset.row)'
                '.map((row) => row.textContent.trim())', f'#panel-{panel} .row{words}')


def row_of(b, panel, text):
   """A selector of the row of a panel that holds this text."""
   n = b.run('const row = [...document.querySelectorAll(`#panel-${arguments[0]} .row`)]'
             '.find((one) => one.textContent.includes(arguments[1])); return row ? row.dataset.row : null', panel, text)
   assert n is not None, (panel, text, rows(b, panel))
   return f'#panel-{panel} .row[data-row="{n}"]'


def pin(b, panel, text):
   """A click on a row, beside its tokens."""
   b.click(row_of(b, panel, text) + ' > :first-child')


def colours(png):
   """How many bytes of the picture differ from the most frequent one."""
   at, data = 8, b''
   while at < len(png):
      size, kind = struct.unpack('>I4s', png[at:at + 8])
      data += png[at + 8:at + 8 + size] if kind == b'IDAT' else b''
      at += size + 12
   raw = zlib.decompress(data)
   return len(raw) - max(raw.count(byte) for byte in set(raw))


def quiet(b, name):
   said = [entry for entry in b.console() if entry['level'] != 'INFO']
   TAP.check(f'{name}: nothing on the console', not said, said)


def test_known(b):
   source = put('known.comp', '\n'.join(f'line {n}' for n in range(1, 12)) + '\n')
   b.open(page('known.html', '--passes=O2', '--source=' + source, put('known.hd', KNOWN)))
   TAP.check('the source is shown', rows(b, 'source')[:2] == ['1line 1', '2line 2'], rows(b, 'source'))
   TAP.check('the input is shown', 'shader compute "known" {' in rows(b, 'input')[0])
   b.run('explorer.setStep(explorer.side.steps.length - 1)')
   # The shift: product in the input, line 4 in the source.
   b.point(row_of(b, 'ir', '= ishl'))
   TAP.check('a line of IR shows its source', rows(b, 'source', '.hovered') == ['4line 4'], rows(b, 'source', '.hovered'))
   TAP.check('... and its input', [r for r in rows(b, 'input', '.hovered') if 'imul' in r] == rows(b, 'input', '.hovered') != [],
             rows(b, 'input', '.hovered'))
   b.point(row_of(b, 'source', 'line 7'))
   TAP.check('a line of the source shows what it became', any('iadd' in r for r in rows(b, 'ir', '.hovered')),
             rows(b, 'ir', '.hovered'))
   b.point(row_of(b, 'source', 'line 5'))
   TAP.check('what is gone shows nowhere', not rows(b, 'ir', '.hovered') and
             ['ixor' in r for r in rows(b, 'input', '.hovered')] == [True], rows(b, 'input', '.hovered'))
   b.run('explorer.setStep(0)')
   TAP.check('... but in the steps before', ['"unused"' in r for r in rows(b, 'ir', '.hovered')] == [True])
   quiet(b, 'known')
   picture = b.picture()
   TAP.check('the page is not blank', colours(picture) > 20000, colours(picture))


def test_slider(b):
   folded = b.run('return explorer.panels.find((p) => p.id === "ir").folded')
   steps = b.run('return explorer.side.steps.map((step) => step.changed)')
   TAP.check('equal steps are one place of the slider', folded == [n for n, changed in enumerate(steps) if changed] and
             len(folded) < len(steps), folded)
   b.run('document.activeElement.blur(); explorer.setStep(0)')
   seen = []
   for _ in folded[1:]:
      b.keys(RIGHT)
      seen.append(b.run('return explorer.step'))
   TAP.check('the right arrow goes on', seen == folded[1:], seen)
   b.keys(LEFT)
   TAP.check('the left arrow goes back', b.run('return explorer.step') == folded[-2])
   b.run('const s = document.getElementById("pass-slider"); s.value = 1; s.dispatchEvent(new Event("input"))')
   TAP.check('the slider chooses a step', b.run('return explorer.step') == folded[1])
   marks = [b.run('const ir = explorer.panels.find((p) => p.id === "ir");'
                  'return ir.rowsOf(explorer.side, arguments[0]).map((row) => row.mark).filter((mark) => mark)', n)
            for n in folded]
   TAP.check('the input has no marks, steps that changed something have', not marks[0] and all(marks[1:]), marks)
   gone = [n for n, step in zip(folded, marks) if 'gone' in step][0]
   b.run('explorer.setStep(arguments[0]);', gone)
   TAP.check('what a pass removed is shown', bool(rows(b, 'ir', '.gone')))
   b.click('#show-gone')
   TAP.check('... or not', not rows(b, 'ir', '.gone'))
   b.click('#show-gone')


def test_pins(b):
   b.run('explorer.setStep(0)')
   pin(b, 'ir', '"product"')
   TAP.check('a click pins', rows(b, 'source', '.pinned') == ['4line 4'] and len(b.run(ROWS, '#pins .chip')) == 1)
   address = b.run('return location.hash')
   pin(b, 'source', 'line 10')
   TAP.check('several are pinned', rows(b, 'source', '.pinned') == ['4line 4', '10line 10'], rows(b, 'source', '.pinned'))
   b.click('#pins .chip')
   TAP.check('a click on a chip unpins', rows(b, 'source', '.pinned') == ['10line 10'])
   b.keys(ESCAPE)
   TAP.check('Esc unpins all', not rows(b, 'source', '.pinned') and not b.run('return explorer.pins.length'))
   b.open(path('known.html'), address)
   TAP.check('an address is a link to a pin', rows(b, 'source', '.pinned') == ['4line 4'], address)
   for fragment in ('#step=99999&pin=n:123456', '#step=-4&pin=s:9:9', '#pin=%3Cscript%3E&step=x', '#%%%'):
      b.open(path('known.html'), fragment)
      TAP.check(f'{fragment} does no harm', len(rows(b, 'ir')) > 5)
   quiet(b, 'addresses')


def test_keys(b):
   b.open(path('known.html'))
   b.keys('/')
   TAP.check('/ goes to the search', b.run('return document.activeElement.id') == 'search')
   b.keys('product')
   found = b.run(ROWS, '#results div')
   TAP.check('names are found', any('"product"' in r for r in found) and all('product' in r for r in found), found)
   b.keys(DOWN + ENTER)
   TAP.check('... and pinned', b.run('return explorer.pins.length') == 1 and rows(b, 'source', '.pinned') == ['4line 4'])
   b.keys('/')
   b.run('document.getElementById("search").value = ""')
   b.keys('no such thing')
   TAP.check('what is not there is not found', b.run(ROWS, '#results div') == ['nothing found'])
   b.keys(ESCAPE)
   b.keys('?')
   TAP.check('? shows the keys', b.run('return document.getElementById("help").open'))
   b.keys(ESCAPE)
   TAP.check('Esc closes them', not b.run('return document.getElementById("help").open'))
   before = b.run('return getComputedStyle(document.body).backgroundColor')
   b.keys('t')
   after = b.run('return getComputedStyle(document.body).backgroundColor')
   TAP.check('t turns light to dark', before != after, after)
   b.keys('t1')
   TAP.check('a number hides a panel', b.run('return document.getElementById("panel-source").hidden'))
   b.keys('1')
   b.run('document.querySelector("#panel-ir .list").focus()')
   b.keys(DOWN * 3)
   TAP.check('arrows move through lines', len(b.run(ROWS, '#panel-ir .row.cursor')) == 1 and
             b.run('return explorer.pointed') == b.run('return explorer.panels.find((p) => p.id === "ir").list.rows[2].entity'))
   quiet(b, 'keys')


def test_graph(b):
   b.open(page('branchy.html', '--passes=dce', put('branchy.hd', BRANCHY)))
   boxes = b.run(ROWS, '#tree .if-box')
   TAP.check('an if is a box with both arms', len(boxes) == 1 and 'then' in boxes[0] and 'else' in boxes[0], boxes)
   TAP.check('the graph has its blocks and edges', b.run(ROWS, '#graph .node') == ['b0', 'b1', 'b2', 'b3'] and
             b.run('return document.querySelectorAll("#graph .edge").length') == 4)
   pin(b, 'ir', 'b1:')
   TAP.check('a block is shown in the tree and in the graph', b.run(ROWS, '#tree .pinned') == ['b1 7'] and
             b.run(ROWS, '#graph .pinned') == ['b1'], b.run(ROWS, '#tree .pinned'))
   b.keys(ESCAPE)
   b.open(page('flat.html', '--passes=lower_structurize', put('irreducible.hd', IRREDUCIBLE)))
   TAP.check('an edge back is told from others', b.run('return document.querySelectorAll("#graph .edge.back").length') == 1)
   b.run('explorer.setStep(1);')
   TAP.check('a structurized loop is a box', b.run('return document.querySelectorAll("#tree .loop-box").length') == 1)
   reasons = b.run(ROWS, '#why li')
   TAP.check('the pass says why it added a test', any('test' in r and 'edge' in r for r in reasons), reasons)
   quiet(b, 'graph')


def test_print(b):
   b.open(path('branchy.html'))
   b.run('window.dispatchEvent(new Event("beforeprint")); return 1')
   b.media('print')
   wide = b.run('const room = document.body.clientWidth; return [...document.querySelectorAll("#panels .panel")].map((p) => p.clientWidth / room)')
   TAP.check('on paper panels stand below each other', all(part > 0.95 for part in wide), wide)
   lines = b.run('return [document.querySelectorAll("#panel-input .row").length, explorer.panels.find((p) => p.id === "input").list.rows.length, '
                 'getComputedStyle(document.querySelector("#panel-input .row")).position]')
   TAP.check('... with all of their lines', lines[0] == lines[1] > 20 and lines[2] == 'static', lines)
   b.media('')


def test_why(b):
   b.open(path('branchy.html'))
   pin(b, 'ir', '"sum"')
   chain = b.run(ROWS, '#why .reason:first-of-type li, #why h2 + .reason li')
   TAP.check('a chain of reasons leads to the lane', '"sum"' in chain[0] and 'local_invocation_index may differ' in chain[-1], chain)
   b.keys(ESCAPE)
   b.open(path('known.html'))
   said = b.run('''const s = explorer.side, made = [...s.nodes.keys()].filter((n) => s.nodes[n][0] > 0 && / = ishl/.test(s.textOf(n)));
      explorer.setStep(0); explorer.pin(`n:${made[0]}`); return document.querySelector(".why").innerText''')
   TAP.check('what a later pass makes is explained as it is then', 'divergent, because' in said and 'local_invocation_index may differ' in said, said)
   b.keys(ESCAPE)
   b.open(path('branchy.html'))
   pin(b, 'ir', 'ballot')
   TAP.check('a ballot says why it stays', any('different set of lanes' in r for r in b.run(ROWS, '#why li')))
   b.keys(ESCAPE)


def test_machine(b, target):
   b.open(page('machine.html', '--target=' + target, '--source=' + put('branchy.comp', '\n'.join('abcdefg') + '\n'),
               put('branchy.hd', branchy(target))))
   b.point(row_of(b, 'source', '7g'))
   marked = rows(b, 'machine', '.hovered')
   TAP.check('a line of the source shows its machine code', marked and any('store' in r or 'sends' in r or 'MEM_EXPORT' in r for r in marked) and
             not any('ballot' in r or 'xor' in r.lower() for r in marked), marked)
   text = [r for r in rows(b, 'machine') if 'xor' in r.lower()][0]
   b.point(row_of(b, 'machine', text))
   TAP.check('machine code shows its source', rows(b, 'source', '.hovered') == ['6f'], rows(b, 'source', '.hovered'))
   TAP.check('... and its IR and input', all(len(rows(b, p, '.hovered')) == 1 and 'ixor' in rows(b, p, '.hovered')[0]
                                            for p in ('ir', 'input')), rows(b, 'ir', '.hovered'))
   pin(b, 'machine', text)
   TAP.check('what it reads is told', 'it reads what these wrote' in b.run(ROWS, '#why h3'), b.run(ROWS, '#why h3'))
   b.keys(ESCAPE)
   last = b.run('return explorer.phase')
   b.keys('[[')
   TAP.check('[ goes to the phase before', b.run('return explorer.phase') == last - 2)
   b.run('explorer.setPhase(0);')
   TAP.check('values of the machine are tokens', b.run('return document.querySelectorAll("#panel-machine .token").length') > 5)
   b.point('#panel-machine .token')
   TAP.check('... which show who names them', len(rows(b, 'machine', '.hovered')) >= 1)
   TAP.check('what is live stands beside', any(r[0].isdigit() for r in rows(b, 'machine')), rows(b, 'machine'))
   b.click('#tab-curves')
   TAP.check('curves: two files of registers, passes, phases', b.run('return document.querySelectorAll("#curves .curve").length') == 2
             and b.run('return document.querySelectorAll("#curves .chart").length') >= 3)
   b.run('document.querySelectorAll("#curves .column")[1].dispatchEvent(new Event("click"))')
   TAP.check('a column is a link to its step', b.run('return explorer.step') == 1)
   address = b.run('return location.hash')
   b.open(path('machine.html'), address)
   TAP.check('the view is in the address', b.run('return !document.getElementById("curves").hidden'), address)
   quiet(b, 'machine')


def test_spills(b, machine):
   b.open(page('spills.html', f'--target={machine}', put('spills.hd', spilling(600 if machine == 'r700' else 300))))
   said = b.run('''const s = explorer.side, at = s.phases.findIndex((phase) => phase.name === "spill");
      const found = [...s.phaseTexts(at)].filter(([, text]) => /^p_(spill|reload)/.test(text));
      const value = /%(\\d+)/.exec(found[0][1])[0];
      const made = [...s.phaseTexts(at)].find(([, text]) => text.split(/[^%\\w]/).includes(value) && !/^p_/.test(text));
      explorer.setPhase(at); explorer.pin(`m:${made[0]}`); const list = [...document.querySelectorAll(".why .reason")]
         .find((one) => one.firstChild.textContent === "its value is spilled");
      return [found.length, list ? [...list.querySelectorAll("li")].map((one) => one.textContent) : [], value,
         Math.max(...[...document.querySelectorAll(".why ul")].map((one) => one.children.length))]''')
   TAP.check(f'{machine}: where a value was spilled is told, and of no other', said[0] > 2 and len(said[1]) > 1 and
             said[1][0].startswith('p_spill') and all(said[2] in re.findall(r'%\d+', text) for text in said[1]), said)
   TAP.check('lists have an end', said[3] <= 41, said)
   if machine == 'gfx900':
      said = b.run('''explorer.pins = []; const s = explorer.side, last = s.phases.length - 1;
         const wait = [...s.phaseTexts(last)].find(([, text]) => text.startsWith("s_waitcnt vmcnt"));
         explorer.setPhase(last); explorer.pin(`m:${wait[0]}`); return document.querySelector(".why").innerText''')
      TAP.check('what a wait waits for is told', 'it waits before' in said and 'load_buffer' in said, said)
   quiet(b, 'spills')


def test_lanes(b, target):
   memory = '0.0=u32:' + ','.join(str(n) for n in range(16))
   b.open(page('lanes.html', '--target=' + target, '--groups=3', put('branchy.hd', branchy(target)), memory), '#view=lanes')
   shown = b.run('return [...document.querySelectorAll(".timeline")].map((c) => { const data = c.getContext("2d").getImageData(0, 0, '
                 'c.width, c.height).data, seen = new Set(); for (let n = 0; n < data.length; n += 4) seen.add(data[n] << 16 | data[n + 1] << 8 | '
                 'data[n + 2]); return seen.size; })')
   TAP.check(f'{target}: both runs are drawn, lanes that are off are not', len(shown) == 2 and all(num >= 3 for num in shown), shown)
   blocks = b.run('''const p = explorer.panels.find((one) => one.id === "machine");
      return p.list.rows.filter((row) => row.insts).map((row) => [row.insts.length, explorer.heat.markBlock(row.insts).title])''')
   waves = b.run('return Math.max(1, 16 / explorer.side.raw.lanes)')
   # The branch is run by one wave of each of three workgroups, for 5 lanes; Nyuzi writes unmasked where nobody reads the rest.
   titles = [title for num, title in blocks if num]
   TAP.check('blocks of the machine have their heat', titles[0].startswith(f'{3 * waves} times') and titles[1].startswith('3 times, ') and
             (target != 'gfx900' or titles[1] == '3 times, 8 % of the lanes') and titles[-1].startswith(f'{3 * waves} times'), blocks)
   step = b.run('const l = explorer.below.views[2][2], run = l.runs[0]; for (let n = 0; n < run.steps; n++) '
                'if (run.text(n).includes(\'"sum"\')) return n;')
   b.run('const s = document.getElementById("scrubber-interpreter"); s.value = arguments[0]; s.dispatchEvent(new Event("input")); return 1', step)
   TAP.check('the scrubber shows the instruction', '"sum"' in b.run(ROWS, '#step-interpreter')[0] and '(5 of' in b.run(ROWS, '#step-interpreter')[0],
             b.run(ROWS, '#step-interpreter'))
   TAP.check('... in the panels', any('"sum"' in r for r in rows(b, 'ir', '.hovered')), rows(b, 'ir', '.hovered'))
   TAP.check('... and in the other run', b.run('const r = explorer.below.views[2][2].runs[1]; '
                                               'return explorer.isIn(r.entity(r.at), explorer.pointedSet)'))
   TAP.check('the mask has five lanes', len(b.run(ROWS, '#mask-interpreter .on')) == 5)
   b.run('const l = document.getElementById("lane"); l.value = 4; l.dispatchEvent(new Event("input")); return 1')
   fresh = b.run(ROWS, '#registers-interpreter .fresh')
   TAP.check('lane 4 has its sum', len(fresh) == 1 and fresh[0].endswith(' 8'), fresh)
   TAP.check('lines and blocks have marks of heat', len(b.run(ROWS, '#panel-ir .heat .fill')) > 5 and
             f'{3 * waves} times' in b.run('return document.querySelector("#panel-ir .heat[title]").title'))
   b.run('const w = document.getElementById("wave"); w.value = arguments[0]; w.dispatchEvent(new Event("change")); return 1',
         3 * waves - 1)
   TAP.check('another wave is shown', b.run('return explorer.below.views[2][2].runs.map((run) => run.raw.waves[run.wave].workgroup)') == [2, 2])
   b.run('const c = document.getElementById("colour-by"); c.value = "line"; c.dispatchEvent(new Event("change")); return 1')
   b.click('#timeline-machine')
   TAP.check('a click on the timeline goes there', b.run('return explorer.below.views[2][2].runs[1].at') > 0)
   at = b.run('const l = explorer.lanes; l.setStep(l.runs[1], 3); return l.place')
   b.keys('..,')
   TAP.check('keys go through the run', b.run('return explorer.lanes.runs[1].at') == 4, at)
   place, address = b.run('return [explorer.lanes.place, location.hash]')
   b.open(path('lanes.html'), address)
   TAP.check('the address has the wave, the lane and the steps', place.startswith(f'{3 * waves - 1}.') and b.run('return explorer.lanes.place') == place and
             b.run('return explorer.lanes.runs[1].at') == 4 and b.run('return document.getElementById("wave").value') == str(3 * waves - 1), [place, address])
   for fragment in ('#view=lanes&run=99.99.99', '#view=lanes&run=-1.x.', '#view=lanes&run=0.1.99999.99999'):
      b.open(path('lanes.html'), fragment)
      TAP.check(f'{fragment} does no harm', len(rows(b, 'ir')) > 5)
   quiet(b, 'lanes')


def test_hostile(b):
   b.open(page('hostile.html', '--passes=O1', put('hostile.hd', HOSTILE)))
   b.run('for (let n = 0; n < explorer.side.steps.length; n++) explorer.setStep(n);')
   b.keys('/')
   b.keys('script')
   pin(b, 'ir', '</script>')
   b.run('explorer.setStep(0); window.dispatchEvent(new Event("beforeprint"))')
   TAP.check('no name was run', b.run('return window.owned === undefined'))
   TAP.check('names are shown', all(any(name in r for r in rows(b, 'ir')) for name in (NASTY[0], NASTY[1], '<!--')), rows(b, 'ir'))
   TAP.check('no element is one of the shader', not b.run('return document.querySelectorAll("img, [onclick], [onerror], b").length') and
             b.run('return document.scripts.length') == 2)
   quiet(b, 'hostile')
   refused = b.run('''const script = document.createElement("script"); script.textContent = "window.owned = 7";
      document.body.append(script); const image = document.createElement("div"); image.setAttribute("onclick", "window.owned = 8");
      document.body.append(image); image.click(); return window.owned === undefined''')
   TAP.check('the policy runs no other script and no inline event', refused)
   b.console()


def test_compare(b):
   other = KNOWN.replace('imul %2, %0', 'iadd %2, %0').replace('      %4:32 "unused"', '      %9:32 "new" = isub %3, %2\n      %4:32 "unused"')
   b.open(page('compare.html', '--passes=opt_cse', put('known.hd', KNOWN), '--against=' + put('other.hd', other)), '#view=compare')
   what = 'const c = document.getElementById("compare-what"); c.value = arguments[0]; c.dispatchEvent(new Event("change")); return 1'
   b.run(what, 'first')
   said = b.run('return document.getElementById("compare-summary").textContent')
   TAP.check('compare: counted', '1 changed, 0 moved, 0 only in A, 1 only in B' in said, said)
   halves = b.run('return [...document.querySelectorAll("#compare .row")].sort((x, y) => x.dataset.row - y.dataset.row)'
                  '.map((row) => [row.className, ...[...row.querySelectorAll(".half")].map((half) => half.textContent.trim())])')
   changed = [row for row in halves if 'changed' in row[0]]
   TAP.check('compare: what changed stands side by side', len(changed) == 1 and 'imul' in changed[0][1] and 'iadd' in changed[0][2], halves)
   TAP.check('compare: what is new has nothing beside it', [row[1:] for row in halves if 'added' in row[0]] and
             all(not row[1] and 'isub' in row[2] for row in halves if 'added' in row[0]), halves)
   TAP.check('compare: the rest is aligned', all(row[1].split('=')[-1].split(' ')[1:2] == row[2].split('=')[-1].split(' ')[1:2]
                                               for row in halves if row[0].strip() == 'row'), halves)
   b.run('const only = document.getElementById("compare-only"); only.checked = true; only.dispatchEvent(new Event("change")); return 1')
   TAP.check('compare: differences alone', b.run('return document.querySelectorAll("#compare .row").length') == 2)
   figures = b.run('return document.getElementById("compare-figures").innerText')
   TAP.check('compare: figures', 'IR instructions before' in figures and '+1 (+10 %)' in figures, figures)
   TAP.check('compare: ... are drawn', b.run('return document.querySelectorAll("#compare-figures rect").length') >= 4)
   TAP.check('compare: the panels show the first', any('imul' in r for r in rows(b, 'ir')))
   b.click('#compare .row.added .half[data-side="1"]')
   TAP.check('compare: a click shows the other side, and pins', any('isub' in r for r in rows(b, 'ir', '.pinned')) and
             'side=1' in b.run('return location.hash'), b.run('return location.hash'))
   address = b.run('return location.hash')
   b.keys('s')
   TAP.check('compare: s goes back', not any('isub' in r for r in rows(b, 'ir')) and b.run('return explorer.side.number') == 0)
   b.open(path('compare.html'), address)
   TAP.check('compare: the address has the side', b.run('return explorer.side.number') == 1 and any('isub' in r for r in rows(b, 'ir', '.pinned')))
   quiet(b, 'compare')
   for machine in MACHINES[1:]:
      b.open(page('targets.html', f'--target={MACHINES[0]}', f'--against-target={machine}', path('known.hd')), '#view=compare')
      b.run(what, 'machine')
      TAP.check('compare: machine code of two targets', len(b.run(ROWS, '#compare .row')) > 5)
      drawn = b.run('return [...document.querySelectorAll("#compare-figures tr")].map((row) => [...row.cells].map((cell) => cell.textContent))')
      rows_of = {row[0]: row for row in drawn if row}
      told = {}
      for line in heddle('compare', '--json', path('known.hd')).out.decode().splitlines():
         one = json.loads(line)
         told.setdefault(one['target'], one)
      TAP.check(f'compare: figures of {MACHINES[0]} and {machine} are those of heddle compare', all(
         rows_of[f'machine code: {name}'][1:4:2] == [str(told[m][key]) for m in (MACHINES[0], machine)]
         for name, key in (('instructions', 'instructions'), ('branches', 'branches'), ('scalar registers', 'scalars'),
                           ('vector registers', 'vectors'), ('bytes', 'bytes'))), [drawn, told])
      TAP.check('compare: ops are counted', rows_of['… store_buffer'][1:4:2] == ['1', '1'], drawn)
      quiet(b, 'targets')


def test_size(b):
   passes = ','.join(['opt_dce', 'opt_cse', 'opt_algebraic', 'opt_copy'] * 10)
   seconds = b.open(page('large.html', '--passes=' + passes, put('large.hd', large(20000))))
   TAP.check('20,000 instructions, 40 passes: the page is there in 3 s', seconds < 3 and len(rows(b, 'ir')) > 20, seconds)
   took = b.run('const began = performance.now(); explorer.setStep(40); explorer.point("n:100"); '
                'explorer.pin("s:0:77"); return performance.now() - began')
   TAP.check('... and is quick', took < 1000, took)
   quiet(b, 'large')
   other = put('other.hd', large(20000).replace('imul', 'isub'))
   seconds = b.open(page('two.html', '--passes=' + passes, path('large.hd'), '--against=' + other), '#view=compare')
   said = b.run('return document.getElementById("compare-summary").textContent')
   TAP.check('two of 20,000 instructions, 40 passes: compared, in 10 s', seconds < 10 and 'changed' in said and 'room' not in said, [seconds, said])
   names = [put(f'huge{n}.hd', large(90000).replace('imul', op)) for n, op in enumerate(('imul', 'isub'))]
   seconds = b.open(page('cut.html', '--passes=opt_dce,opt_algebraic,opt_cse', names[0], '--against=' + names[1]), '#view=compare')
   said = b.run('return [document.getElementById("compare-summary").textContent, document.querySelector(".why").textContent]')
   TAP.check('two of 90,000 are cut, and the page says so', 'there was room for' in said[0] and 'takes more bytes than are allowed' in said[1], [seconds, said])
   took = b.run('const began = performance.now(); explorer.setStep(3); explorer.point("n:100"); explorer.pin("i:89999"); explorer.chooseSide(1); return performance.now() - began')
   TAP.check('... and does not hang', took < 5000 and seconds < 10, [seconds, took])
   quiet(b, 'cut')


if not browser.is_there():
   TAP.check('a browser # SKIP there is no chromium, or no chromedriver', True)
else:
   with Browser() as chromium:
      for test in (test_known, test_slider, test_pins, test_keys, test_graph, test_print, test_why, test_hostile, test_compare, test_size):
         test(chromium)
      for machine in MACHINES:
         test_machine(chromium, machine)
         test_lanes(chromium, machine)
         test_spills(chromium, machine)
finish()
