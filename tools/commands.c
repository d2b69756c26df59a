/* SPDX-License-Identifier: MIT */
/* commands.c - every subcommand with its options: usage, help, man page and completion come from
 * here.
 */
#include "tool.h"

const option common_options[] = {
   { "json", 0, NULL,
     "diagnostics as one JSON object a line; results too, where a command says so" },
   { "color", 0, "WHEN", "auto (only on a terminal), always or never" },
   { "no-validate", 0, NULL, "do not check the rules of the IR on what is read" },
   { "entry", 0, "NAME", "SPIR-V: this entry point; not needed where there is one" },
   { "spec", 0, "LIST", "SPIR-V: specialisation constants: ID=VALUE with commas between" },
   { "max-memory", 0, "BYTES", "give up when a shader takes more memory" },
   { "max-steps", 0, "N", "give up when a call takes more work: about one step an instruction" },
   { "help", 'h', NULL, "show the help of this command" },
   END_OF_OPTIONS,
};

static const command validate = {
   "validate",
   "[FILE...]",
   "check every rule of the IR",
   "Prints one message for each fault, with the number of the broken rule; `heddle rules` explains "
   "them. Exits with 0 when every file is valid and 1 when one is not.",
   { { "quiet", 'q', NULL, "print nothing, only exit with 0 or 1" },
     { "reconverging", 0, NULL, "also that divergent branches of flat functions reconverge (CV2)" },
     { "keeps-sweep", 0, NULL, "also that they keep the sweep (CV3)" },
     END_OF_OPTIONS },
   run_validate,
};

static const command print = {
   "print",
   "[FILE]",
   "print as text",
   "What is printed parses back to the same shader, and prints as the same text again.",
   { { "output", 'o', "FILE", "write there instead of to standard output" },
     { "function", 'f', "NAME", "only this function" },
     { "hide-names", 0, NULL, "leave out the names of values and blocks" },
     { "hide-locations", 0, NULL, "leave out source locations" },
     { "preds", 0, NULL, "show each block's predecessors in a comment" },
     END_OF_OPTIONS },
   run_print,
};

static const command convert = {
   "convert",
   "[FILE]",
   "text to binary, binary to text",
   "Writes the form that the input does not have, unless --to says which.",
   { { "output", 'o', "FILE", "write there instead of to standard output" },
     { "to", 't', "FORM", "text or binary" },
     END_OF_OPTIONS },
   run_convert,
};

static const command structurize = {
   "structurize",
   "[FILE]",
   "make flat functions structured",
   "Any graph becomes a tree of ifs and loops; no block is copied, and every block runs with the "
   "same lanes as before. Structured functions are printed as they are.",
   { { "output", 'o', "FILE", "write there instead of to standard output" },
     { "explain", 0, NULL, "tell on standard error why each test was added" },
     { "stats", 0, NULL, "tell on standard error how much was added" },
     END_OF_OPTIONS },
   run_structurize,
};

static const command unstructure = {
   "unstructure",
   "[FILE]",
   "make structured functions flat",
   "The same blocks, ending in gotos. The header, the blocks and the continue block of each loop "
   "are "
   "declared, so that `heddle structurize` gives the tree back. Loops that cannot repeat become "
   "straight code, blocks that nothing reaches are left out.",
   { { "output", 'o', "FILE", "write there instead of to standard output" },
     { "explain", 0, NULL, "tell on standard error why each block is declared; no code is added" },
     END_OF_OPTIONS },
   run_unstructure,
};

static const command lower_returns = {
   "lower-returns",
   "[FILE]",
   "leave one return in each function",
   "The others go to a new block that returns what they did; those of a tree leave a loop that "
   "runs once. Lanes that halt do not.",
   { { "output", 'o', "FILE", "write there instead of to standard output" }, END_OF_OPTIONS },
   run_lower_returns,
};

