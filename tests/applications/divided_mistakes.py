#!/usr/bin/python3
"""Makes mistakes, and tries what is odd but legal, in several processes and on meshes that
adapt, as mistakes.py does in one process. Skipped without mpirun.

usage: divided_mistakes.py FOLDER_OF_PROGRAMS [NUMBER]    NUMBER: this try alone, with its output
"""
import shutil
import sys

from mistakes import case, main
from run import SKIPPED


def of(application, processes=2):
    return lambda code, text, *options, **how: case(application, code, text, *options,
                                                    **{"processes": processes, **how})


poisson, elasticity, monodomain = of("poisson"), of("elasticity"), of("monodomain")
ADAPTIVE = ("Mesh/Refinement=adaptive", "Mesh/Initial refinement=2")
STEPS = ("Time/Scheme=backward_euler", "Time/Step=0.25", "Time/End=1")
FRONT = (*ADAPTIVE, *STEPS, "Time/Adapt every=1")
DIRICHLET = "Boundary conditions/Dirichlet 1/"
BOX = ("Stimuli/Stimulus 1/Shape=box", "Stimuli/Stimulus 1/From=0, 0", "Stimuli/Stimulus 1/To=1, 1")


def mesh(code, text, name, *options, **how):
    return poisson(code, text, "Mesh/Type=file", f"Mesh/File={name}",
                   "Mesh/Initial refinement=2", *options,
                   "Boundary conditions/Remaining boundaries=natural", **how)


