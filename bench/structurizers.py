#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Structurizers beside LLVM's, on the same graphs in the same run: what each adds, what it costs to
run, and how long it takes.

    structurizers.py STRUCTURE [--quick] [--json FILE] [--misses FILE]

For each graph one program is written as Heddle's text and as LLVM IR (programs.py). Both are
transformed, and what stands in them is counted before and after. LLVM's result is read back and run
on the interpreter as well: each lane's log must be that of the input, on both sides. Everything is
seeded; a second run gives the same counts.

Each set is taken twice. In `bare` programs no value crosses from block to block, so that every phi
added is there to select a target. In the others blocks have phis and values live on, so that some
are there to repair SSA.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'scripts')]
import fewest_bound  # noqa: E402
import graphs  # noqa: E402
import llvm_cfg  # noqa: E402
import llvm_programs  # noqa: E402
import programs  # noqa: E402
import structurizer_times  # noqa: E402
from tables import table  # noqa: E402

PIPELINE = 'lower-switch,amdgpu-unify-divergent-exit-nodes,fix-irreducible,unify-loop-exits,structurizecfg'
COUNTED = ('branches', 'phis', 'others', 'blocks')

# What the project promises, as shares of what LLVM adds.
GOALS = {
    ('structurize', True): {'branches': 0.25, 'phis': 1 / 6, 'others': 1.0, 'steps': 1.0},
    ('structurize', False): {'branches': 0.65, 'phis': 0.30, 'others': 1.0, 'steps': 1.0},
    ('reconverge', True): {'branches': 0.80, 'phis': 1.0, 'others': 1.0, 'steps': 1.0},
    ('reconverge', False): {'branches': 0.80, 'phis': 1.0, 'others': 1.0, 'steps': 1.0},
}
ORDERS = ['reconverge-depth-first', 'reconverge-breadth-first', 'reconverge-reverse-post-order']
# (what the programs are, do values cross blocks, how many branches are uniform, the passes). The tree
# does not care whether a branch is uniform; hd_reconverge does.
KINDS = [
    ('bare', False, 0.0, ['structurize', 'reconverge']),
    ('with values', True, 0.0, ['structurize', 'reconverge']),
    ('half of the branches uniform', False, 0.5, ['reconverge']),
]
CHUNK = 250
TOOL_SECONDS = 60


def opt():
   return llvm_programs.find('opt')


class Row:
   """One function: what each side added to it."""

   def __init__(self, program):
      self.program = program
      self.passes = {}    # pass -> the tool's line
      self.llvm = None    # counted added, or None where the result is no valid function
      self.llvm_run = None
      self.least = None   # no tree with the same masks adds fewer branches


def added(line):
   before, after = line['before'], line['after']
   return {what: after[what] - before[what] for what in COUNTED}


def run_tool(tool, what, functions, folder, *options):
   """{name: line} of a pass over functions, given as {name: text}. What a crash or an endless run
   leaves of a function is a line that says so."""
   path, rest, done = os.path.join(folder, 'graphs.hd'), dict(functions), {}
   while rest:
      with open(path, 'w', encoding='utf-8') as file:
         file.write(programs.heddle_shader(rest.values()))
      with open(path + '.out', 'w+', encoding='utf-8') as out:
         try:
            told = subprocess.run([tool, *options, what, path], stdout=out, timeout=TOOL_SECONDS).returncode
            told = f'ended with {told}'
         except subprocess.TimeoutExpired:
            told = f'not done within {TOOL_SECONDS} s'
         out.seek(0)
         lines = [json.loads(line) for line in out if line.endswith('}\n')]
      for line in lines:
         done[line['function']] = line
         del rest[line['function']]
      # It stops after a function that failed and says why; or it did not get to the end of the next one.
      if rest and (not lines or lines[-1]['result'] == 'ok'):
         name = next(iter(rest))
         done[name] = {'function': name, 'result': told}
         del rest[name]
   return done


