#include <tessera/operators/descriptor.h>
#include <tessera/operators/ell.h>
#include <tessera/operators/models.h>
#include <tessera/study/assembly/append.h>
#include <tessera/study/matrix/lazy_ell.h>

#include <optional>
#include <stdexcept>

#include "../../operators/ell_kernels.h"
#include "../matrix/lazy_ell.cuh"

namespace tessera
{
  namespace
  {
    /// y = A x with lazy ELLPACK (RegulyGiles2015, section 7). The product is
    /// the same as in `Ell`: it adds up all entries of a row, so it does not
    /// matter that a column may occur several times.
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

    /// The matrix to which assembly appends, until an operator takes it.
    template <class Number>
    class LazyRows : public AppendedRows<Number>
    {
    public:
      LazyRows(const CellData<Number> &cells,
               const BoundaryMatrices<Number> *boundary, const int n_components)
        : matrix(std::in_place, cells, boundary ? &boundary->faces() : nullptr,
                 n_components),
          n_owned(cells.space().n_owned * n_components)
      {
        if (cells.space().fixed.empty())
          return;
        std::vector<unsigned char> flags(matrix->n_rows(), 0);
        for (const int row : cells.space().fixed)
          flags[row] = 1;
        is_given = Array<unsigned char>(cells.backend(), flags);
      }

      std::unique_ptr<RowOperator<Number>>
      make_operator(const RowValues<Number> &values, const int n_tail) override
      {
        if (!matrix)
          throw std::logic_error("the operator of these rows was taken");
        append(*matrix, values, {});
        auto op = std::make_unique<LazyEll<Number>>(std::move(*matrix), n_tail);
        matrix.reset();
        return op;
      }

      void
      assemble(RowOperator<Number> &op, const RowValues<Number> &values,
               const Stream stream) override
      {
        auto *const lazy = dynamic_cast<LazyEll<Number> *>(&op);
        if (lazy == nullptr)
          throw std::logic_error("an operator of other rows than lazy_ell");
        matrix.reset();
        append(lazy->matrix(), values, stream);
      }

      std::size_t
      bytes() const override
      {
        return (matrix ? matrix->bytes() : 0) + is_given.bytes();
      }

    protected:
      void
      append(LazyEllMatrix<Number> &to, const RowValues<Number> &values,
             const Stream stream) const
      {
        const AppendSink<Number> sink = to.begin_assembly(stream);
        append_rows(sink, values.form, values.strategy, values.conflict,
                    stream);
        if (values.boundary != nullptr)
          append_rows(sink, *values.boundary, values.conflict, stream);
        if (is_given.size() > 0)
          for_each(to.backend(), to.n_rows(),
                   IdentityRow<Number>{to.entries(), is_given.data(), n_owned},
                   stream);
      }

      std::optional<LazyEllMatrix<Number>> matrix;

    private:
      int n_owned;
      Array<unsigned char> is_given; ///< [n_rows], empty if no row is
    };

    /// The same for operators with consolidated rows, which copy the matrix.
    template <class Number>
    class ConsolidatedRows : public LazyRows<Number>
    {
    public:
      using LazyRows<Number>::LazyRows;

      std::unique_ptr<RowOperator<Number>>
      make_operator(const RowValues<Number> &values, const int n_tail) override
      {
        this->append(*this->matrix, values, {});
        return std::make_unique<Ell<Number>>(this->matrix->consolidate(),
                                             n_tail, "lazy_ell_consolidated");
      }

      void
      assemble(RowOperator<Number> &op, const RowValues<Number> &values,
               const Stream stream) override
      {
        auto *const ell = dynamic_cast<Ell<Number> *>(&op);
        if (ell == nullptr)
          throw std::logic_error("an operator of other rows than ELLPACK");
        this->append(*this->matrix, values, stream);
        ell->matrix() = this->matrix->consolidate();
        op.count_revision();
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
      d.from_appended<LazyRows>();
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
      d.from_appended<ConsolidatedRows>();
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
