"""More mistakes and odd inputs for mistakes.py: what a second trial of a hundred and more tried.
Comments say what was found by it."""
import os
import resource

HEAD = "%%MatrixMarket matrix coordinate real general\n"
ARRAY = HEAD.replace("coordinate", "array")


def files(msh, problem, matrix):
    """Returns files by name, made from a mesh, a parameter file and a matrix."""
    named = msh.replace("$Nodes", "$PhysicalNames\n1\n2 1 \"a<b & 'café'\"\n$EndPhysicalNames\n"
                        "$Nodes", 1)
    return {
        "named.msh": named, "latin.msh": named.encode().replace(b"\xc3\xa9", b"\xe9"),
        "node_twice.msh": msh.replace("2 1 0 0", "1 1 0 0"),
        "node_infinite.msh": msh.replace("3 1 1 0", "3 1e400 1 0"),
        "far.msh": msh.replace("3 1 1 0", "3 1e200 1e200 0"), "behind.msh": msh + "garbage\n",
        "large_id.msh": msh.replace("3 2 1 1", "3 2 99999999999 1"),
        "open.geo": "Point(1) = {0,0,0\n", "cut.step": "ISO-10303-21;\nHEADER;\n",
        "text.vtu": "hello", "many.vtk": "# vtk DataFile Version 3.0\nx\nASCII\nDATASET "
        "UNSTRUCTURED_GRID\nPOINTS 4000000000 double\n0 0 0\n",
        "many.mesh": "MeshVersionFormatted 2\nDimension 2\nVertices\n5000000000\n",
        "open.unv": "    -1\n  2411\n", "few.ucd": "4 1 0 0 0\n1 0 0 0\n", "alone.pts": "4\n0 0 0\n",
        "wide.mtx": HEAD + "2 3 2\n1 1 1\n2 3 1\n",
        "hermitian.mtx": HEAD.replace("real general", "complex hermitian") + "1 1 1\n1 1 1 0\n",
        "upper.mtx": HEAD.replace("general", "symmetric") + "2 2 1\n1 2 1\n",
        "fraction.mtx": HEAD + "2.5 2 1\n1 1 1\n", "exponent.mtx": HEAD + "2e0 2 1\n1 1 1\n",
        "hexadecimal.mtx": HEAD + "2 2 1\n0x1 1 1\n", "no_head.mtx": "2 2 1\n1 1 1\n",
        "a b.mtx": matrix, "crlf.mtx": matrix.replace("\n", "\r\n"),
        "blank.mtx": matrix.replace("2 2 2", "\n% c\n2 2 2\n"),
        "skew.mtx": HEAD.replace("general", "skew-symmetric") + "2 2 1\n2 1 1\n",
        "pattern.mtx": HEAD.replace("real", "pattern") + "2 2 2\n1 1\n2 2\n",
        "repeated.mtx": HEAD + "2 2 3\n1 1 1\n1 1 1\n2 2 1\n",
        "indefinite.mtx": HEAD + "2 2 2\n1 1 1\n2 2 -1\n",
        "no_diagonal.mtx": HEAD + "2 2 2\n1 2 1\n2 1 1\n",
        "unsymmetric.mtx": HEAD + "2 2 3\n1 1 2\n1 2 1\n2 2 2\n",
        "two.mtx": ARRAY + "2 1\n1\n1\n", "columns.mtx": ARRAY + "2 2\n1\n1\n1\n1\n",
        "nan_vector.mtx": ARRAY + "2 1\nnan\n1\n", "zeros.mtx": ARRAY + "2 1\n0\n0\n",
        "deep.prm": problem + "subsection Mesh\n" * 500,
        "null.prm": problem.encode() + b"subsection Output\n  set Probes = 0.5,\x000.5\nend\n",
        "around.prm": "include ./a/../around.prm\n", "folder.prm": "include .\n",
        "latin.prm": problem.encode() + b"# caf\xe9\n",
    }


