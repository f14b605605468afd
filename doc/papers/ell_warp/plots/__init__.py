"""The figures and tables of Wong, Kuhl and Darve (2015)."""
from .beats import DRAWINGS
from .figures import FIGURES as OF_PRODUCTS
from .printed import MATRICES
from .tables import TABLES

CHARTS = {**TABLES, **OF_PRODUCTS}
__all__ = ["CHARTS", "DRAWINGS", "MATRICES"]