def run_llvm(rows, folder):
   """LLVM's pipeline over all of them: fills in row.llvm, and gives the text that it makes."""
   source, result = os.path.join(folder, 'graphs.ll'), os.path.join(folder, 'done.ll')
   text = programs.llvm_module(programs.llvm_function(row.program) for row in rows)
   with open(source, 'w', encoding='utf-8') as file:
      file.write(text)
   # It breaks phis of some irreducible functions: what is valid is decided here, function by function.
   subprocess.run([opt(), '-mtriple=amdgcn-amd-amdhsa', f'-passes={PIPELINE}', '-disable-verify', '-S',
                   '-o', result, source], check=True, stdin=subprocess.DEVNULL)
   with open(result, encoding='utf-8') as file:
      after = dict(llvm_cfg.functions(file.read()))
   before = dict(llvm_cfg.functions(text))
   for row in rows:
      name = row.program.name
      if llvm_cfg.is_valid(after[name]):
         a, b = llvm_cfg.count(after[name]), llvm_cfg.count(before[name])
         row.llvm = {what: a[what] - b[what] for what in COUNTED}
   return after


def measure_chunk(tool, passes, rows, folder):
   functions = {row.program.name: programs.heddle_function(row.program) for row in rows}
   for name in passes:
      done = run_tool(tool, name, functions, folder)
      for row in rows:
         row.passes[name] = done[row.program.name]
   if not opt():
      return
   after = run_llvm(rows, folder)
   first = passes[0]
   # A uniform branch is decided by the first lane that is there. LLVM does not keep lanes together as
   # the input has them, so that other lanes may decide: its logs are not compared then.
   again = [row for row in rows if row.llvm and row.passes[first]['result'] == 'ok'
            and row.passes[first]['before']['run'] == 'ok' and not any(row.program.uniform)]
   done = run_tool(tool, 'none', {row.program.name: programs.heddle_again(row.program, after[row.program.name])
                                  for row in again}, folder)
   for row in again:
      line = done[row.program.name]
      row.llvm_run = line.get('before', {'run': line['result'], 'logs': '', 'steps': 0})


def least_of(tool, sets):
   """{set: [what no tree with the masks of a sweep goes below, for each graph]} of the irreducible sets,
   where it is near what is added."""
   with fewest_bound.Bounds(fewest_bound.beside(tool)) as bounds:
      return {name: [bounds.of_graph(g)[0] - graphs.branches(g) for g in graph_set]
              for name, (_, is_reducible, graph_set) in sets.items() if not is_reducible}


def measure_set(tool, passes, graph_set, folder, values=False, uniform=0.0):
   rows = [Row(programs.Program(f'f{n}', g, values, uniform)) for n, g in enumerate(graph_set)]
   for start in range(0, len(rows), CHUNK):
      measure_chunk(tool, passes, rows[start:start + CHUNK], folder)
   return rows


# --- what came of it --------------------------------------------------------------------------------


def faults(name, kind, rows, passes):
   """What must never be: told, and the run fails."""
   for row in rows:
      place = f'{name}, {kind}, {row.program.name} {json.dumps(row.program.graph)}'
      for what in passes:
         line = row.passes[what]
         if line['result'] != 'ok':
            yield f"{what}: {line['result']}: {place}"
         elif not line['valid']:
            yield f'{what}: the result is not valid: {place}'
         elif not line['same']:
            yield f'{what}: a lane logs something else: {place}'
         elif what == 'structurize' and row.least is not None and added(line)['branches'] < row.least:
            yield f'{what}: fewer branches than the {row.least} that there must be: {place}'
         elif not line.get('stats agree', True):
            yield f"{what}: its statistics {line['stats']} are not {added(line)}: {place}"
      if row.llvm_run:
         before = row.passes[passes[0]]['before']
         if (row.llvm_run['run'], row.llvm_run['logs']) != ('ok', before['logs']):
            yield f'LLVM: a lane logs something else: {place}'