static const command reconverge = {
   "reconverge",
   "[FILE]",
   "make divergent branches reconverge",
   "Each divergent branch gets two successors of which one post-dominates it, as machines with one "
   "pc and a mask for each branch need it; every block runs with the same lanes as before. Uniform "
   "branches are left alone. Structured functions are made flat first.",
   { { "output", 'o', "FILE", "write there instead of to standard output" },
     { "order", 0, "ORDER",
       "default, depth-first, breadth-first, reverse-post-order, or blocks: b0,b2,b1" },
     { "keep-reconverging", 0, NULL, "leave alone what reconverges but does not keep the sweep" },
     { "explain", 0, NULL, "tell on standard error why each flow block was added" },
     { "stats", 0, NULL, "tell on standard error how much was added" },
     END_OF_OPTIONS },
   run_reconverge,
};

static const command linearize = {
   "linearize",
   "[FILE]",
   "show an order of blocks for machines with one pc",
   "For each flat function its steps: blocks, and for each cycle a latch, where control goes back "
   "as "
   "long as a lane waits at the header. A block at which control may find no lane waiting has a "
   "join, the step to go to then; one without needs no test.",
   { { "explain", 0, NULL,
       "tell on standard error which edge makes each join and latch necessary" },
     END_OF_OPTIONS },
   run_linearize,
};

static const command divergence = {
   "divergence",
   "[FILE]",
   "tell which values and branches differ between lanes",
   "Prints each function with a comment on the line of each value and branch: uniform or "
   "divergent. "
   "What is printed parses back. With --json, one object a value or branch.",
   { { "output", 'o', "FILE", "write there instead of to standard output" },
     { "function", 'f', "NAME", "only this function" },
     { "explain", 'e', NULL, "say of what is divergent why" },
     { "may-move", 'm', "MOVE",
       "instead, whether a value may move to the end of a block, as in %7:b3" },
     END_OF_OPTIONS },
   run_divergence,
};

static const command check_motion = {
   "check-motion",
   "BEFORE AFTER",
   "tell which instructions were moved or merged as they must not be",
   "Compares two shaders. Asked is of what reads other lanes, needs a uniform operand, or reads "
   "memory: may it stand where it stands after, and may it do for those that are gone? What "
   "corresponds is found by names, then by what is computed; blocks by names, or by their place if "
   "the graph is the same. Each fault is told with what makes an operand differ that did not "
   "before, or the branch by which other lanes come.",
   { END_OF_OPTIONS },
   run_check_motion,
};

static const command draw = {
   "draw",
   "[FILE]",
   "draw the tree and the graph of a function",
   "Ifs and loops are clusters around the blocks; edges that go back are marked. DOT is for "
   "Graphviz, SVG is laid out by heddle itself, the outline is for the terminal.",
   { { "output", 'o', "FILE", "write there instead of to standard output" },
     { "format", 't', "FORM", "dot, svg or outline; by the name of the output when it tells" },
     { "function", 'f', "NAME", "this function; the entry when none is named" },
     { "hide-code", 0, NULL, "blocks without their instructions" },
     { "dominance", 'd', NULL, "also edges from immediate dominators" },
     { "post-dominance", 'p', NULL, "also edges from immediate post-dominators" },
     { "divergence", 0, NULL, "blocks at whose end lanes may part say so" },
     END_OF_OPTIONS },
   run_draw,
};

static const command stats = {
   "stats",
   "[FILE]",
   "count what is in a shader",
   "Blocks, nodes, instructions by kind and op, and the bytes that they take. With --json as one "
   "JSON object.",
   { END_OF_OPTIONS },
   run_stats,
};

static const command hash = {
   "hash",
   "[FILE...]",
   "print the hash of what a shader means",
   "Names of values and locations do not change it. With --target it prints the key under which "
   "a cache keeps the code.",
   { { "target", 0, "NAME", "the cache key for this target instead" }, END_OF_OPTIONS },
   run_hash,
};

static const command ops = {
   "ops",
   "[NAME...]",
   "the reference of ops and intrinsics",
   "Lists all with their signatures, or explains those that are named; a name may end in * to "
   "mean all that begin so.",
   { END_OF_OPTIONS },
   run_ops,
};

