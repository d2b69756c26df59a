# SPDX-License-Identifier: MIT
"""The pass pipelines of Gen9: none, as nothing is compiled for it. See passes/pipelines.py."""

PIPELINES = []
