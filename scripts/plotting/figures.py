"""The figures of rows of operators by degree. Figures of a paper are in its folder, `plots`.

A new figure is a new entry: `where` says which rows it takes, `curves` has the keys
that distinguish its curves (library and machine always do), and `panels` says what is
drawn, one panel under another and one column for each number type. Of rows that differ
in anything else, the fastest is shown.

Keys are fields of a row or entries of its parameters. A key may have several values.
With None among them, rows without the key are taken too; SET means any value. Values
that no row has are named when the figure is drawn.
"""
import collections

SET = object()

# x: degree or intensity; with names, each curve has a line with a mark for each degree, at y
# y: a name of quantities.QUANTITIES; where: further conditions of this panel; over:
# None, "best" (of all curves), or conditions for the rows that divide y
Panel = collections.namedtuple("Panel", "y where over", defaults=({}, None))

Figure = collections.namedtuple("Figure", "name title where curves panels numbers x",
                                defaults=(("double", "float"), "degree"))

OPERATORS = ("csr", "ell", "local_matrices", "local_matrices_symmetric", "matrix_free_local",
             "matrix_free")
ALGORITHMS = (None, "csr_alg1", "sell_alg1")

FIGURES = (
    Figure("roofline", "roofline of products (numbers: degree)",
           {"kind": "application", "operator": OPERATORS, "library": SET, "algorithm": ALGORITHMS},
           ("operator", "conflict", "algorithm"), (Panel("flops"),), x="intensity"),
    Figure("roofline_executed", "roofline of products, flops as executed (numbers: degree)",
           {"kind": "application", "operator": OPERATORS, "library": SET, "backend": "cuda",
            "algorithm": ALGORITHMS},
           ("operator", "conflict", "algorithm"), (Panel("executed_flops"),), x="intensity"),
)