static const command rules = {
   "rules",
   "[NUMBER...]",
   "the rules that the validator checks",
   "Lists all in words, or those that are named, with the rules that they presume.",
   { END_OF_OPTIONS },
   run_rules,
};

static const command opt = {
   "opt",
   "[FILE]",
   "run passes",
   "Runs the passes in the order given and prints the result as text. Options of a pass follow it "
   "in parentheses: 'if_convert(uniform_cost=8),dce'. HD_VALIDATE=1 in the environment checks all "
   "rules, "
   "the metadata and the text form after each pass; HD_DEBUG=help lists what else can be switched "
   "on there.",
   { { "passes", 'p', "LIST", "names with commas between; `heddle opt --list` shows them" },
     { "optimize", 'O', "LEVEL", "the passes of a standard list: -O2" },
     { "list", 'l', NULL, "list the passes with their options, and the standard lists" },
     { "output", 'o', "FILE", "write there instead of to standard output" },
     { "check", 'c', NULL, "check after each pass, as HD_VALIDATE=1 does" },
     { "skip", 0, "LIST", "leave out these passes" },
     { "print-after", 0, "[LIST]", "print the shader on standard error after a pass changed it" },
     { "stats", 0, NULL,
       "tell time and instructions of each pass; with --json, instead of the "
       "shader" },
     { "verbose", 'v', NULL, "say on standard error what each pass did" },
     END_OF_OPTIONS },
   run_opt,
};

static const command compile = {
   "compile",
   "[FILE]",
   "make machine code for AMD GCN",
   "Compiles the entry and prints assembly, or writes what the name of the output asks for: .s for "
   "text, .bin for code alone, .o for a code object. Kernels are compiled for the HSA interface, "
   "compute shaders for a driver that binds buffers as `heddle run --target` does.",
   { { "target", 't', "CHIP", "gfx600, gfx803 or gfx900, which it is when not given" },
     { "output", 'o', "FILE", "write there instead of to standard output" },
     { "to", 0, "FORM", "text, code or object, whatever the name of the output" },
     { "abi", 0, "ABI", "hsa or driver" },
     { "road", 0, "ROAD", "tree or reconverging: where exec masks come from" },
     { "skip", 0, "WHEN", "cost, always or never: branches over code that no lane runs" },
     { "passes", 'p', "LIST", "run these instead of the list gcn" },
     { "max-sgprs", 0, "N", "use no more scalar registers" },
     { "max-vgprs", 0, "N", "use no more vector registers" },
     { "waves", 0, "N", "leave registers for so many waves a SIMD" },
     { "no-schedule", 0, NULL, "leave instructions in the order of selection" },
     { "check", 'c', NULL, "check the allocation of registers by running it on symbols" },
     { "print-after", 0, "[LIST]", "print the machine code on standard error after each phase" },
     { "source", 0, NULL, "show what each part of the assembly was, as comments" },
     { "stats", 0, NULL, "tell instructions, registers and memory" },
     END_OF_OPTIONS },
   run_compile,
};

static const command reduce = {
   "reduce",
   "[FILE] [-- COMMAND [ARG...]]",
   "the smallest shader on which a command still ends in the same way",
   "Takes away functions, ifs, loops, blocks, instructions, constants, flags and names as long as "
   "the command ends with the same exit status or signal as on the input. The candidate is a file "
   "whose name takes the place of {} in the arguments; where none has it, it is the standard "
   "input. "
   "Every candidate is valid. With --passes instead of a command: as long as the passes still "
   "break "
   "a rule, crash, or change what the shader does.",
   { { "passes", 'p', "LIST", "what goes wrong, instead of a command" },
     { "match", 'm', "TEXT", "and what it prints has this in it" },
     { "timeout", 0, "SECONDS", "of each try; 10 unless given" },
     { "output", 'o', "FILE", "write there instead of to standard output" },
     { "verbose", 'v', NULL, "say on standard error how far it is" },
     END_OF_OPTIONS },
   run_reduce,
};

