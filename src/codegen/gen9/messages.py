# SPDX-License-Identifier: MIT
"""The messages that code of Gen9 sends: which shared function they go to, and what their descriptors have."""

from codegen.emit import columns

# Numbers of shared functions.
UNITS = {'gateway': 3, 'spawner': 7, 'data0': 10, 'data1': 12}

# A message, its shared function, its type, what else the descriptor has when it is for 8 lanes and for 16 (none: there is no
# such message), and the lowest bit of the size of a unit, or of an atomic its operation. The types are those of bits 14 and up;
# the gateway and the spawner have none. `wide`: by 64-bit addresses.
MESSAGES = columns('''
   read             | data1   | 01 | 2e00  | 1e00 |
   write            | data1   | 09 | 2e00  | 1e00 |
   read_bytes       | data0   | 04 | 0     | 100  | 10
   write_bytes      | data0   | 0c | 0     | 100  | 10
   atomic           | data1   | 02 | 3000  | 2000 | 8
   wide_read        | data1   | 11 | 2e00  |      |
   wide_write       | data1   | 19 | 2e00  |      |
   wide_read_bytes  | data1   | 10 | 0     |      | 10
   wide_write_bytes | data1   | 1a | 0     |      | 10
   wide_atomic      | data1   | 12 | 2000  |      | 8
   fence            | data0   | 07 | 82000 |      |
   barrier          | gateway | 00 | 4     |      |
   end              | spawner | 00 | 10    |      |
''')