def summary(rows, what, lanes_together):
   """Sums over the functions for which both sides have a figure."""
   own = {k: 0 for k in (*COUNTED, 'selectors', 'edge phis', 'value phis', 'steps')}
   llvm = {k: 0 for k in (*COUNTED, 'steps')}
   more, worst, invalid, time, least = 0, None, 0, 0.0, 0
   for row in rows:
      line = row.passes[what]
      if line['result'] != 'ok':
         continue
      time += line['ns']
      if opt() and row.llvm is None:
         invalid += 1
         continue
      mine = added(line)
      if what == 'structurize':
         least += row.least or 0
      for k in COUNTED:
         own[k] += mine[k]
      for k in ('selectors', 'edge phis', 'value phis'):
         own[k] += line.get(k, 0)
      if not row.llvm:
         continue
      for k in COUNTED:
         llvm[k] += row.llvm[k]
      if row.llvm_run and lanes_together:
         own['steps'] += line['after']['steps']
         llvm['steps'] += row.llvm_run['steps']
      surplus = mine['branches'] - row.llvm['branches']
      if surplus > 0:
         more += 1
         if worst is None or surplus > worst[0]:
            worst = (surplus, row)
   return {'own': own, 'llvm': llvm, 'least': least, 'more': more, 'worst': worst, 'invalid': invalid, 'ns': time}


def share(own, llvm):
   return f'{100 * own / llvm:.0f} %' if llvm else ''


def against(own, llvm):
   if not own and not llvm:
      return ''
   return f'{own:,} | {llvm:,} {share(own, llvm)}' if opt() else f'{own:,}'


def missed(what, is_reducible, sums):
   """Goals that these sums do not reach, in words."""
   for key, goal in GOALS[(what, is_reducible)].items() if opt() else ():
      own, llvm = sums['own'][key], sums['llvm'][key]
      if own > goal * llvm:
         told = f'{key}: {own:,} of {llvm:,}, {100 * own / max(1, llvm):.1f} %; goal {100 * goal:.1f} %'
         if key == 'branches' and sums['least'] > goal * llvm:
            told += f"; the least that is possible is {100 * sums['least'] / llvm:.1f} % or more"
         yield told


def table_of(what, kind, results):
   print(f'hd_{what}, {kind} (Heddle | LLVM, share)\n')
   rows = []
   for name, (is_reducible, sums) in results.items():
      own, llvm = sums['own'], sums['llvm']
      rows.append([name, f"{sums['count']:,}", against(own['branches'], llvm['branches']),
                   f"{sums['least']:,} {share(sums['least'], llvm['branches'])}" if sums['least'] else '',
                   against(own['phis'], llvm['phis']),
                   f"{own['selectors']:,} {own['edge phis']:,} {own['value phis']:,}",
                   against(own['others'], llvm['others']), against(own['blocks'], llvm['blocks']),
                   against(own['steps'], llvm['steps']), f"{sums['more']}",
                   f"{sums['ns'] / 1e3 / max(1, sums['size']):.2f}"])
   table(['set', 'functions', 'branches', 'at least', 'phis', 'select, edge, value', 'other instructions', 'blocks',
                 'steps run', 'more branches', 'us a block'], rows)
   for name, (is_reducible, sums) in results.items():
      if sums['invalid']:
         print(f"{name}: LLVM's result is no valid function for {sums['invalid']}; they are left out.")
      if sums['worst']:
         surplus, row = sums['worst']
         graph = json.dumps(row.program.graph, separators=(',', ':'))
         print(f'{name}: worst, {surplus} more: {graph if len(graph) < 200 else row.program.name}')
   print()


