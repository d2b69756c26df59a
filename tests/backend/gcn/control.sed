# SPDX-License-Identifier: MIT
# Of GCN assembly, what has to do with control flow, and the stores between: without the numbers of registers, and
# without operands of stores.
s/\b([sv])(\[[0-9:]+\]|[0-9]+)/\1/g
s/^( +buffer_store_[a-z]+).*/\1/
/^b|exec|vcc|scc|s_cmp|branch|_endpgm|_store_/p
