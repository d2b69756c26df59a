# SPDX-License-Identifier: MIT
"""Where the rows of gcn/select.py and gcn/select_float.py are collected."""

from codegen.gcn.select_language import Row

ROWS = []


def select(op, sizes, cls, *ways):
   for size in sizes.split():
      ROWS.append(Row(op, size, cls, ways))


def both(op, sizes, scalar, vector, *more):
   """A scalar way and vector ones."""
   if scalar:
      select(op, sizes, 's', scalar)
   select(op, sizes, 'v', vector, *more)
