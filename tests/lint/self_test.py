#!/usr/bin/python3
"""Every lint test passes on good input, and fails on bad input and without input.

usage: self_test.py COMPILER
"""
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
compiler = sys.argv[1]
failures = []
n_cases = 0


def case(test, expected, files, *arguments, why=""):
    """Runs `test` in a folder of `files`. It must return the exit code `expected` and
    print the text `why`. {0} in an argument is the folder."""
    global n_cases
    n_cases += 1
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write(text)
            if name.endswith(".o.cc"):
                subprocess.run([compiler, "-O0", "-c", path, "-o", path[:-3]], check=True)
                os.remove(path)
        run = subprocess.run(
            [os.path.join(HERE, test + ".py"), *(a.format(folder) for a in arguments)],
            capture_output=True, text=True)
        if run.returncode != expected or why not in run.stdout:
            failures.append(f"{test} with {sorted(files)}: exit code {run.returncode}, "
                            f"expected {expected} and '{why}'\n{run.stdout}{run.stderr}")


def both(test, good, bad, *arguments, why):
    case(test, 0, good, *arguments)
    case(test, 1, bad, *arguments, why=why)
    case(test, 1, {}, *arguments, why="nothing was checked")


both("file_length", {"run": "#!/bin/sh\n" * 400}, {"run": "#!/bin/sh\n" * 401}, "{0}",
     why="401 lines")
both("file_length", {"source/a.inc": "\n"}, {"elsewhere/a.inc": "\n", "elsewhere/a.cc": "\n"}, "{0}",
     why="elsewhere/a.cc: its 1 lines belong to no product")
case("file_length", 1, {f"source/program/{k}.cc": "\n" * 400 for k in range(200)}, "{0}",
     why="core: 80000 lines, at most")

both("layers", {"source/base/a.cc": "", "source/space/a.cc": "#include <tessera/base/a.h>\n"},
     {"source/base/a.cc": "#  include <tessera/space/a.h>\n"}, "{0}", "base", "space",
     why="source/base/a.cc includes a header of space, a layer above base")
case("layers", 1, {"include/tessera/base/a.h": '#include "../space/a.h"\n'}, "{0}", "base", "space",
     why="a layer above base")
rooms = {"source/fem/mesh/a.cc": "#include <tessera/fem/input/a.h>\n#include <tessera/base/a.h>\n"}
both("layers", rooms, {"source/fem/input/a.cc": '#include "../mesh/a.h"\n'}, "{0}", "base",
     "fem/input", "fem/mesh", why="a header of fem/mesh, a layer above fem/input")
case("layers", 1, {"source/base/a.cc": '#include "../../applications/a/a.h"\n'}, "{0}", "base",
     why="a header of an application")

above = {"source/study/operators/a.cc": 'D describe() {\n  OperatorDescriptor d{\n    "a_b", "text"};\n}'
                                        "\nconst Registration<OperatorDescriptor> a(describe);\n",
         "source/fem/driver/b.cc": 'LevelMaker describe() { return {"hm", "text"}; }\n'
                                   "const Registration<LevelMaker> b(describe);\n",
         "applications/heat/main.cc": "", "applications/elasticity/main.cc": "",
         "applications/template/main.cc": "",
         "include/tessera/forms/f.h": "Form elasticity(double);\n"}
core = "source/base/c.cc"
both("core_names", {**above, core: '#include "../a_b.h"\n// a_b, heat\ntemplate <class T> f("a_bc heat");\n'},
     {**above, core: 'int i;\nif (name == "a_b")'}, "{0}", "base", "forms",
     why="source/base/c.cc:2 names a_b, registered by source/study/operators/a.cc")
for line, why in (('f("see a_b")', "names a_b"), ("int hm;", "names hm"), ('"heat"', "an application"),
                  ("dealii::Point p;", "deal.II's namespace"),
                  ("enum class DealiiCells;", "names Dealii, deal.II's namespace"), ("elasticity();", "names elasticity")):
    case("core_names", 1, {**above, core: line}, "{0}", "base", "forms", why=why)
for line, expected in (("spring_forces();", 1), ('"the stress"', 1), ("// stress", 0), ("int constress;", 0)):
    case("core_names", expected, {**above, core: 'f("a_bc");', "source/fem/fields/c.cc": line}, "{0}", "base",
         "forms", why="a word of an application" if expected else "0 problems")
case("core_names", 0, {**above, core: "int i;", "source/fem/mesh/c.cc": "contact();"}, "{0}", "base", "forms")
case("core_names", 1, {**above, "include/tessera/forms/f.h": ""}, "{0}", "forms",
     why="the exception elasticity is not needed any more")
case("core_names", 1, {core: ""}, "{0}", "base", why="no name was found")

