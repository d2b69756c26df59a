/* SPDX-License-Identifier: MIT */
/* llvm_optimize.c - what LLVM's passes take, and its code generation, inside one process.
 *
 *    llvm_optimize [--passes=LIST] [--seconds=S] [--output=FILE.ll] [--object=FILE.o]
 * [--set=OPTION] FILE.ll...
 *
 * One line of JSON a file: CPU nanoseconds of the fastest run of the passes on a copy of the
 * module, and, with --object, of the passes and the code generation at -O2 after them. Reading,
 * copying and writing are not timed. --set is for options that LLVM's own tools have:
 * --set=-NAME=VALUE. LLVM's library is opened when the program starts, so that building needs
 * nothing of it; where there is none, the program ends with 3.
 *
 * The functions are those of LLVM's C interface (llvm-c/Core.h and others), which is stable.
 */
#include "clock.h"
#include "heap.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SET 16

typedef void *ref;

static struct {
   ref (*ContextCreate)(void);
   void (*ContextDispose)(ref context);
   int (*CreateMemoryBufferWithContentsOfFile)(const char *path, ref *buffer, char **message);
   int (*ParseIRInContext)(ref context, ref buffer, ref *module, char **message);
   ref (*CloneModule)(ref module);
   void (*DisposeModule)(ref module);
   int (*PrintModuleToFile)(ref module, const char *path, char **message);
   const char *(*GetTarget)(ref module);
   int (*GetTargetFromTriple)(const char *triple, ref *target, char **message);
   ref (*CreateTargetMachine)(ref target, const char *triple, const char *cpu, const char *features,
                              int level, int reloc, int model);
   void (*DisposeTargetMachine)(ref machine);
   ref (*CreatePassBuilderOptions)(void);
   void (*DisposePassBuilderOptions)(ref options);
   ref (*RunPasses)(ref module, const char *passes, ref machine, ref options);
   char *(*GetErrorMessage)(ref error);
   int (*TargetMachineEmitToMemoryBuffer)(ref machine, ref module, int type, char **message,
                                          ref *buffer);
   const char *(*GetBufferStart)(ref buffer);
   size_t (*GetBufferSize)(ref buffer);
   void (*DisposeMemoryBuffer)(ref buffer);
   void (*ParseCommandLineOptions)(int argc, const char *const *argv, const char *overview);
   void (*InitializeAMDGPUAsmPrinter)(void);
   void (*InitializeAMDGPUTargetInfo)(void);
   void (*InitializeAMDGPUTarget)(void);
   void (*InitializeAMDGPUTargetMC)(void);
} llvm;

static void
stop(const char *what, const char *about, int code)
{
   fprintf(stderr, "llvm_optimize: %s: %s\n", about, what ? what : "failed");
   exit(code);
}

static void
find(void *library, void *function, const char *name)
{
   char whole[80];

   snprintf(whole, sizeof(whole), "LLVM%s", name);
   void *found = dlsym(library, whole);
   if (!found)
      stop("is not there", whole, 3);
   memcpy(function, &found, sizeof(found));
}

static void
open_llvm(void)
{
   static const char *const names[] = { "libLLVM.so.19.1", "libLLVM-19.so", "libLLVM-19.so.1" };
   void *library = NULL;

   for (unsigned n = 0; !library && n < sizeof(names) / sizeof(names[0]); n++)
      library = dlopen(names[n], RTLD_NOW);
   if (!library)
      stop("is not installed", "the library of LLVM 19", 3);
#define FIND(name) find(library, &llvm.name, #name)
   FIND(ContextCreate);
   FIND(ContextDispose);
   FIND(CreateMemoryBufferWithContentsOfFile);
   FIND(ParseIRInContext);
   FIND(CloneModule);
   FIND(DisposeModule);
   FIND(PrintModuleToFile);
   FIND(GetTarget);
   FIND(GetTargetFromTriple);
   FIND(CreateTargetMachine);
   FIND(DisposeTargetMachine);
   FIND(CreatePassBuilderOptions);
   FIND(DisposePassBuilderOptions);
   FIND(RunPasses);
   FIND(GetErrorMessage);
   FIND(TargetMachineEmitToMemoryBuffer);
   FIND(GetBufferStart);
   FIND(GetBufferSize);
   FIND(DisposeMemoryBuffer);
   FIND(ParseCommandLineOptions);
   FIND(InitializeAMDGPUAsmPrinter);
   FIND(InitializeAMDGPUTargetInfo);
   FIND(InitializeAMDGPUTarget);
   FIND(InitializeAMDGPUTargetMC);
#undef FIND
   llvm.InitializeAMDGPUTargetInfo();
   llvm.InitializeAMDGPUTarget();
   llvm.InitializeAMDGPUTargetMC();
   llvm.InitializeAMDGPUAsmPrinter();
}

