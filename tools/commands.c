/* SPDX-License-Identifier: MIT */
/* commands.c - the table of subcommands and options: usage, help, man page and completion come from
 * it.
 */
#include "tool.h"

const option common_options[] = {
   { "json", 0, NULL, "print diagnostics, and results where noted, as one JSON object per line" },
   { "color", 0, "WHEN", "auto (only on a terminal), always or never" },
   { "no-validate", 0, NULL, "do not validate the input" },
   { "entry", 0, "NAME", "SPIR-V: the entry point; optional if there is only one" },
   { "stage", 0, "NAME",
     "SPIR-V: only entry points of this stage: vertex, fragment, compute, kernel" },
   { "in-bounds", 0, NULL, "SPIR-V: no access is out of the bounds of its buffer" },
   { "robust", 0, NULL,
     "SPIR-V: accesses out of bounds leave those inside alone (robustBufferAccess)" },
   { "spec", 0, "LIST", "SPIR-V: specialisation constants, a comma-separated list of ID=VALUE" },
   { "intrinsics", 0, "FILE",
     "a driver's own intrinsics, a line each; doc/own-intrinsics.md has the notation" },
   { "max-memory", 0, "BYTES", "give up when an input or a shader takes more; default: 2 GiB" },
   { "max-steps", 0, "N",
     "give up when a call takes more work, about one step an instruction; "
     "default: " DEFAULT_STEPS_TEXT },
   { "unlimited", 0, NULL, "no default for --max-memory and --max-steps" },
   { "help", 'h', NULL, "show the help of this command" },
   END_OF_OPTIONS,
};

static const command validate = {
   "validate",
   "[FILE...]",
   "check every rule of the IR",
   "Prints one diagnostic for each broken rule, with its number; `heddle rules` explains "
   "them. No output means that the input is valid. The exit status is 0 if every file is "
   "valid, else 1.",
   { { "quiet", 'q', NULL, "print nothing; only the exit status tells" },
     { "reconverging", 0, NULL,
       "also check that divergent branches of flat functions reconverge (CV2)" },
     { "keeps-sweep", 0, NULL, "also check that they keep the sweep order (CV3)" },
     END_OF_OPTIONS },
   run_validate,
};

