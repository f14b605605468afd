#include <tessera/operators/descriptor.h>
#include <tessera/operators/ell.h>
#include <tessera/operators/models.h>

#include "../../operators/ell_kernels.h"

namespace tessera
{
  namespace
  {
    /// y = A x with lazy ELLPACK (RegulyGiles2015, section 7). The product is
    /// that of `Ell`: it adds up all entries of a row, so it does not matter
    /// that a column may occur several times.
    template <class Number>
    class LazyEll : public MatrixOperator<Number, LazyEllMatrix>
    {
    public:
      LazyEll(LazyEllMatrix<Number> matrix, const int n_tail)
        : MatrixOperator<Number, LazyEllMatrix>(
            "lazy_ell", std::move(matrix), matrix.backend(), n_tail,
            ell_blocks(matrix.backend(), matrix.n_rows()))
      {}

    protected:
      void
      launch_apply(const RowApply<Number> &apply,
                   const Stream stream) const override
      {
        launch_ell(this->matrix(), apply, stream);
      }
    };

    /// Returns (s + 4) n^2 / p^2 + 2 s + 4: every entry of every cell matrix
    /// stands in its row, with its column.
    double
    bytes_of_product(const int degree, const int number_bytes)
    {
      const double n = (degree + 1) * (degree + 1);
      return (number_bytes + 4) * n * n / (degree * degree) + 2 * number_bytes +
             4;
    }

    /// Counts (s + 4) n^2 for writing every entry with its column, and 8 p^2
    /// for reading and writing lengths of rows.
    double
    bytes_of_assembly(const int degree, const int number_bytes)
    {
      const double n = (degree + 1) * (degree + 1);
      return models::mesh_data(degree, number_bytes) +
             (number_bytes + 4.) * n * n + 8. * degree * degree;
    }

    OperatorDescriptor
    describe_lazy_ell()
    {
      OperatorDescriptor d{
        "lazy_ell",
        "rows to which assembly appends the entries of every "
        "cell, without a pattern: a column is stored once for "
        "each of its cells",
        "RegulyGiles2015, section 7"};
      d.from_appended([](auto number, auto &matrix, const int n_tail) {
        return std::make_unique<LazyEll<decltype(number)>>(std::move(matrix),
                                                           n_tail);
      });
      d.memory = [](const MemoryCounts &n, const StorageOptions &) {
        return n.dofs * (n.places(n.most_cells * n.nodes) + 4);
      };
      d.model           = bytes_of_product;
      d.assembly_model  = bytes_of_assembly;
      d.repeats_columns = true;
      return d;
    }

    const Registration<OperatorDescriptor> lazy_ell_registration(
      describe_lazy_ell);

    OperatorDescriptor
    describe_lazy_ell_consolidated()
    {
      OperatorDescriptor d{"lazy_ell_consolidated",
                           "the rows of lazy_ell, sorted by column and with "
                           "equal columns added up: the matrix of ell, made "
                           "without a pattern",
                           "RegulyGiles2015, section 7"};
      d.from_appended([](auto number, auto &matrix, const int n_tail) {
        return std::make_unique<Ell<decltype(number)>>(
          matrix.consolidate(), n_tail, "lazy_ell_consolidated");
      });
      // Consolidation needs both matrices.
      d.memory = [](const MemoryCounts &n, const StorageOptions &) {
        return n.dofs * (n.places(n.most_cells * n.nodes + n.longest_row) + 8);
      };
      d.model = models::csr;
      return d;
    }

    const Registration<OperatorDescriptor> lazy_ell_consolidated_registration(
      describe_lazy_ell_consolidated);
  } // namespace
} // namespace tessera
