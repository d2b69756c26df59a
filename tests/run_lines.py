# SPDX-License-Identifier: MIT
import lit.formats


class RunLines(lit.formats.ShTest):
   """Files with RUN lines; the others are inputs of test programs, which name them."""

   def getTestsInDirectory(self, suite, path, lit_config, local_config):
      for test in super().getTestsInDirectory(suite, path, lit_config, local_config):
         with open(test.getSourcePath(), encoding='utf-8', errors='replace') as file:
            if 'RUN:' in file.read():
               yield test
