# SPDX-License-Identifier: MIT
"""Tables of text, means and fits, for the reports."""
import math


def table(head, rows):
   """Columns as wide as they must be, numbers to the right."""
   cells = [head, *rows]
   widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
   for number, row in enumerate(cells):
      print('  '.join(cell.ljust(w) if i == 0 else cell.rjust(w)
                      for i, (cell, w) in enumerate(zip(row, widths))))
      if number == 0:
         print('  '.join('-' * w for w in widths))
   print()


def geometric_mean(values):
   values = [v for v in values if v > 0]
   return math.exp(sum(map(math.log, values)) / len(values)) if values else 0.0


def slope(points):
   """The exponent of a power through the points, by least squares on logarithms."""
   logs = [(math.log(x), math.log(y)) for x, y in points if y > 0]
   if len(logs) < 2:
      return 0.0
   mx = sum(x for x, _ in logs) / len(logs)
   my = sum(y for _, y in logs) / len(logs)
   return sum((x - mx) * (y - my) for x, y in logs) / sum((x - mx) ** 2 for x, _ in logs)