forms = {"include/tessera/forms/forms.def": "TESSERA_FORM(\n  mass,\n  \"c u\",\n  \"\",\n  Mass, 4, "
                                              "double)\n"}
for line, expected in (("// Like mass(c), the form of Mass<dim>.", 0), ("A = mass(c);", 1),
                       ("A = tessera::mass(c);", 1), ("A = n.mass(c);", 0),
                       ("#include <tessera/forms/mass.h>", 1), ("Mass<3>::apply(p);", 1)):
    case("forms", expected, {**forms, "source/fem/mesh/a.cc": line + "\n"}, "{0}",
         why="names the form of" if expected else "0 problems")
case("forms", 1, {}, "{0}", why="nothing was checked")

style = "Language: Cpp\nBasedOnStyle: LLVM\n"
for name, expected in (("int a;\n", 0), ("int   a;\n", 1)):
    run_files = {".clang-format": style, "a.cc": name}
    if shutil.which("clang-format") or shutil.which("clang-format-14"):
        case("format", expected, run_files, "{0}")

for line, why in (("// TO" "DO: all", "a note to self"), ("#if " "0", "switched-off"),
                  ("path = /home" "/ada/mesh.msh", "a path of one machine")):
    case("words", 1, {"a.cc": "int a;\n" + line + "\n"}, "{0}", why="a.cc:2: " + why)
for text, expected in (("the values of the owners", 0), ("everything else, so that of nodes", 0),
                       ("it was in vain", 1), ("all is said", 1), ("large but\n  // for edges", 1)):
    case("words", expected, {"include/a.h": f"  // {text}\n"}, "{0}", why="1 problem" * expected)
    case("words", 0, {"source/a.h": f"// {text}\n", "a.prm": f"# test-error: but for\nset a = {text}\n"},
         "{0}")
    text = text.replace("//", "#")
    case("words", expected, {"a.prm": f"# {text}\n# test-error: in vain\n"}, "{0}", why="1 problem" * expected)
case("words", 1, {"doc/a.md": "or\nelse " * 2}, "{0}", why="2 places, at most 0")
for text, expected in (("// the sum, so that of\n", 0), ("int those_of;\n", 0), ("// those\n// of one\n", 1),
                       ('f("that "\n  "of one");\n', 1)):
    case("words", expected, {"source/a.cc": text * 60}, "{0}", why="60 places" * expected)
for text, expected in (("the end of the time", 0), ("of the time", 1)):
    case("words", expected, {"doc/parameters.md": f"| `End` | `1` | A number | {text} |\n" * 99}, "{0}",
         why="99 places" * expected)
both("words", {"a.cc": "// home/ada, /usr/include\n"}, {"b.md": "HA" "CK\n"}, "{0}", why="b.md:1")

header = "#pragma once\n#include <string>\nstd::string f();\n"
both("headers_self_contained",
     {"include/tessera/a.h": header},
     {"include/tessera/a.h": header.replace("#include <string>\n", "")},
     "{0}", "{0}/build", compiler, why="include/tessera/a.h")
# b.h compiles only after a.h: a source that begins with it is compiled by the build.
needy = {"include/tessera/a.h": header, "include/tessera/b.h": "#pragma once\nstd::string g();\n"}
for line, expected in (("#include <tessera/b.h>\n", 0), ("int i;\n#include <tessera/b.h>\n", 1)):
    case("headers_self_contained", expected, {**needy, "source/base/b.cc": "// B.\n\n" + line},
         "{0}", "{0}/build", compiler)
case("headers_self_contained", 1, {"include/tessera/a.h": header.replace("#pragma once\n", "")},
     "{0}", "{0}/build", compiler, why="no #pragma once")

guarded = "#ifdef __CUDACC__\n#  error \"not for nvcc\"\n#endif\n"
device = "source/CMakeFiles/tessera_device.dir/a.cu.o.d"
both("no_dealii_in_cuda",
     {device: "a.cu.o: a.cu \\\n a.h\n", "include/tessera/fem/a.h": guarded,
      "include/tessera/fem/b.h": "#include <tessera/fem/a.h>\n"},
     {device: "a.cu.o: a.cu \\\n /usr/include/deal.II/base/point.h\n"},
     "{0}", "{0}", "1", why="deal.II/base/point.h")
case("no_dealii_in_cuda", 1, {device: "a.cu.o: a.cu include/tessera/fem/a.h\n"},
     "{0}", "{0}", "0", why="tessera/fem/a.h")
case("no_dealii_in_cuda", 1, {device: "a.cu.o: a.cu\n", "include/tessera/fem/a.h": ""},
     "{0}", "{0}", "0", why="no #error")
case("no_dealii_in_cuda", 1, {"source/CMakeFiles/tessera_shim_device.dir/a.cu.o.d": "a.cu.o: a.cu\n"},
     "{0}", "{0}", "1", why="CUDA is on")

