"""The figures of Reguly and Giles (2015), in their order; scripts/plotting/figures.py explains entries."""
from plotting.figures import Figure, Panel, SET

BOTH = ("cuda", "host")
ROWS = ("csr", "ell")
LOCAL = ("local_matrices", "local_matrices_symmetric")
LAZY = ("ell", "lazy_ell", "lazy_ell_consolidated")
FORMATS = (*ROWS, "hybrid", *LOCAL, "matrix_free_local", "matrix_free")
MATRIX_FREE = ("matrix_free_local", "matrix_free")
CONFLICTS = ("atomics", "coloring", "gather", None)
BEST_CONFLICTS = ("atomics", "coloring", "gather", None)  # for figures with many curves
PEERS = ("tessera", "cuSPARSE", "deal.II", "Trilinos")
ALGORITHMS = (None, "csr_alg1", "csr_alg2", "sell_alg1")  # cuSPARSE's, without coordinates
NO_SSOR = (None, "none", "jacobi")


def assembly(operators, **more):
    return {"kind": "assembly", "operator": operators, "library": "tessera",
            "backend": BOTH, **more}


def iterations(operators, **more):
    return {"kind": "cg", "operator": operators, "library": "tessera", "backend": BOTH,
            "preconditioner": NO_SSOR, **more}


def preconditioners(number):
    return (iterations(("csr", "ell", "local_matrices"), preconditioner=("none", "jacobi", "ssor")),
            ("operator", "preconditioner"), (Panel("cg_iterations"),), (number,))


HOST_CSR = {"backend": "host", "operator": "csr", "library": "tessera"}

FIGURES = (
    Figure("fig05_csr_assembly", "assembly into CSR",
           assembly("csr", library=("tessera", "deal.II", "Trilinos"), conflict=CONFLICTS),
           ("conflict",), (Panel("cells"),)),
    Figure("fig06_csr_threads_per_row", "conjugate gradients on CSR by threads a row",
           iterations("csr", backend="cuda", T=SET), ("T",), (Panel("cg_iterations"),)),
    Figure("fig07_csr_libraries", "CSR of Tessera and of other libraries",
           {"operator": "csr", "library": PEERS, "backend": BOTH, "algorithm": ALGORITHMS},
           ("algorithm",),
           (Panel("cg_iterations", {"kind": "cg", "preconditioner": NO_SSOR}),
            Panel("products", {"kind": "application"}))),
    Figure("fig08_ell_assembly", "assembly into ELLPACK, with known rows and lazy",
           assembly(LAZY, conflict=BEST_CONFLICTS), ("operator", "conflict"), (Panel("cells"),)),
    Figure("fig09_ell_cg", "conjugate gradients on ELLPACK, with known rows and lazy",
           iterations(LAZY), ("operator",), (Panel("cg_iterations"),)),
    Figure("fig10_local_matrices_assembly", "assembly of local matrices",
           assembly(LOCAL), ("operator",), (Panel("cells"),)),
    Figure("fig11_local_matrices_cg", "conjugate gradients on local matrices",
           iterations(LOCAL, conflict=("atomics", "coloring")), ("operator", "conflict"),
           (Panel("cg_iterations"),)),
    Figure("fig12_matrix_free_cg", "conjugate gradients, matrix-free",
           iterations(MATRIX_FREE, conflict=("atomics", "coloring")), ("operator", "conflict"),
           (Panel("cg_iterations"),)),
    Figure("fig13_strategies", "assembly of local matrices by strategy",
           assembly("local_matrices",
                    strategy=("local_reuse", "redundant_compute", "global_reuse")),
           ("strategy",), (Panel("cells"), Panel("instructions"))),
    Figure("fig14_assembly_formats", "assembly by format",
           assembly((*ROWS, "local_matrices"), conflict=BEST_CONFLICTS),
           ("operator", "conflict"), (Panel("cells"),)),
    Figure("fig15_assembly_instructions", "instructions of assembly",
           assembly((*ROWS, "local_matrices"), backend="cuda", conflict=BEST_CONFLICTS),
           ("operator", "conflict"), (Panel("instructions"), Panel("floating_instructions"))),
    Figure("fig16_assembly_bandwidth", "effective bandwidth of assembly; instructions of products",
           {"operator": (*ROWS, "local_matrices"), "library": "tessera", "backend": "cuda"},
           ("operator", "conflict"),
           (Panel("assembly_transfer", {"kind": "assembly", "conflict": BEST_CONFLICTS}),
            Panel("floating_instructions", {"kind": "application"}))),
    Figure("fig17_cg_formats_float", "conjugate gradients by format",
           iterations(FORMATS), ("operator",), (Panel("cg_iterations"),), ("float",)),
    Figure("fig18_product_bandwidth", "effective bandwidth of products",
           {"kind": "application", "operator": (*ROWS, "local_matrices"),
            "library": ("tessera", "cuSPARSE"), "backend": BOTH},
           ("operator", "conflict"), (Panel("transfer"),)),
    Figure("fig19_cg_formats_double", "conjugate gradients by format",
           iterations(FORMATS), ("operator",), (Panel("cg_iterations"),), ("double",)),
    Figure("fig20_local_matrices_block_sizes", "assembly of local matrices by threads a block",
           assembly("local_matrices", backend="cuda"), ("block_size",), (Panel("cells"),)),
    Figure("fig21_ell_block_sizes", "assembly into ELLPACK by threads a block, with colours",
           assembly("ell", backend="cuda", conflict="coloring"), ("block_size",),
           (Panel("cells"),)),
    Figure("fig23_numberings", "conjugate gradients on ELLPACK by numbering",
           iterations("ell", backend="cuda",
                      numbering=("aligned", "blocked_aligned", "batch_interleaved", "lexicographic", "hierarchical",
                                 "cuthill_mckee", "blocked", "cell_first_touch")),
           ("numbering", "cell_order"), (Panel("cg_rate"),), x="names"),
    Figure("fig24_preconditioners_float", "conjugate gradients by preconditioner",
           *preconditioners("float")),
    Figure("fig25_preconditioners_double", "conjugate gradients by preconditioner",
           *preconditioners("double")),
    Figure("fig27_assembly_speedup", "assembly on the device over CSR on the host",
           assembly(("csr", *LAZY, *LOCAL), backend="cuda"), ("operator",),
           (Panel("cells", over=HOST_CSR),)),
    Figure("fig28_cg_speedup", "conjugate gradients on the device over CSR on the host",
           iterations(FORMATS, backend="cuda"), ("operator",),
           (Panel("cg_iterations", over=HOST_CSR),)))
