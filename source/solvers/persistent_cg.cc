#include <tessera/base/error.h>
#include <tessera/operators/descriptor.h>

#include <algorithm>

#include "persistent_cg.h"
#include "single_reduction_cg.h"

namespace tessera
{
  namespace
  {
    /// Starts like SingleReductionCG and makes all iterations in one kernel.
    template <class Number>
    class PersistentCG : public SingleReductionCG<Number>
    {
    public:
      PersistentCG(const RowMatrix<Number> &matrix, const Operator<Number> &A,
                   const Preconditioner<Number> &preconditioner)
        : SingleReductionCG<Number>(A, preconditioner), matrix(matrix),
          lanes(persistent_cg_lanes(
            A.n_owned(),
            static_cast<int>(matrix.n_nonzeros() / std::max(A.n_owned(), 1)))),
          n_blocks(persistent_cg_blocks(A.n_owned(), lanes)),
          partial(A.backend(), std::size_t(5) * n_blocks),
          counter(A.backend(), 1)
      {}

      void
      iterate(Number *const x, const int n, const Stream stream) override
      {
        counter.zero(stream);
        run_persistent_cg<Number>({this->data(x, nullptr), this->sums.data(),
                                   matrix.entries(), partial.data(),
                                   counter.data(), n, lanes},
                                  n_blocks, stream);
      }

      void
      finish(Number *, Stream) override
      {}

      bool
      is_one_kernel() const override
      {
        return true;
      }

      /// p, s, x and u are read and written, and w is; D^-1 is read.
      std::uint64_t
      vector_bytes() const override
      {
        return ((this->jacobi ? 11 : 10) * sizeof(Number) + sizeof(float)) *
               std::uint64_t(this->A.n_owned());
      }

    private:
      const RowMatrix<Number> &matrix;
      int lanes, n_blocks;
      Array<double> partial;
      Array<unsigned int> counter;
    };

    /// Up to so many nonzeros one kernel of all iterations is faster than a
    /// kernel for each step, as measured on an H200.
    constexpr std::int64_t persistent_cg_nonzeros = 400'000;

    /// Returns the rows that the kernel can read, or null.
    template <class Number>
    const RowMatrix<Number> *
    rows_of_persistent_cg(const Operator<Number> &A)
    {
      const auto *row_operator = A.as_rows();
      // The kernel reads the rows of assembly, and no tail.
      return A.backend() == Backend::cuda && row_operator != nullptr &&
                 !row_operator->exchanges_tail() &&
                 A.precision().eps == precision_of<Number>().eps
               ? &row_operator->matrix()
               : nullptr;
    }

    template <class Number>
    std::unique_ptr<CGRecurrence<Number>>
    make_persistent_cg(const Operator<Number> &A,
                       const Preconditioner<Number> &preconditioner)
    {
      if (A.parts().are_several())
        throw ParameterError(
          "Conjugate gradients in one kernel are for "
          "problems that are not divided.");
      const RowMatrix<Number> *const matrix = rows_of_persistent_cg(A);
      if (matrix == nullptr)
        throw ParameterError(
          "Conjugate gradients in one kernel need an operator "
          "that stores its rows on a device in their number "
          "type, without hanging nodes or other parts; " +
          A.name() + " on the " + to_string(A.backend()) + " is none.");
      return std::make_unique<PersistentCG<Number>>(*matrix, A, preconditioner);
    }

    CGMethodDescriptor
    describe_persistent()
    {
      CGMethodDescriptor d{
        "persistent",
        "all iterations in one kernel whose blocks wait for each other: for "
        "small matrices of rows on a device and diagonal preconditioners",
        ""};
      d.works_with.operators         = &OperatorDescriptor::stores_rows;
      d.works_with.needs             = "is for operators of rows on a device";
      d.works_with.host              = false;
      d.works_with.several_processes = false;
      d.works_with.hanging_nodes     = false;
      d.needs_diagonal               = true;
      d.made_by(
        [](const auto &A, const auto &M) { return make_persistent_cg(A, M); },
        [](const auto &A, const auto &) {
          const auto *rows = rows_of_persistent_cg(A);
          return rows && rows->n_nonzeros() <= persistent_cg_nonzeros ? 3 : 0;
        });
      return d;
    }

    const Registration<CGMethodDescriptor> persistent_registration(
      describe_persistent);
  } // namespace
} // namespace tessera