TRIES = [
    # the command line and the environment
    poisson(0, ""), poisson(0, "", processes=3), poisson(2, "-o", "-o", ""),
    poisson(2, "occupied", "-o", "occupied"), poisson(2, "pipe", "-o", "pipe"),
    poisson(2, "--threads", "--threads", "4097"), poisson(2, "--device", "--device", "-1"),
    poisson(2, "cannot be written", "--export-matrix", "nowhere/a.mtx"),
    poisson(0, "", "--export-matrix", "divided.mtx"),
    poisson(2, "one process", "--export-space", "pipe"),
    poisson(2, "TESSERA_SIMD", env={"TESSERA_SIMD": "X87"}),
    poisson(2, "OMP_NUM_THREADS", env={"OMP_NUM_THREADS": "100000"}),  # was said by each process
    # one process alone: the first one says what is wrong, and none waits
    *(poisson(2, text, apart={process: words.split()}) for process in (0, 1) for text, words in (
        ("--wrong", "--wrong"), ("OMP_NUM_THREADS", "OMP_NUM_THREADS=100000"),
        ("--help or --version is", "--help"), ("different parameters", "--list"),
        ("the command line is", "--print-parameters"), ("--threads", "--threads 4097"))),
    of("operator_benchmark", 3)(2, "--wrong", apart={2: ["--wrong"]}),
    poisson(2, "end", file="deep.prm"), poisson(2, "loop.prm", file="loop.prm"),
    # meshes: a process may have no cells, or no free degree of freedom
    poisson(3, "A mesh of 1 cell cannot", "Mesh/Initial refinement=0", "Finite element/Degrees=2"),
    poisson(0, "", "Mesh/Initial refinement=1", processes=3),
    mesh(3, "1 cell", "square.msh", DIRICHLET + "Boundaries=0", "Mesh/Initial refinement=0"),
    mesh(0, "", "square.msh", DIRICHLET + "Boundaries=0", "Mesh/Initial refinement=1", processes=3),
    *(mesh(3, name, name) for name in ("cut.msh", "no_such.msh", "node_nan.msh", "twice.msh",
                                       "endless.msh", "many.vtk", "flat.msh")),
    # formulas that fail in the cells of one process alone
    poisson(2, "Coefficient/Expression", "Coefficient/Expression=0.75 - x"),
    poisson(2, "Coefficient/Expression", "Coefficient/Expression=if(x > 0.6, 0/0, 1)"),
    poisson(2, "Source/Function expression", "Source/Function expression=log(x - 0.5)"),
    poisson(2, DIRICHLET, DIRICHLET + "Function expression=1 / (x - 1)"),
    poisson(2, "Reaction/Expression", "Reaction/Expression=x - 0.5"),
    poisson(2, "Initial value", *STEPS, "Initial value/Function expression=log(x - 0.6)"),
    poisson(2, DIRICHLET, *STEPS, f"{DIRICHLET}Function expression=if(x > 0.6, 1 / (t - 0.5), 0)"),
    poisson(4, "FAIL", "Coefficient/Expression=1e308"),
    # boundaries, results
    *(poisson(3, "", f"{DIRICHLET}Boundaries={ids}") for ids in ("99", "-1", "")),
    poisson(2, "Probes", "Output/Probes=2, 2"), poisson(0, "", "Output/Probes=0.5, 0.5; 0, 1"),
    poisson(2, "no point in the mesh", "Output/Line 1/From=5, 5", "Output/Line 1/To=6, 6"),
    poisson(0, "", "Output/Line 1/From=-1, 0.5", "Output/Line 1/To=2, 0.5"),
    # meshes that adapt: joined cells left a process without any, which ended the run
    *(poisson(0, "", *ADAPTIVE, "Mesh/Cycles=3", f"Mesh/Refine fraction={refine}",
              f"Mesh/Coarsen fraction={coarsen}") for refine, coarsen in (
                  (0, 0), (1, 0), (0, 1), (1e-9, 0), (0.5, 0.5))),
    poisson(2, "adaptive", *ADAPTIVE, "Mesh/Cell type=triangle"),
    poisson(2, "", *ADAPTIVE, "Solver/Preconditioner=ssor", "Operator/Name=csr"),
    poisson(0, "", *ADAPTIVE, "Mesh/Cycles=2", "Source/Function expression=0"),
    poisson(4, "FAIL", *ADAPTIVE, "Mesh/Cycles=2", "Solver/Maximal iterations=1"),
    poisson(2, "Source/Function expression", *ADAPTIVE, "Mesh/Cycles=4", "Mesh/Refine fraction=1",
            "Mesh/Coarsen fraction=0", "Source/Function expression=if(x + y > 1.98, 0/0, 1)"),
    # fronts
    poisson(0, "", *FRONT), poisson(0, "", *FRONT, "Time/Adapt every=2147483647"),
    poisson(0, "", *FRONT, "Time/Further levels=0"), poisson(0, "", *FRONT, "Time/Write every=1"),
    poisson(0, "", *FRONT, "Mesh/Refine fraction=1", "Mesh/Coarsen fraction=0"),
    poisson(0, "", *FRONT, "Mesh/Refine fraction=0", "Mesh/Coarsen fraction=1", processes=3),
    poisson(0, "", *FRONT, "Mesh/Dimension=3", "Mesh/Initial refinement=1"),
    poisson(2, "Time/Adapt every", *FRONT, "Time/Adapt every=0"),
    poisson(2, "Time/Further levels", *FRONT, "Time/Further levels=16"),
    poisson(2, "Source/Function expression", *FRONT,
            "Source/Function expression=if(t > 0.6, 1 / (x - x), 1)"),
    poisson(4, "FAIL", *FRONT, "Solver/Maximal iterations=1"),
    # elasticity
    elasticity(0, ""), elasticity(0, "", processes=3),
    elasticity(3, "", "Boundary conditions/Displacement 1/Boundaries=7"),
    elasticity(2, "outside of the mesh", "Loads/Point load 1/Point=5, 5",
               "Loads/Point load 1/Force=1; 0"),
    elasticity(2, "Displacement 1", "Boundary conditions/Displacement 1/Function expression=1/y; 0"),
    elasticity(3, "", "Boundary conditions/Displacement 1/Components=x"),
    # monodomain
    monodomain(0, ""), monodomain(2, "no checkpoint", "Checkpoint/Restart=true"),
    monodomain(2, "no node", *BOX, "Stimuli/Stimulus 1/From=5, 5", "Stimuli/Stimulus 1/To=6, 6"),
    monodomain(2, "Trace", "Output/Trace points=5, 5"),
    monodomain(2, "Initial potential", "Cell model/Initial potential=1 / (x - 1)"),
    monodomain(4, "FAIL", *BOX, "Stimuli/Stimulus 1/Strength=1e300"),
    monodomain(2, "100 million", "Output/Interval=1e-30"),
    # benchmarks
    *(of("operator_benchmark")(2, option.split("=")[0], option) for option in (
        "Study/Samples=0", "Factors/Degrees of freedom=nan", "Factors/Cell types=hexagon")),
    of("operator_benchmark", 3)(0, "", "Factors/Degrees of freedom=4"),
    of("solver_benchmark")(0, ""),
]

if __name__ == "__main__":
    if shutil.which("mpirun") is None:
        sys.exit(SKIPPED)
    main(TRIES)
