# SPDX-License-Identifier: MIT
"""Names of SPIR-V as names of C: where a small letter or a digit stands before a capital, a new
word begins. WorkgroupId is WORKGROUP_ID, FOrdEqual FORD_EQUAL, Int64 INT64.
"""

import re


def constant(name):
   return re.sub(r'(?<=[a-z0-9])(?=[A-Z])', '_', name).upper()


def c_name(prefix, name):
   return f'SPV_{prefix}_{constant(name)}'
