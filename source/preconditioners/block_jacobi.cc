#include <tessera/base/error.h>
#include <tessera/preconditioners/block_jacobi.h>
#include <tessera/preconditioners/descriptor.h>

#include <algorithm>

#include "block_jacobi.cuh"

namespace tessera
{
  namespace
  {
    int
    check_rows(const int block_rows)
    {
      constexpr int most = BlockJacobi<double>::max_rows;
      if (block_rows < 1 || block_rows > most)
        throw ParameterError("The blocks of block_jacobi have " +
                             std::to_string(block_rows) +
                             " rows; legal are whole numbers from 1 to " +
                             std::to_string(most) + '.');
      return block_rows;
    }

    template <class Number>
    void
    copy(Number *const to, const Number *const from, const int n,
         const Backend backend, const Stream stream)
    {
      if (backend == Backend::host)
        std::copy_n(from, n, to);
      else
        runtime::copy_async(to, from, sizeof(Number) * n,
                            runtime::Copy::device_to_device, stream);
    }
  } // namespace

  template <class Number>
  BlockJacobi<Number>::BlockJacobi(const Operator<Number> &A,
                                   const int block_rows, const Stream stream)
    : block_rows(check_rows(block_rows)),
      inverse(A.backend(), std::size_t(block_rows) * A.n_owned())
  {
    const RowBlocks<Number> blocks{inverse.data(), A.n_owned(), block_rows};
    if (!A.parts().are_several())
      for_each(A.backend(), A.n_owned(),
               CollectBlock<Number>{rows_for(name(), A).entries(), blocks},
               stream);
    else
      add_up(A, stream);
    for_each(A.backend(), (A.n_owned() + block_rows - 1) / block_rows,
             InvertBlock<Number>{blocks}, stream);
  }

  template <class Number>
  void
  BlockJacobi<Number>::add_up(const Operator<Number> &A, const Stream stream)
  {
    const RowMatrix<Number> &rows = rows_for(name(), A);
    const int n_owned = A.n_owned(), n_rows = rows.n_rows();
    if (n_owned % block_rows != 0 || n_rows % block_rows != 0)
      throw ParameterError(
        "Blocks of block_jacobi that are not the rows of a node are for "
        "problems that are not divided.");
    Array<Number> collected(A.backend(), std::size_t(block_rows) * n_rows);
    for_each(A.backend(), n_rows,
             CollectBlock<Number>{rows.entries(),
                                  {collected.data(), n_rows, block_rows}},
             stream);
    Vector<Number> column = A.make_vector();
    for (int k = 0; k < block_rows; ++k)
      {
        copy(column.data(), collected.data() + std::size_t(k) * n_rows, n_rows,
             A.backend(), stream);
        A.parts().ghosts()->export_add(column, stream);
        copy(inverse.data() + std::size_t(k) * n_owned, column.data(), n_owned,
             A.backend(), stream);
      }
    if (A.backend() == Backend::cuda)
      runtime::synchronize(stream); // what was copied from goes away
  }

  template <class Number>
  void
  BlockJacobi<Number>::apply(Vector<Number> &z, const Vector<Number> &r,
                             const Stream stream) const
  {
    for_each(inverse.backend(), r.n_owned(),
             ApplyBlock<Number>{
               {inverse.data(), r.n_owned(), block_rows}, z.data(), r.data()},
             stream);
  }

  template <class Number>
  Traffic
  BlockJacobi<Number>::traffic() const
  {
    const std::uint64_t vector = inverse.bytes() / block_rows;
    return {inverse.bytes() + 2 * vector, inverse.bytes()};
  }

  template <class Number>
  RecordValues
  BlockJacobi<Number>::parameters() const
  {
    return {{"block_rows", std::int64_t(block_rows)}};
  }

  template class BlockJacobi<double>;
  template class BlockJacobi<float>;


  namespace
  {
    const OptionSet &
    block_options()
    {
      static const OptionSet set = {{{"Block rows",
                                      "rows of a block; 0: the rows of a node",
                                      "0",
                                      {},
                                      0,
                                      BlockJacobi<double>::max_rows}},
                                    false,
                                    "",
                                    false,
                                    nullptr,
                                    "0, the rows of a node"};
      return set;
    }

    int
    rows_of_block(const OptionValues &options, const int n_components)
    {
      const int rows = *block_options().options[0].number(options);
      return rows > 0 ? rows : n_components;
    }

    PreconditionerDescriptor
    describe_block_jacobi()
    {
      PreconditionerDescriptor d{"block_jacobi",
                                 "M has the blocks of A at the diagonal, for "
                                 "example the blocks of nodes with components",
                                 ""};
      d.options              = {&block_options()};
      d.works_with.operators = &OperatorDescriptor::stores_rows;
      d.works_with.needs     = "needs the entries of a matrix";
      d.made_by([](auto number, const auto &A,
                   const PreconditionerProblem &problem, const Stream stream) {
        return std::make_unique<BlockJacobi<decltype(number)>>(
          A, rows_of_block(problem.options, problem.n_components), stream);
      });
      d.memory = [](const PreconditionerCounts &n) {
        return PreconditionerMemory{
          n.vectors(rows_of_block(n.options, n.n_components))};
      };
      d.moved = [](const PreconditionerCounts &n) {
        return n.vectors(rows_of_block(n.options, n.n_components) + 2);
      };
      return d;
    }

    const Registration<PreconditionerDescriptor> block_jacobi_registration(
      describe_block_jacobi);
  } // namespace
} // namespace tessera