def closed(*descriptors):
    def close():
        for descriptor in descriptors:
            os.close(descriptor)
    return close


def system(matrix, right_hand_side, solution=""):
    return (f"Problem/Matrix={matrix}", f"Problem/Right-hand side={right_hand_side}",
            f"Problem/Solution={solution}")


def tries(case, mesh, spmv, limit):
    """Returns the tries; the arguments are what mistakes.py makes tries with."""
    def of(application):
        return lambda code, text, *options, **how: case(application, code, text, *options, **how)
    poisson, elasticity, monodomain = of("poisson"), of("elasticity"), of("monodomain")
    solver, operator = of("solver_benchmark"), of("operator_benchmark")
    steps = ("Time/Scheme=backward_euler", "Time/Step=0.5")
    box = ("Stimuli/Stimulus 1/Shape=box", "Stimuli/Stimulus 1/From=0, 0",
           "Stimuli/Stimulus 1/To=1, 1")
    dirichlet = "Boundary conditions/Dirichlet 1/"
    good = ("-s", "Factors/Matrices=./good.mtx")
    return [
        # the command line
        poisson(0, "", "--threads", "0"), poisson(2, "--threads", "--threads", ""),
        poisson(2, "--threads", "--threads", "4097"),  # OpenMP ended the program
        poisson(2, "pipe", "-o", "pipe"), poisson(2, "/proc", "-o", "/proc/nothing"),
        poisson(2, "loop", "-o", "loop"), poisson(0, "", "-o", "a/b/c"),
        poisson(2, "--export-matrix", "--export-matrix", ""),
        poisson(2, "folder.mtx", "--export-matrix", "folder.mtx"),
        # was refused after the solve, or replaced the pipe, and devices, too
        poisson(2, "nowhere", "--export-space", "nowhere/x"),
        poisson(2, "pipe", "--export-space", "pipe"),
        poisson(2, "pipe.mtx", "--export-matrix", "pipe.mtx"),
        poisson(2, "--processes", "--processes", "0", "--validate"), poisson(2, "--", "--"),
        poisson(2, "poisson.prm", "poisson.prm"), poisson(2, "--device", "--device", "9" * 14),
        # parameter files
        poisson(2, "end", file="deep.prm"), poisson(2, "control character", file="null.prm"),
        poisson(2, "include", file="around.prm"), poisson(2, "'.'", file="folder.prm"),
        poisson(0, "", file="latin.prm"),
        # meshes
        *(poisson(2, "Grid arguments", f"Mesh/Grid arguments={arguments}") for arguments in (
            "", "0", "0 : 1 : maybe", "0 : 1 : false : 3", "0 : 1e400 : false")),
        *(poisson(3, "degenerate", f"Mesh/Grid arguments={arguments}") for arguments in (
            "0 : 1e-300 : false", "1e16 : 10000000000000002 : false")),
        *(poisson(code, "", f"Mesh/Grid name={name}", f"Mesh/Grid arguments={arguments}")
          for code, name, arguments in (
              (2, "subdivided_hyper_cube", "0 : 0 : 1 : false"),
              (6, "subdivided_hyper_cube", "1000000 : 0 : 1 : false"),
              (2, "hyper_shell", "0, 0 : 2 : 1 : 0 : false"), (6, "cheese", "100000, 100000"),
              (3, "hyper_L", "1 : 1 : false"))),
        *(mesh(3, name, name) for name in (
            "node_twice.msh", "node_infinite.msh", "far.msh", "behind.msh", "large_id.msh",
            "open.geo", "cut.step", "text.vtu", "many.vtk", "many.mesh", "open.unv", "few.ucd")),
        mesh(3, "alone.elem", "alone.pts"),
        *(mesh(0, "VALID", name, dirichlet + "Boundaries=0") for name in ("named.msh", "latin.msh")),
        *(poisson(2, "fraction", "Mesh/Refinement=adaptive", *fractions) for fractions in (
            ("Mesh/Refine fraction=2",), ("Mesh/Refine fraction=nan",),
            ("Mesh/Refine fraction=0.6", "Mesh/Coarsen fraction=0.6"))),
        # formulas, solvers, results
        *(poisson(2, "Source/Function expression", f"Source/Function expression={formula}")
          for formula in ("0x10", "x'", "1e", ".", "(x))", "X", "1//2", "sqrt(-1)")),
        *(poisson(2, dirichlet, f"{dirichlet}Function expression={formula}")
          for formula in ("1/x", "log(x)")),
        poisson(2, "Coefficient/Expression", "Coefficient/Expression=if(x < 0.5, 1, 0/0)"),
        poisson(4, "FAIL", "Coefficient/Expression=1e308"),
        poisson(4, "FAIL", "Coefficient/Expression=1e-320"),
        poisson(4, "FAIL", "Operator/Number=float", "Coefficient/Expression=1e-50"),
        poisson(2, "overflows", "Operator/Number=float", "Source/Function expression=1e40"),
        poisson(0, "", "Source/Function expression=0"),
        *(poisson(2, entry, f"Solver/{entry}={value}") for entry, value in (
            ("Relative tolerance", "2"), ("Relative tolerance", "inf"), ("Absolute tolerance", "nan"),
            ("Maximal iterations", "1" + "0" * 20), ("Eigenvalue steps", "0"),
            ("Polynomial degree", "100000"))),
        poisson(2, "To", "Output/Line 1/From=0, 0"),
        poisson(2, "no length", "Output/Line 1/From=0, 0", "Output/Line 1/To=0, 0"),
        poisson(2, "no point in the mesh", "Output/Line 1/From=5, 5", "Output/Line 1/To=6, 6"),
        poisson(2, "Points", "Output/Line 1/Points=2000000000"),
        poisson(5, "rate", "Exact solution/Function expression=0", "Validation/Check rates=true",
                "Mesh/Cycles=3"),
        *(poisson(2, "", "Exact solution/Function expression=1", f"Validation/{entry}={value}")
          for entry, value in (("Maximal L2 errors", "nan"), ("Maximal L2 errors", "1, 2, 3"),
                               ("Rate tolerance", "nan"))),
        # time
        *(poisson(2, "", *steps, option) for option in (
            "Time/End=1e308", "Time/End=inf", "Time/Step divisor=0", "Time/Write every=-1",
            "Initial value/Function expression=1/(x - 0.5)", "Initial value/Function expression=t",
            f"{dirichlet}Function expression=1/(t - 1)")),
        poisson(4, "FAIL", *steps, "Solver/Maximal iterations=1", "Mesh/Initial refinement=3"),
        # elasticity
        *(elasticity(2, option.split("=")[0].split("/")[-1], option) for option in (
            "Material/Density=-1", "Material/Density=nan", "Loads/Gravity=nan; 0",
            "Boundary conditions/Displacement 1/Function expression=0; 0; 0",
            "Boundary conditions/Displacement 1/Function expression=1/x; 0")),
        elasticity(2, "outside of the mesh", "Loads/Point load 1/Point=5, 5",
                   "Loads/Point load 1/Force=1; 0"),
        elasticity(2, "Force", "Loads/Point load 1/Point=1, 1"),
        elasticity(2, "negative eigenvalue", "Boundary conditions/Spring 1/Boundaries=1",
                   "Boundary conditions/Spring 1/Stiffness=-1"),
        elasticity(3, "claimed", "Boundary conditions/Traction 1/Boundaries=0",
                   "Boundary conditions/Traction 1/Function expression=1; 0"),
        # monodomain: the first five never ended
        monodomain(2, "100 million", "Output/Interval=1e-30"),
        monodomain(2, "100 million", "Output/Trace interval=1e-30", "Output/Trace points=0, 0"),
        monodomain(2, "100 million", "Time/Step=1e-300"),
        monodomain(2, "100 million", "Time/End=1e300"),
        monodomain(2, "100 million", "Time/End=1e300", "Time/Step=1e299", *box,
                   "Stimuli/Stimulus 1/Period=3"),
        monodomain(2, "Activation threshold", "Output/Activation threshold=nan"),  # was taken
        *(monodomain(2, "", option) for option in (
            "Stimuli/Stimulus 1/Shape=box", "Stimuli/Stimulus 1/Shape=ball",
            "Cell model/Parameters=a", "Cell model/Parameters=a: nan",
            "Cell model/Parameters=frog: 1", "Cell model/Variant=x",
            "Cell model/Region 1/Variant=x", "Checkpoint/Restart=true", "Checkpoint/Steps=-1",
            "Output/Trace points=0", "Cell model/Initial potential=1/x")),
        *(monodomain(2, "", *box, f"Stimuli/Stimulus 1/{entry}") for entry in (
            "Period=1e-300", "Start=nan")),
        monodomain(2, "no node", *box, "Stimuli/Stimulus 1/From=5, 5", "Stimuli/Stimulus 1/To=6, 6"),
        monodomain(4, "FAIL", *box, "Stimuli/Stimulus 1/Strength=1e300"),
        # benchmarks
        *(solver(3, name, *system(*names)) for name, *names in (
            ("three.mtx", "good.mtx", "three.mtx"), ("wide.mtx", "wide.mtx", "two.mtx"),
            ("indefinite.mtx", "indefinite.mtx", "two.mtx"),
            ("no_diagonal.mtx", "no_diagonal.mtx", "two.mtx"),
            ("unsymmetric.mtx", "unsymmetric.mtx", "two.mtx"),
            ("columns.mtx", "good.mtx", "columns.mtx"), ("zeros.mtx", "good.mtx", "zeros.mtx"),
            ("nan_vector.mtx", "good.mtx", "nan_vector.mtx"),
            ("three.mtx", "good.mtx", "two.mtx", "three.mtx"))),
        solver(2, "Problem/Matrix", *system("", "two.mtx")),
        *(solver(2, option.split("=")[0], option) for option in (
            "Study/Peers=nobody", "Study/Samples=0", "Factors/Degrees of freedom=1e15", "Factors/Forms=magic")),
        *(operator(2, option.split("=")[0], option) for option in (
            "Factors/Degrees of freedom=nan", "Factors/Cell types=hexagon", "Study/Seed=-1")),
        *(spmv(3, name, "-s", "Factors/Matrices=./" + name) for name in (
            "hermitian.mtx", "upper.mtx", "fraction.mtx", "exponent.mtx", "hexadecimal.mtx",
            "no_head.mtx", "occupied")),
        *(spmv(0, "PASS", "-s", "Factors/Matrices=./" + name) for name in (
            "a b.mtx", "crlf.mtx", "blank.mtx", "skew.mtx", "pattern.mtx", "repeated.mtx", "wide.mtx")),
        *(spmv(2, option.split("=")[0], "-s", option) for option in (
            "Factors/Numbers=quad", "Factors/Applications=-1", "Factors/Slice lanes=0",
            "Study/Scale=nan", "Factors/Matrix blocks=7", "Study/Error limit=nan",
            "Study/Samples=1e9")),
        spmv(2, "Factors/Formats", "-s", "Factors/Formats="),  # was said after all matrices were made
        # replaced the first file, the pipe, and devices, too
        spmv(2, "same file", *good, "-s", "Output/Vector=v.mtx", "-s", "Output/Product=./v.mtx"),
        spmv(2, "pipe", *good, "-s", "Output/Product=pipe"),
        # limits and the environment: many threads were a crash
        poisson(2, "OMP_NUM_THREADS", env={"OMP_NUM_THREADS": "100000"}),
        poisson(0, "", preexec_fn=limit(resource.RLIMIT_NOFILE, 12)),
        poisson(0, "", preexec_fn=closed(0)),
        poisson(2, "TESSERA_SIMD", env={"TESSERA_SIMD": ""}),
    ]