def add_up(results, is_reducible):
   """One summary of all sets that are reducible, or are not."""
   total = {'own': {}, 'llvm': {}, 'least': 0}
   for wanted, sums in results.values():
      if wanted == is_reducible:
         total['least'] += sums['least']
         for side in ('own', 'llvm'):
            for k, n in sums[side].items():
               total[side][k] = total[side].get(k, 0) + n
   return total


def write_misses(path, all_rows):
   """Each function to which a pass adds more branches than LLVM: a line of set, pass, both counts,
   and the graph; those where most is lost first."""
   lines = []
   for (name, kind), rows in all_rows.items():
      for row in rows:
         for what, line in row.passes.items():
            if row.llvm and line['result'] == 'ok' and added(line)['branches'] > row.llvm['branches']:
               lines.append((added(line)['branches'] - row.llvm['branches'], name, kind, what,
                             added(line)['branches'], row.llvm['branches'], row.program.name, row.program.graph))
   lines.sort(key=lambda line: (-line[0], len(line[-1]), line[1:4]))
   with open(path, 'w', encoding='utf-8') as file:
      for surplus, name, kind, what, own, llvm, function, graph in lines:
         file.write(f'{what}: {own} branches, LLVM {llvm}; {name}, {kind}, {function}: '
                    f"{json.dumps(graph, separators=(',', ':'))}\n")


def quality(tool, quick, folder, misses=None):
   """All sets in all kinds; the figures, and the number of faults."""
   sets = graphs.all_sets(quick)
   least = least_of(tool, sets)
   figures, all_rows, wrong = [], {}, 0
   for kind, values, uniform, passes in KINDS:
      results = {what: {} for what in passes}
      for name, (_, is_reducible, graph_set) in sets.items():
         rows = measure_set(tool, passes, graph_set, folder, values, uniform)
         all_rows[(name, kind)] = rows
         for row, bound in zip(rows, least.get(name, ())):
            row.least = bound
         for fault in faults(name, kind, rows, passes):
            wrong += 1
            if wrong <= 20:
               print(f'WRONG: {fault}')
         for what in passes:
            sums = summary(rows, what, uniform == 0)
            if what == 'structurize' and is_reducible and sums['more']:
               wrong += 1
               print(f"WRONG: {what}: more branches than LLVM adds, on {sums['more']} graphs: {name}, {kind}")
            sums['count'] = len(rows)
            sums['size'] = sum(len(row.program.graph) for row in rows)
            results[what][name] = (is_reducible, sums)
            figures.append({'pass': what, 'set': name, 'kind': kind, 'added': sums['own'], 'llvm': sums['llvm'],
                            'least': sums['least'], 'more': sums['more'], 'ns': sums['ns'], 'invalid': sums['invalid']})
      for what in passes:
         table_of(what, kind, results[what])
         for is_reducible in (True, False):
            total = add_up(results[what], is_reducible)
            name = 'reducible' if is_reducible else 'irreducible'
            told = ((k, against(total['own'][k], total['llvm'][k])) for k in ('branches', 'phis', 'others', 'steps'))
            print(f'All {name} ones: ' + '; '.join(f'{k} {text}' for k, text in told if text))
            if total['least']:
               print(f"   branches: no tree with the same masks adds fewer than {total['least']:,} "
                     f"{share(total['least'], total['llvm']['branches'])}")
            for line in missed(what, is_reducible, total):
               print(f'   missed: {line}')
         print()
   if misses:
      write_misses(misses, all_rows)
   return figures, wrong


def totals(tool, passes, graph_set, folder):
   """{pass: sums of what it adds to bare programs}, without LLVM."""
   programs_of = [programs.Program(f'f{n}', g) for n, g in enumerate(graph_set)]
   result = {}
   for what in passes:
      result[what] = {k: 0 for k in COUNTED}
      for start in range(0, len(programs_of), CHUNK):
         part = {p.name: programs.small_function(p) for p in programs_of[start:start + CHUNK]}
         for line in run_tool(tool, what, part, folder, '--count').values():
            if line['result'] == 'ok':
               for k, n in added(line).items():
                  result[what][k] += n
   return result