/* NULL for a module without a triple: passes then know no target. */
static ref
machine_for(ref module, const char *path)
{
   const char *triple = llvm.GetTarget(module);
   char *message = NULL;
   ref target;

   if (!*triple)
      return NULL;
   if (llvm.GetTargetFromTriple(triple, &target, &message))
      stop(message, path, 1);
   return llvm.CreateTargetMachine(target, triple, "gfx900", "", 2, 0, 0);
}

/* Machine code of a module, to a file if it has a name. */
static void
generate(ref machine, ref module, const char *path)
{
   char *message = NULL;
   ref buffer;

   if (llvm.TargetMachineEmitToMemoryBuffer(machine, module, 1, &message, &buffer))
      stop(message, "code generation", 1);
   FILE *file = path ? fopen(path, "wb") : NULL;
   if (path && !file)
      stop("cannot be written", path, 1);
   if (file) {
      fwrite(llvm.GetBufferStart(buffer), 1, llvm.GetBufferSize(buffer), file);
      fclose(file);
   }
   llvm.DisposeMemoryBuffer(buffer);
}

static void
process(const char *path, const char *passes, double seconds, const char *output,
        const char *object)
{
   ref context = llvm.ContextCreate(), buffer, module = NULL, machine,
       options = llvm.CreatePassBuilderOptions();
   const double end = cpu_ns() + seconds * 1e9;
   char *message = NULL;
   double best = 0;

   if (llvm.CreateMemoryBufferWithContentsOfFile(path, &buffer, &message) ||
       llvm.ParseIRInContext(context, buffer, &module, &message))
      stop(message, path, 1);
   machine = machine_for(module, path);
   for (unsigned rounds = 0; rounds < 2 || (rounds < 100 && cpu_ns() < end); rounds++) {
      ref copy = llvm.CloneModule(module);
      double since = cpu_ns();
      ref error = llvm.RunPasses(copy, passes, machine, options);

      if (error)
         stop(llvm.GetErrorMessage(error), path, 1);
      if (object)
         generate(machine, copy, NULL);
      since = cpu_ns() - since;
      if (best == 0 || since < best)
         best = since;
      if (rounds == 0 && output && llvm.PrintModuleToFile(copy, output, &message))
         stop(message, output, 1);
      llvm.DisposeModule(copy);
      /* What is generated from is changed by that: the file is made from a copy of its own. */
      if (rounds == 0 && object) {
         copy = llvm.CloneModule(module);
         llvm.RunPasses(copy, passes, machine, options);
         generate(machine, copy, object);
         llvm.DisposeModule(copy);
      }
      /* One run of a large module takes seconds and tells enough. */
      if (since > 2e9)
         break;
   }
   printf("{\"file\": \"%s\", \"ns\": %.0f}\n", path, best);
   llvm.DisposeModule(module);
   if (machine)
      llvm.DisposeTargetMachine(machine);
   llvm.DisposePassBuilderOptions(options);
   llvm.ContextDispose(context);
}

int
main(int argc, char **argv)
{
   const char *passes = "default<O2>", *output = NULL, *object = NULL;
   const char *set[MAX_SET] = { argv[0] };
   int num_set = 1;
   double seconds = 0;

   keep_freed_memory();
   open_llvm();
   for (int n = 1; n < argc; n++) {
      if (!strncmp(argv[n], "--set=", 6) && num_set < MAX_SET)
         set[num_set++] = argv[n] + 6;
   }
   if (num_set > 1)
      llvm.ParseCommandLineOptions(num_set, set, NULL);
   for (int n = 1; n < argc; n++) {
      if (!strncmp(argv[n], "--passes=", 9))
         passes = argv[n] + 9;
      else if (!strncmp(argv[n], "--output=", 9))
         output = argv[n] + 9;
      else if (!strncmp(argv[n], "--object=", 9))
         object = argv[n] + 9;
      else if (!strncmp(argv[n], "--seconds=", 10))
         seconds = strtod(argv[n] + 10, NULL);
      else if (strncmp(argv[n], "--set=", 6) != 0)
         process(argv[n], passes, seconds, output, object);
   }
   return 0;
}