v3 = "source/CMakeFiles/tessera_X86_64_v3.dir/k.o.cc"
v4 = "source/CMakeFiles/tessera_X86_64_v4.dir/k.o.cc"
tagged = ("struct X86_64_v3 {{}};\ntemplate <class T> struct Simd {{}};\n"
          "template <class T> void f() {{}}\ntemplate void f<{0}>();\n")
both("isa_symbols", {v3: tagged.format("X86_64_v3")}, {v3: tagged.format("int")}, "{0}",
     why="weak symbol void f<int>()")
case("isa_symbols", 0, {v3: tagged.format("Simd<int>")}, "{0}")
case("isa_symbols", 1, {v3: tagged.format("Simd<int>"), v4: tagged.format("Simd<int>")}, "{0}",
     why="f<Simd<int> >")

budget = "10 ^a/ first\n5 ^b/ second\n"
arguments = ("{0}", "{0}/budget")


def build_log(*compilations):
    """Returns a .ninja_log of objects: seconds, minutes at which they ended, path."""
    return "# ninja log v5\n" + "".join(
        f"0\t{seconds * 1000:.0f}\t{minutes * 60 * 10**9:.0f}\t{path}\tx\n"
        for seconds, minutes, path in compilations)


def compile_time(expected, slow, *compilations, why=""):
    """Checks a build that is `slow` times slower, in both its objects and the reference."""
    case("compile_time", expected, {"budget": budget, ".ninja_log": build_log(
        *((slow * seconds, slow * minutes, path) for seconds, minutes, path in compilations))},
        *arguments, why=why)


unit = "tests/CMakeFiles/tessera_reference_{}.dir/lint/reference.cc.o"
units = [(4, 1, unit.format(1)), (4, 5, unit.format(2)), (30, 6, unit.format(3)),
         (4, 8, unit.format(4))]
# Twice in the log: the last compilation counts.
first = [(99, 1, "a/1.o"), (36, 2, "a/1.o")]
for slow in (1, 2.5, 0.4):
    compile_time(0, slow, *units, *first, (19, 7, "b/1.o"))
    compile_time(1, slow, *units, *first, (22, 7, "b/1.o"),
                 why="second: 5.5 units of 5 for 1 objects")
# Another build began beside, and all took longer from then on.
loaded = [(10, minutes, unit.format(minutes)) for minutes in (21, 25, 28)]
compile_time(0, 1, *units, *first, *loaded, (49, 22, "b/1.o"))
compile_time(1, 1, *units, *first, *loaded, (55, 22, "b/1.o"), why="second: 5.5 units")
compile_time(1, 1, *units, *first, (49, 7, "b/1.o"), why="second: 12.2 units")
# Objects of the day before have no reference beside.
compile_time(0, 1, *units, (200, -1440, "b/1.o"), why="1 objects were compiled at another time")
compile_time(1, 1, *first, why="no compilation of the reference")
with tempfile.TemporaryDirectory() as of_set:
    with open(os.path.join(of_set, "budget"), "w") as out:
        out.write("# A comment.\n" + budget)
    arguments = ("{0}", os.path.join(of_set, "budget"), "--set")
    compile_time(1, 1, *units, *first, (80, 7, "b/1.o"), why="second: 20.0 units of 5")
    arguments = arguments[:2]
    compile_time(0, 1, *units, *first, (80, 7, "b/1.o"))
    compile_time(1, 1, *units, *first, (93, 7, "b/1.o"), why="23.2 units of 23 for 1 objects")
    with open(arguments[1]) as written:
        if written.read() != "# A comment.\n10 ^a/ first\n23 ^b/ second\n":
            failures.append("compile_time --set: not 15 % above what was measured")
arguments = ("{0}", "{0}/budget")
compile_time(1, 1, *units, (1, 1, "c/1.o"), why="c/1.o is in no category")
compile_time(1, 1, *units, why="nothing was checked")
case("compile_time", 1, {"budget": budget}, *arguments, why="nothing was checked")

log = "source/CMakeFiles/tessera_device.dir/a.cu.o.ptxas"
ptxas = ("ptxas info    : Compiling entry function '_Z1kILi8EEvPd' for 'sm_90'\n"
         "ptxas info    : Function properties for _Z1kILi8EEvPd\n"
         "    {0} bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
         "ptxas info    : Used 24 registers, used 0 barriers\n")