static const command bisect = {
   "bisect",
   "[FILE] [-- COMMAND [ARG...]]",
   "the first pass after which something is wrong",
   "Runs beginnings of a list of passes, each in a process of its own. Wrong is what breaks a "
   "rule, "
   "crashes, does not end, or changes what the shader does when it is run; with a command: what it "
   "does not end with exit status 0 on, the candidate being a file as for `heddle reduce`. Prints "
   "the "
   "pass, the function if it is one that takes one at a time, and what was said.",
   { { "passes", 'p', "LIST", "the passes" },
     { "optimize", 'O', "LEVEL", "those of a standard list: -O2" },
     { "timeout", 0, "SECONDS", "of each try; 10 unless given" },
     { "output", 'o', "FILE", "write the shader there as it is before that pass" },
     { "verbose", 'v', NULL, "say on standard error what each try was" },
     END_OF_OPTIONS },
   run_bisect,
};

static const command run = {
   "run",
   "[FILE [NAME=BYTES...]]",
   "run a shader on the reference interpreter, or machine code in the simulator",
   "A NAME is SET.BINDING or SET.BINDING.INDEX for a buffer, "
   "image@SET.BINDING:WIDTHxHEIGHTxDEPTH, push, kernarg, global@ADDRESS, arg@N for an "
   "argument of a kernel of SPIR-V, params for the parameters of the function, or, for "
   "graphics stages, inputs@N and outputs@N with N locations of 16 bytes for each "
   "invocation, helpers with a number each, and the name of an intrinsic such as frag_coord "
   "or store_depth. BYTES are @FILE, zero:SIZE, or numbers such as u32:1,2,3; the types are "
   "u8, u16, u32, u64, f32 and f64. An argument can be local:SIZE, memory of the workgroup. "
   "Prints what buffers, images, outputs and global memory hold in the end, undefined "
   "elements as a question mark; with NAME@FILE=BYTES it is written to FILE instead. What a "
   "program may not do is reported with its lane. A FILE that is an HSA code object for "
   "gfx600, gfx803 or gfx900, linked or not, is run by the simulator, strictly. Operands are"
   " the kernel's arguments in their order: values as BYTES, buffers as NAME=BYTES, printed "
   "in the end, or NAME@FILE=BYTES, written to FILE; &BYTES is a pointer to them, null a "
   "pointer to nothing. --trace has a line for each instruction: wave, cycle, address, lanes"
   " of exec.",
   { { "groups", 'g', "SIZES", "workgroups: X, X,Y or X,Y,Z" },
     { "group-size", 's', "SIZES", "invocations in a workgroup, where the shader leaves it open" },
     { "optimize", 'O', "LEVEL", "run the passes of a standard list before: -O2" },
     { "lanes", 'l', "N", "lanes of a wave: 1 to 128; 64 where the shader does not say" },
     { "function", 'f', "NAME", "run this function instead of the entry" },
     { "seed", 0, "N",
       "waves take short turns in a random order: results that differ show a race" },
     { "limit", 0, "N", "give up after so many steps of waves; 0: never; 10^9 when not given" },
     { "trace", 't', "[FORM]",
       "a line for each block that a wave runs, with its lanes: as text, or json" },
     { "mode", 0, "MODE", "sweep, what programs mean; for flat functions also one-pc and linear" },
     { "active", 0, "MASK", "only the lanes of this mask start: the lowest is its last bit" },
     { "offset", 0, "SIZES", "what global_offset gives: X, X,Y or X,Y,Z" },
     { "undef", 0, "N", "the bits that undefined values have; results must not depend on them" },
     { "settle", 0, NULL,
       "nothing is undefined: numbers that follow from --undef are in its place" },
     { "check-uniform", 0, NULL, "watch that what divergence analysis calls uniform is" },
     { "lanes-table", 0, NULL, "show how often each lane ran each block of the function" },
     { "grid", 0, "SIZES",
       "invocations: whole workgroups, but for code objects, where they need not be full" },
     { "target", 0, "CHIP",
       "compile for gfx600, gfx803 or gfx900 and run that: its instructions are traced" },
     { "stats", 0, NULL, "machine code: cycles and instructions" },
     END_OF_OPTIONS },
   run_run,
};