static const command print = {
   "print",
   "[FILE]",
   "print as text",
   "What is printed parses back to the same shader, and prints as the same text again.",
   { { "output", 'o', "FILE", "write to this file instead of standard output" },
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
   "convert between the text and the binary form",
   "Writes the form that the input does not have, unless --to says which.",
   { { "output", 'o', "FILE", "write to this file instead of standard output" },
     { "to", 't', "FORM", "text or binary" },
     END_OF_OPTIONS },
   run_convert,
};

static const command structurize = {
   "structurize",
   "[FILE]",
   "structurize flat functions",
   "Turns any CFG, reducible or not, into a tree of ifs and loops. No block is duplicated, "
   "and every block runs with the same lanes as before. Structured functions are printed "
   "unchanged.",
   { { "output", 'o', "FILE", "write to this file instead of standard output" },
     { "explain", 0, NULL, "explain on standard error why each test was added" },
     { "stats", 0, NULL, "print on standard error how much was added" },
     END_OF_OPTIONS },
   run_structurize,
};

static const command unstructure = {
   "unstructure",
   "[FILE]",
   "lower structured functions to a flat CFG",
   "Prints the same blocks with gotos. The header, the members and the continue block of "
   "each loop are declared, so that `heddle structurize` restores the tree. Loops that "
   "cannot repeat become straight-line code; unreachable blocks are dropped.",
   { { "output", 'o', "FILE", "write to this file instead of standard output" },
     { "explain", 0, NULL,
       "explain on standard error why each block is declared; no code is added" },
     END_OF_OPTIONS },
   run_unstructure,
};

static const command lower_returns = {
   "lower-returns",
   "[FILE]",
   "merge the returns of each function into one",
   "The returns branch to a new block that returns their values; in a tree they leave a loop "
   "that runs once. Lanes that halt are not affected.",
   { { "output", 'o', "FILE", "write to this file instead of standard output" }, END_OF_OPTIONS },
   run_lower_returns,
};

static const command reconverge = {
   "reconverge",
   "[FILE]",
   "add explicit reconvergence points",
   "Each divergent branch gets two successors, one of which post-dominates it, as machines "
   "with one program counter and a mask per branch require. Every block runs with the same "
   "lanes as before. Uniform branches stay as they are. Structured functions are flattened "
   "first.",
   { { "output", 'o', "FILE", "write to this file instead of standard output" },
     { "order", 0, "ORDER",
       "default, depth-first, breadth-first, reverse-post-order, or blocks: b0,b2,b1" },
     { "keep-reconverging", 0, NULL, "keep branches that reconverge, though not in sweep order" },
     { "explain", 0, NULL, "explain on standard error why each flow block was added" },
     { "stats", 0, NULL, "print on standard error how much was added" },
     END_OF_OPTIONS },
   run_reconverge,
};

static const command linearize = {
   "linearize",
   "[FILE]",
   "show a linear block order for machines with one program counter",
   "Prints for each flat function its steps: blocks, and for each cycle a latch, where "
   "control goes back while a lane waits at the header. A block that control may reach "
   "without a waiting lane has a join, the step to go to in that case; a block without a "
   "join needs no test.",
   { { "explain", 0, NULL,
       "explain on standard error which edge makes each join and latch necessary" },
     END_OF_OPTIONS },
   run_linearize,
};

static const command divergence = {
   "divergence",
   "[FILE]",
   "report which values and branches are divergent",
   "Prints each function with a comment on each value and branch: uniform or divergent. The "
   "output parses. With --json it prints one object per value or branch.",
   { { "output", 'o', "FILE", "write to this file instead of standard output" },
     { "function", 'f', "NAME", "only this function" },
     { "explain", 'e', NULL, "explain why values are divergent" },
     { "may-move", 'm', "MOVE",
       "instead, report whether a value may move to the end of a block: %7:b3" },
     END_OF_OPTIONS },
   run_divergence,
};

static const command check_motion = {
   "check-motion",
   "BEFORE AFTER",
   "report illegal code motion",
   "Compares two versions of a shader. Checks each instruction that reads other lanes, needs "
   "a uniform operand or reads memory: may it be where it is now, and may it replace "
   "the removed ones? Values are matched by name, then by what they compute; blocks by "
   "name, or by position if the CFG is the same. A report names what makes an operand differ "
   "between lanes that did not before, or the branch by which other lanes arrive.",
   { END_OF_OPTIONS },
   run_check_motion,
};

static const command draw = {
   "draw",
   "[FILE]",
   "draw the tree and the CFG of a function",
   "Ifs and loops are clusters around their blocks; back edges are marked. DOT is for "
   "Graphviz, SVG is laid out by heddle, the outline is for the terminal.",
   { { "output", 'o', "FILE", "write to this file instead of standard output" },
     { "format", 't', "FORM", "dot, svg or outline; default: by the extension of the output" },
     { "function", 'f', "NAME", "this function; default: the entry" },
     { "hide-code", 0, NULL, "leave out the instructions of blocks" },
     { "dominance", 'd', NULL, "add edges from immediate dominators" },
     { "post-dominance", 'p', NULL, "add edges from immediate post-dominators" },
     { "divergence", 0, NULL, "mark blocks that end in a divergent branch" },
     END_OF_OPTIONS },
   run_draw,
};

static const command diff = {
   "diff",
   "FILE FILE",
   "compare two shaders by structure",
   "Prints, block by block, what the second shader has more (+) and less (-) than the first, what was moved (>) and "
   "what was changed (~). Names, numbers, locations and the order of independent instructions are no "
   "difference. Each may be text, the binary form or a module. Exit code 1: they differ, or one of them is invalid, which standard error says.",
   { END_OF_OPTIONS },
   run_diff,
};

static const command link_stages = {
   "link-stages",
   "VERTEX FRAGMENT",
   "make a vertex and a fragment shader fit each other",
   "Removes components of outputs that the fragment shader does not read, makes constants of inputs that the vertex shader "
   "stores constants to, lets components that always hold the same value be one, and packs what is left into "
   "locations from 0 on. Prints what was done.",
   { { "vertex", 0, "FILE", "write the vertex shader to this file" },
     { "fragment", 0, "FILE", "write the fragment shader to this file" },
     END_OF_OPTIONS },
   run_link_stages,
};

static const command explore = {
   "explore",
   "[FILE [NAME=BYTES...]]",
   "make a page that shows what happened to a shader",
   "Compiles the entry point, or runs the passes that --passes lists, and writes one HTML file that "
   "needs nothing else: source, input and the IR after each pass side by side. Pointing at a line "
   "shows in all of them what it came from and became. With memories, as for `heddle run`, or a number of "
   "workgroups it is run, too, in the interpreter and as machine code, and the page shows what each lane did. With --json it writes the data of the page, "
   "whose schema is doc/explorer-schema.json.",
   { { "target", 't', "NAME", "compile for this target" },
     { "passes", 'p', "LIST",
       "run these passes instead of the machine's pipeline; without --target, "
       "these alone" },
     { "quick", 0, NULL, "compile in less time: few passes besides those that the machine needs" },
     { "lowering", 0, "LOWERING",
       "the control-flow lowering; default: the first that the target has" },
     { "source", 0, "FILE", "the source that locations name, where the input does not have it" },
     { "groups", 'g', "SIZES", "run it, with so many workgroups: X, X,Y or X,Y,Z" },
     { "group-size", 's', "SIZES", "invocations in a workgroup, where the shader leaves it open" },
     { "grid", 0, "SIZES", "run it, with so many invocations: X, X,Y or X,Y,Z" },
     { "offset", 0, "SIZES", "the result of global_offset: X, X,Y or X,Y,Z" },
     { "active", 0, "MASK", "start only these lanes of each wave (hexadecimal)" },
     { "seed", 0, "N", "random order of waves" },
     { "limit", 0, "N", "give up after N instructions; default: 10^9" },
     { "against", 0, "FILE", "compare with this shader, in the same page" },
     { "against-target", 0, "NAME", "compare with what is made for this target" },
     { "against-passes", 0, "LIST", "compare with what these passes make" },
     { "against-lowering", 0, "LOWERING", "compare with this control-flow lowering" },
     { "no-times", 0, NULL, "leave out how long passes took: the same input gives the same file" },
     { "output", 'o', "FILE", "write to this file instead of standard output" },
     END_OF_OPTIONS },
   run_explore,
};

static const command stats = {
   "stats",
   "[FILE]",
   "count the parts of a shader",
   "Counts blocks, nodes, and instructions by kind and op, with the memory that they take. "
   "With --json it prints one JSON object.",
   { { "compare", 0, "FILE", "print what differs from this shader, which comes first" },
     END_OF_OPTIONS },
   run_stats,
};

static const command hash = {
   "hash",
   "[FILE...]",
   "print the hash of the meaning of a shader",
   "Names of values and source locations do not change it. With --target it prints the key "
   "under which a cache stores the compiled code.",
   { { "target", 0, "NAME", "print the cache key for this target instead" }, END_OF_OPTIONS },
   run_hash,
};

static const command ops = {
   "ops",
   "[NAME...]",
   "reference of ops and intrinsics",
   "Lists all with their signatures, or explains those that are named. A name that ends in * "
   "stands for all with that prefix.",
   { END_OF_OPTIONS },
   run_ops,
};

static const command rules = {
   "rules",
   "[NUMBER...]",
   "reference of the validation rules",
   "Lists all rules, or those that are named, with the rules that they presume.",
   { END_OF_OPTIONS },
   run_rules,
};

static const command opt = {
   "opt",
   "[FILE]",
   "run passes",
   "Runs passes in the order given and prints the result as text. Options of a pass follow "
   "it in parentheses: 'if_convert(uniform_cost=8),dce'. HD_VALIDATE=1 in the environment "
   "checks all rules, the metadata and the text form after each pass; HD_DEBUG=help lists "
   "further checks.",
   { { "passes", 'p', "LIST", "comma-separated names; `heddle opt --list` lists them" },
     { "optimize", 'O', "LEVEL", "run a standard pipeline: -O2" },
     { "list", 'l', NULL, "list the passes with their options, and the standard pipelines" },
     { "output", 'o', "FILE", "write to this file instead of standard output" },
     { "check", 'c', NULL, "check after each pass, as HD_VALIDATE=1 does" },
     { "skip", 0, "LIST", "skip these passes" },
     { "print-after", 0, "[LIST]", "print the shader on standard error after a pass changed it" },
     { "stats", 0, NULL,
       "print time and instructions of each pass; with --json, instead of the shader" },
     { "verbose", 'v', NULL, "report on standard error what each pass did" },
     END_OF_OPTIONS },
   run_opt,
};

static const command compile = {
   "compile",
   "[FILE...]",
   "compile to machine code",
   "Compiles the entry point and prints assembly, or writes what the extension of the output "
   "asks for: .s for text, .bin for raw code, .o or .hsaco for a code object. Kernels are "
   "compiled for the HSA interface, compute shaders for a driver that binds buffers as `heddle "
   "run --target` does. There is one FILE, except with --all-kernels. --color-formats=LIST has the export format of each "
   "colour target of a fragment shader: none, 32_r, 32_gr, 32_ar, fp16_abgr, unorm16_abgr, snorm16_abgr, uint16_abgr, "
   "sint16_abgr or 32_abgr.",
   { { "target", 't', "NAME", "compile for this target" },
     { "output", 'o', "FILE", "write to this file instead of standard output" },
     { "to", 0, "FORM", "text, code or object; default: by the extension of the output" },
     { "all-kernels", 'a', NULL,
       "put every kernel of SPIR-V modules, and those of other files, in one code object" },
     { "abi", 0, "ABI", "hsa or driver" },
     { "lowering", 0, "LOWERING",
       "the control-flow lowering; default: the first that the target has" },
     { "skip", 0, "WHEN", "branches around inactive code: cost (default), always or never" },
     { "color-formats", 0, "LIST",
       "export formats of targets 0, 1, ... of a fragment shader; default: 32_abgr" },
     { "passes", 'p', "LIST", "run these passes instead of the machine's pipeline" },
     { "optimize", 'O', "LEVEL", "2 (default), 1: as --quick, or 0: nothing is scheduled either" },
     { "quick", 0, NULL, "compile in less time: few passes besides those that the machine needs" },
     { "max-sgprs", 0, "N", "limit of scalar registers" },
     { "max-vgprs", 0, "N", "limit of vector registers" },
     { "extra-scratch", 0, "N", "leave this many bytes of scratch unused before spilled values" },
     { "waves", 0, "N", "occupancy to reach: waves per SIMD" },
     { "no-schedule", 0, NULL, "do not schedule instructions" },
     { "full-size", 0, NULL, "no instruction has its short form" },
     { "check", 'c', NULL, "verify the register allocation symbolically" },
     { "print-after", 0, "[LIST]", "print the machine code on standard error after each phase" },
     { "source", 0, NULL, "show the IR of each part of the assembly as comments" },
     { "stats", 0, NULL, "print counts of instructions, registers and memory" },
     END_OF_OPTIONS },
   run_compile,
};

static const command compare = {
   "compare",
   "[FILE [NAME=BYTES...]]",
   "compare the machine code of every target",
   "Compiles the entry point for each target of the build, with each control-flow lowering that "
   "the target has, and prints a table: instructions, of these masks, which only manage lanes "
   "(a dash where a machine does not count them), branches, scalar and vector registers, bytes of code. A target that "
   "refuses the shader says why. With --json it prints one object per row. The exit status is "
   "1 if every target refuses the shader. With memories, as for `heddle run`, or a number of workgroups "
   "the code is run, and the table has the issued instructions and how many of the lanes were active in "
   "them. With --html, or an output, it draws the lanes of each run side by side.",
   { { "html", 0, NULL, "write a page with the pictures of all runs" },
     { "output", 'o', "FILE",
       "write the pictures to this file: .svg, or .html; default: standard output" },
     { "groups", 'g', "SIZES", "run it, with so many workgroups: X, X,Y or X,Y,Z" },
     { "group-size", 's', "SIZES", "invocations in a workgroup, where the shader leaves it open" },
     { "grid", 0, "SIZES", "run it, with so many invocations: X, X,Y or X,Y,Z" },
     { "offset", 0, "SIZES", "the result of global_offset: X, X,Y or X,Y,Z" },
     { "active", 0, "MASK", "start only these lanes of each wave (hexadecimal)" },
     { "seed", 0, "N", "random order of waves" },
     { "limit", 0, "N", "give up after N instructions; default: 10^5" },
     END_OF_OPTIONS },
   run_compare,
};

static const command db = {
   "db",
   "run FOLDER | compare BEFORE AFTER",
   "measure the machine code of many modules, compare the figures",
   "`db run` compiles each file in a folder and writes a file with a row of figures, a JSON object, for "
   "each, or why the target refuses it. Rows that are there already are kept: a run that was ended "
   "goes on, and shares of several machines may go to files of their own, which are joined with cat. "
   "`db compare` prints the sums and geometric means of all modules that are in both files, and those "
   "that changed most.",
   { { "target", 't', "NAME", "compile for this target" },
     { "output", 'o', "FILE", "run: the file of the figures" },
     { "share", 0, "PART", "run: K/N, only the K-th of N equal parts of the files" },
     { "jobs", 'j', "N", "run: processes; default: as many as the machine has cores" },
     { "key", 'k', "NAME", "compare: the figure to sort by; default: instructions" },
     { "html", 0, NULL, "compare: print a page of HTML" },
     END_OF_OPTIONS },
   run_db,
};

static const command reduce = {
   "reduce",
   "[FILE] [-- COMMAND [ARG...]]",
   "reduce a shader to the smallest that still shows a failure",
   "Removes functions, ifs, loops, blocks, instructions, constants, flags and names while "
   "the command ends with the same exit status or signal as on the input. {} in its "
   "arguments stands for the name of the candidate file; without it, the candidate is on "
   "standard input. Every candidate is valid. With --passes instead of a command, a "
   "candidate fails if the passes break a rule, crash, or change what the shader computes.",
   { { "passes", 'p', "LIST", "the passes that fail, instead of a command" },
     { "match", 'm', "TEXT", "also require that the output contains this" },
     { "timeout", 0, "SECONDS", "time limit of each try; default: 10" },
     { "output", 'o', "FILE", "write to this file instead of standard output" },
     { "verbose", 'v', NULL, "report progress on standard error" },
     END_OF_OPTIONS },
   run_reduce,
};

static const command bisect = {
   "bisect",
   "[FILE] [-- COMMAND [ARG...]]",
   "find the first pass after which something is wrong",
   "Tests prefixes of the pass list, each in a process of its own. A prefix fails if it "
   "breaks a rule, crashes, does not end, or changes what the shader computes; with a "
   "command, if the command does not exit with 0 on the result, which it gets as for `heddle "
   "reduce`. Prints the pass, the function for a pass that takes one at a time, and the "
   "diagnostics.",
   { { "passes", 'p', "LIST", "the passes" },
     { "optimize", 'O', "LEVEL", "the passes of a standard pipeline: -O2" },
     { "timeout", 0, "SECONDS", "time limit of each try; default: 10" },
     { "output", 'o', "FILE", "write the shader as it is before that pass to this file" },
     { "verbose", 'v', NULL, "report each try on standard error" },
     END_OF_OPTIONS },
   run_bisect,
};

static const command run = {
   "run",
   "[FILE [NAME=BYTES...]]",
   "run a shader on the reference interpreter, or machine code in the simulator",
   "A NAME is SET.BINDING or SET.BINDING.INDEX for a buffer, "
   "image@SET.BINDING:WIDTHxHEIGHTxDEPTH:FORMAT:levelsN:layersN:samplesN, "
   "sampler@SET.BINDING, push, kernarg, global@ADDRESS, arg@N for an "
   "argument of a SPIR-V kernel (image@0.N and sampler@0.N where it is one), n for the parameter %n of the function, params for all of them "
   "in order. Graphics stages "
   "have inputs@N and outputs@N with N locations of 16 bytes for each invocation, corners@N with those "
   "of the three vertices of its primitive, helpers "
   "with a number each, and the names of intrinsics such as frag_coord, store_depth or barycentric.noperspective.centroid. BYTES "
   "are @FILE, zero:SIZE, or numbers such as u32:1,2,3; the types are u8, u16, u32, u64, f32 "
   "and f64. A sampler is said in words: linear, mip_linear, clamp_to_edge, x_repeat, opaque_white, "
   "less, bias:0.5, min:0, max:3, unnormalized. An argument can be local:SIZE, memory of the workgroup. Prints the final "
   "contents of buffers, images, outputs and global memory, undefined elements as a question "
   "mark; NAME@FILE=BYTES writes them to FILE instead. Illegal operations are reported with "
   "their lane. A FILE that is an HSA code object of a target, linked or "
   "not, is run by the simulator in strict mode. Operands are then the arguments of the "
   "kernel that --function chooses: NAME=BYTES is the argument of this name, all others are "
   "taken in order; image@0.N and sampler@0.N are argument N. What buffers hold in the end is printed, with NAME@FILE=BYTES written to "
   "FILE; &BYTES is a pointer to them, null a null pointer, local:SIZE memory of the "
   "workgroup. Where no note describes the arguments, those with a name are buffers. "
   "--trace prints a line for each instruction: wave, cycle, address, active lanes. "
   "--draw=SCENE draws with the vertex shader FILE and the fragment shader that is the next operand: SCENE is a text of "
   "lines such as `size 64 64`, `topology triangle_list`, `vertices 3`, `buffer stride=20 f32:...`, `attribute 0 0 0 "
   "rgb32_float`, `color rgba8_unorm clear=0,0,0,1 blend=over`, `depth r32_float less`; doc/drawing.md has all of "
   "them. Without --output, attachments are printed, a row of texels a line, in hexadecimal digits.",
   { { "groups", 'g', "SIZES", "workgroups: X, X,Y or X,Y,Z" },
     { "group-size", 's', "SIZES", "invocations in a workgroup, where the shader leaves it open" },
     { "optimize", 'O', "LEVEL", "first run a standard pipeline: -O2" },
     { "lanes", 'l', "N", "lanes of a wave: 1 to 128; default: what the shader asks for, else 64" },
     { "function", 'f', "NAME", "run this function instead of the entry" },
     { "seed", 0, "N", "schedule waves in short random turns; results that differ show a race" },
     { "limit", 0, "N", "stop after this many steps of waves; 0: no limit; default: 10^9" },
     { "trace", 't', "[FORM]",
       "print a line for each block that a wave runs, with its lanes: text or json" },
     { "mode", 0, "MODE",
       "sweep (the meaning of programs); for flat functions also one-pc or linear" },
     { "active", 0, "MASK", "start only the lanes of this mask; bit 0 is lane 0" },
     { "offset", 0, "SIZES", "the result of global_offset: X, X,Y or X,Y,Z" },
     { "work-dim", 0, "N", "the result of work_dim: 1 to 3; default: up to the last size above 1" },
     { "undef", 0, "N", "the bits of undefined values; results must not depend on them" },
     { "freeze-undefined", 0, NULL, "replace undefined values by numbers derived from --undef" },
     { "check-uniform", 0, NULL, "check at run time that uniform values are uniform" },
     { "lanes-table", 0, NULL, "show how often each lane ran each block of the function" },
     { "grid", 0, "SIZES",
       "invocations: whole workgroups, except for code objects, whose last may be partial" },
     { "target", 0, "NAME", "simulate machine code of this target" },
     { "lowering", 0, "LOWERING",
       "the control-flow lowering; default: the first that the target has" },
     { "max-sgprs", 0, "N", "with --target: use at most this many scalar registers" },
     { "max-vgprs", 0, "N", "with --target: use at most this many vector registers" },
     { "extra-scratch", 0, "N",
       "with --target: leave this many bytes of scratch unused before spilled values" },
     { "check", 'c', NULL, "with --target: verify the register allocation symbolically" },
     { "stats", 0, NULL,
       "print cycles and instruction counts of machine code; with --draw, of the draw" },
     { "draw", 0, "SCENE",
       "draw: FILE is a vertex shader, the operand after it a fragment shader" },
     { "output", 'o', "FILE", "with --draw: write the first color attachment as a PNG picture" },
     END_OF_OPTIONS },
   run_run,
};

static const command spirv_info = {
   "spirv-info",
   "[FILE]",
   "print the interface of a SPIR-V module",
   "Prints version, capabilities, entry points with their workgroup sizes, buffers by set "
   "and binding, push constants, specialisation constants, and the arguments of the only "
   "kernel or of the one that --entry names.",
   { END_OF_OPTIONS },
   run_spirv_info,
};

static const command verify_cfg = {
   "verify-cfg",
   "",
   "test the structurizers differentially on many CFGs",
   "Makes programs of each CFG, transforms them in each way that --only names, and runs them "
   "before and after: with full waves, with each lane alone, with random subsets of lanes. "
   "For each block the sequence of sets of lanes that run it must be the same, and for each "
   "lane what it computes. A MACHINE of --only stands for its code in its simulator. A program that fails is reduced and printed with the command that "
   "repeats it. At the end, and with --json, it prints the totals of what the "
   "transformations added.",
   { { "blocks", 'b', "N", "all CFGs with N inner blocks, 1 to 6" },
     { "ways", 0, "N", "for --blocks: most successors of a block, 2 to 4; default: 2" },
     { "shapes", 0, "FILE",
       "CFGs from a file, one per line: `[[1,2],[3],[3],[]]`, successors of each block" },
     { "random", 'r', "COUNT", "this many random CFGs, reducible and irreducible" },
     { "sizes", 0, "SIZES", "number of blocks of random CFGs; default: 10-300" },
     { "case", 0, "TEXT", "one program, as printed by a failure" },
     { "only", 0, "LIST",
       "identity, structurize, round-trip, reconverge, lower-returns, linearize, MACHINE" },
     { "programs", 0, "LIST", "of plain, lanes, uniform, mixed, declared, all" },
     { "seed", 's', "N", "seed of programs and random CFGs" },
     { "from", 0, "N", "number of the first CFG, from 0" },
     { "share", 0, "K", "only every K-th CFG" },
     { "jobs", 'j', "N", "number of processes; default: number of processors" },
     { "seconds", 0, "N", "time limit of a program; default: 60" },
     { "resume", 0, "FILE", "record progress in this file, and resume from it" },
     { "per-graph", 0, NULL, "print a line for each CFG with what was added" },
     { "quiet", 'q', NULL, "do not show progress on the terminal" },
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
   "assemble machine code",
   "Takes what `heddle dis` prints, the syntax of the machine's usual assembler: one instruction per line, labels, comments, "
   ".long and the like. The output is raw code.",
   { { "target", 0, "NAME", "the code is for this target" },
     { "output", 'o', "FILE", "write to this file instead of standard output" },
     END_OF_OPTIONS },
   run_as,
};

static const command dis = {
   "dis",
   "[FILE]",
   "disassemble machine code",
   "Takes raw code, or a code object, whose executable segments are printed and which names "
   "its target itself. `heddle as` assembles the text to the same bytes.",
   { { "target", 0, "NAME", "the code is for this target" },
     { "output", 'o', "FILE", "write to this file instead of standard output" },
     { "words", 0, NULL, "print address and encoding after each instruction" },
     END_OF_OPTIONS },
   run_dis,
};

const command *const commands[] = {
   &as,           &dis,           &validate,   &print,       &convert,     &divergence,
   &check_motion, &draw,          &diff,       &link_stages, &explore,     &stats,
   &hash,         &ops,           &rules,      &opt,         &compile,     &compare,
   &db,           &reduce,        &bisect,     &run,         &structurize, &unstructure,
   &linearize,    &lower_returns, &reconverge, &spirv_info,  &verify_cfg,  &help,
   NULL,
};