arguments = ("{0}", "{0}/allow")
case("spills", 0, {log: ptxas.format(0), "allow": "# none\n"}, *arguments)
case("spills", 1, {log: ptxas.format(64), "allow": ""}, *arguments, why="64 bytes of stack")
case("spills", 1, {"allow": ""}, *arguments, why="nothing was checked")
other = ptxas.format(64).replace("sm_90", "sm_80")
case("spills", 0, {log: other, "allow": "64 k<8>  # a test\n"}, *arguments)
case("spills", 1, {log: other + ptxas.format(64), "allow": ""}, *arguments, why="for sm_90")
case("spills", 0, {log: ptxas.format(64), "allow": "64 k<8>  # a test\n"}, *arguments)
case("spills", 1, {log: ptxas.format(64), "allow": "32 k<8>  # a test\n"}, *arguments, why="64 bytes")
case("spills", 1, {log: ptxas.format(0), "allow": "64 k<8>  # a test\n"}, *arguments, why="any more")
case("spills", 1, {log: ptxas.format(64), "allow": "64 k<8>\n"}, *arguments)

warning = ('a.cuh(18): warning #20013-D: calling a constexpr __host__ function("n") from a '
           '__host__ __device__ function("k") is not allowed. The flag can be used.\n')
both("host_calls", {log: ptxas.format(0)}, {log: warning + ptxas.format(0)}, "{0}",
     why='function("n") from a')

page = ("# The top\n\n## A `name`, twice\n\n## A `name`, twice\n\n[up](a.md#the-top) [twice](#a-name-twice-1)"
        " [far](https://a.b/c) `base/a.h` `source/{base,space}/a.cc` `source/b*/<name>.h`\n\n    check doc/a.md\n")
tree = {"include/tessera/base/a.h": "", "source/base/a.cc": "", "source/space/a.cc": "",
        "build/CTestTestfile.cmake": 'subdirs("tests")\nsubdirs("source")\n',
        "build/tests/CTestTestfile.cmake": 'add_test([=[base.a.shim]=] "a")\n'}
both("pages", {**tree, "doc/a.md": page + "`base.*` `base.a.shim` `point.x`"},
     {"doc/a.md": "[up](b.md)"}, "{0}", "{0}/build", why="the link b.md leads nowhere")
for bad, why in (("[up](#the-bottom)", "leads to no heading"), ("`base/b.h`", "no base/b.h"),
                 ("`source/{base,forms}/a.cc`", "no source/{base,forms}/a.cc"),
                 ("`base.b`", "no test base.b"), ("text\n\n    ./doc/run a\n", "no ./doc/run")):
    case("pages", 1, {**tree, "doc/a.md": page + bad}, "{0}", "{0}/build", why=why)
case("pages", 0, {**tree, "doc/a.md": "`base.b`", "CHANGELOG.md": "`base/b.h`"}, "{0}")
case("pages", 1, {**tree, "doc/status.md": "`forms.b`"}, "{0}", "{0}/build", why="no test forms.b")

with tempfile.TemporaryDirectory() as folder:
    source, program = os.path.join(folder, "a.cc"), os.path.join(folder, "a")
    with open(source, "w") as file:
        file.write("int main() {}\n")
    for code, option in ((0, "--as-needed"), (1, "--no-as-needed")):
        subprocess.run([compiler, source, "-o", program, "-Wl," + option, "-lz"], check=True)
        case("needed", code, {}, program, why="loads" if code else "1 programs")
case("needed", 1, {}, why="nothing was checked")

mutants = "tests/lint/mutants.list"
fault = "[sum] a sum\na.cc\n< a + b\n> a - b\nbuild: test_base_a\nfails: base.a.shim\n"
tree = {mutants: fault, "tests/base/a.cc": "", "a.cc": "c = a + b;\n"}
both("mutants", tree, {**tree, "a.cc": "c = a + b + (a + b);\n"}, "{0}", why="text 2 times")
case("mutants", 1, {**tree, "a.cc": "c = b + a;\n"}, "{0}", why="text 0 times")
case("mutants", 1, {**tree, mutants: fault + fault}, "{0}", why="its name is taken")
case("mutants", 1, {**tree, mutants: fault.replace("base.a", "base.b")}, "{0}",
     why="no test is named base.b.shim")
loop = {"tests/applications/CMakeLists.txt":
        "foreach(case one\n             two)\n  add_test(NAME a.as.${case} COMMAND a)\n"}
case("mutants", 0, {**tree, **loop, mutants: fault.replace("base.a.shim", "a.as.two")}, "{0}")
function = {name: text.replace("add_test(NAME a.as.${case} COMMAND",
                               "tessera_add_application_test(a.as.${case} 2")
            for name, text in loop.items()}
case("mutants", 0, {**tree, **function, mutants: fault.replace("base.a.shim", "a.as.two")}, "{0}")
case("mutants", 1, {**tree, **loop, mutants: fault.replace("base.a.shim", "a.as.three")}, "{0}",
     why="no test is named a.as.three")

for failure in failures:
    print(failure)
print(f"{n_cases} cases, {len(failures)} failures")
sys.exit(1 if failures else 0)