static const command spirv_info = {
   "spirv-info",
   "[FILE]",
   "what a host must know of a module of SPIR-V",
   "Version, capabilities, entry points with the size of their workgroups, buffers by set and "
   "binding, push constants, specialisation constants, and the arguments of the kernel that is "
   "there alone or that --entry names.",
   { END_OF_OPTIONS },
   run_spirv_info,
};

static const command verify_cfg = {
   "verify-cfg",
   "",
   "judge the structurizers on graphs",
   "Makes programs of each graph, changes them in each way that --only names, and runs them before "
   "and after: with full waves, with each lane alone, with random subsets. For each block the "
   "sequence of sets of lanes that run it must be the same, and for each lane what it computes. A "
   "program that fails is made small and printed, with the command that repeats it. In the end, "
   "and "
   "with --json, the sums of what the changes added.",
   { { "blocks", 'b', "N", "all graphs of N inner blocks, 1 to 6" },
     { "ways", 0, "N",
       "of --blocks: with branches to up to so many others, 2 to 4; 2 when not given" },
     { "shapes", 0, "FILE",
       "these: one a line as lists of successors, `[[1,2],[3],[3],[]]`, the entry first" },
     { "random", 'r', "COUNT", "so many random graphs, reducible and irreducible" },
     { "sizes", 0, "SIZES", "how many blocks random graphs have; 10-300 when not given" },
     { "case", 0, "TEXT", "one program, as a failure prints it" },
     { "only", 0, "LIST",
       "of identity, structurize, round-trip, reconverge, lower-returns, linearize, gcn" },
     { "programs", 0, "LIST", "of plain, lanes, uniform, mixed, declared, all" },
     { "seed", 's', "N", "another number gives other programs and random graphs" },
     { "from", 0, "N", "begin with this graph; they are numbered from 0" },
     { "share", 0, "K", "only every K-th graph" },
     { "jobs", 'j', "N", "so many processes; as many as there are processors" },
     { "seconds", 0, "N", "a program that takes longer failed; 60 when not given" },
     { "resume", 0, "FILE", "write down there what was done, and go on from what is written" },
     { "per-graph", 0, NULL, "a line for each graph with what was added" },
     { "quiet", 'q', NULL, "do not show on the terminal how far it is" },
     END_OF_OPTIONS },
   run_verify_cfg,
};

static const command help = {
   "help",
   "[COMMAND]",
   "explain a command, or list them all",
   "",
   { { "man", 0, NULL, "print the man page" },
     { "completion", 0, "SHELL", "print completions for bash or zsh" },
     END_OF_OPTIONS },
   run_help,
};

static const command as = {
   "as",
   "[FILE]",
   "GCN assembly to bytes",
   "The syntax is that of the LLVM assembler: one instruction a line, labels, comments, .long and "
   "the like. The output is raw code.",
   { { "target", 0, "NAME", "gfx600, gfx803 or gfx900 (the default)" },
     { "output", 'o', "FILE", "write to this file instead of standard output" },
     END_OF_OPTIONS },
   run_as,
};

static const command dis = {
   "dis",
   "[FILE]",
   "bytes to GCN assembly",
   "Raw code, or the executable segments of a code object, which says its target itself. What "
   "'heddle as' makes of the text are the same bytes.",
   { { "target", 0, "NAME", "gfx600, gfx803 or gfx900 (the default)" },
     { "output", 'o', "FILE", "write to this file instead of standard output" },
     { "words", 0, NULL, "address and words behind each instruction" },
     END_OF_OPTIONS },
   run_dis,
};

const command *const commands[] = {
   &as,         &dis,        &validate,   &print,       &convert,     &divergence, &check_motion,
   &draw,       &stats,      &hash,       &ops,         &rules,       &opt,        &compile,
   &reduce,     &bisect,     &run,        &structurize, &unstructure, &linearize,  &lower_returns,
   &reconverge, &spirv_info, &verify_cfg, &help,        NULL,
};