def beside_llvm(tool, graph_set, folder):
   """What is added to bare programs by both, where LLVM's result is valid, and the graphs to which LLVM adds
   fewer branches."""
   all_rows = [Row(programs.Program(f'f{n}', g)) for n, g in enumerate(graph_set)]
   sums = {side: {k: 0 for k in COUNTED} for side in ('own', 'llvm')}
   more = []
   for start in range(0, len(all_rows), CHUNK):
      rows = all_rows[start:start + CHUNK]
      done = run_tool(tool, 'structurize', {row.program.name: programs.small_function(row.program) for row in rows},
                      folder, '--count')
      if opt():
         run_llvm(rows, folder)
      for row in rows:
         own = added(done[row.program.name])
         if row.llvm and own['branches'] > row.llvm['branches']:
            more.append(row.program.graph)
         for k in COUNTED if row.llvm or not opt() else ():
            sums['own'][k] += own[k]
            sums['llvm'][k] += row.llvm[k] if row.llvm else 0
   return sums, more


def all_small(tool, folder):
   """What is added to every small graph there is. Gives the number of reducible ones to which LLVM adds fewer
   branches: there must be none."""
   print('hd_structurize, every graph of 3 and of 4 inner blocks (Heddle | LLVM, share)\n')
   rows, wrong = [], 0
   for inner in (3, 4):
      for name, wanted in (('reducible', True), ('irreducible', False)):
         graph_set = [g for g in graphs.all_small(inner) if graphs.is_reducible(g) == wanted]
         sums, more = beside_llvm(tool, graph_set, folder)
         wrong += len(more) if wanted else 0
         rows.append([f'{inner}, {name}', f'{len(graph_set):,}',
                      *(against(sums['own'][k], sums['llvm'][k]) for k in ('branches', 'phis', 'others')),
                      f'{len(more):,}'])
   table(['inner blocks', 'graphs', 'branches', 'phis', 'other instructions', 'more branches'], rows)
   return wrong


def orders(tool, quick, folder):
   """What hd_reconverge adds in each order of the blocks: the default is chosen by this."""
   print('hd_reconverge by order of the blocks: branches, phis and other instructions added\n')
   rows = []
   for name, (_, _, graph_set) in graphs.all_sets(quick).items():
      sums = totals(tool, ['reconverge', *ORDERS], graph_set, folder)
      rows.append([name, *(' '.join(f'{sums[what][k]:,}' for k in ('branches', 'phis', 'others'))
                           for what in ['reconverge', *ORDERS])])
   table(['set', 'default', *(what[len('reconverge-'):] for what in ORDERS)], rows)


def report(tool, quick=False, misses=None):
   """Everything; (figures, number of faults)."""
   if not opt():
      print('opt of LLVM 19 is not installed: nothing to compare with\n')
   print('Structurizers: what is added\n')
   with tempfile.TemporaryDirectory() as folder:
      figures, wrong = quality(tool, quick, folder, misses)
      orders(tool, quick, folder)
      if not quick:
         wrong += all_small(tool, folder)
      times = structurizer_times.report(tool, opt(), PIPELINE, quick, folder)
   return {'quality': figures, 'times': times}, wrong


def main():
   parser = argparse.ArgumentParser()
   parser.add_argument('tool')
   parser.add_argument('--quick', action='store_true', help='a few small graphs of each set')
   parser.add_argument('--json', help='also leave the figures here')
   parser.add_argument('--misses', help='leave the graphs here to which more branches are added than by LLVM')
   args = parser.parse_args()
   figures, wrong = report(args.tool, args.quick, args.misses)
   if args.json:
      with open(args.json, 'w', encoding='utf-8') as file:
         json.dump(figures, file, indent=1)
   return 1 if wrong else 0


if __name__ == '__main__':
   sys.exit(main())
