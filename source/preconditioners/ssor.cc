#include <tessera/base/error.h>
#include <tessera/matrix/collect_rows.h>
#include <tessera/operators/factory.h>
#include <tessera/preconditioners/descriptor.h>
#include <tessera/preconditioners/ssor.h>

#include "ssor.cuh"
#include "ssor_sweeps.h"

#include <sstream>

namespace tessera
{
  namespace
  {
    void
    check_relaxation(const double relaxation)
    {
      if (relaxation > 0 && relaxation < 2)
        return;
      std::ostringstream sentence;
      sentence << "The relaxation of ssor is " << relaxation
               << "; legal are numbers between 0 and 2, without these.";
      throw ParameterError(sentence.str());
    }

    /// Throws ParameterError for a matrix whose diagonal blocks are elsewhere:
    /// of a part, of a mesh with hanging nodes, or of cells with components.
    template <class Number>
    void
    check_whole(const Operator<Number> &A)
    {
      const auto *rows  = A.as_rows();
      const auto *cells = dynamic_cast<const CellOperator<Number> *>(&A);
      if ((rows != nullptr && rows->exchanges_tail()) ||
          (cells != nullptr &&
           (cells->exchanges_tail() ||
            cells->cell_data().space().n_owned != A.n_owned())))
        throw ParameterError(
          "The preconditioner ssor is for whole meshes without hanging nodes, "
          "and, with the operator " +
          A.name() + ", for one component.");
    }

    /// Makes the sweeps for the entries between owned rows, with the diagonal
    /// of all parts.
    template <class Number>
    std::unique_ptr<SsorSweeps<Number>>
    make_sweeps_of_part(const Operator<Number> &A, const double relaxation,
                        const Stream stream)
    {
      const auto *rows = A.as_rows();
      if (rows == nullptr)
        throw ParameterError(
          "In several processes the preconditioner ssor needs an operator that "
          "stores rows, which " +
          A.name() + " does not.");
      const SparseMatrix known =
        collect_rows(rows->matrix(), A.n_owned() + A.n_tail());
      Vector<Number> diagonal = A.make_vector();
      A.diagonal(diagonal, stream);
      if (A.backend() == Backend::cuda)
        runtime::synchronize(stream);
      const std::vector<Number> d = diagonal.to_vector();
      SparseMatrix owned;
      owned.pattern.row_start = {0};
      for (int row = 0; row < A.n_owned(); ++row)
        {
          for (auto k = known.pattern.row_start[row];
               k < known.pattern.row_start[row + 1]; ++k)
            if (const int column = known.pattern.columns[k];
                column < A.n_owned())
              {
                owned.pattern.columns.push_back(column);
                owned.values.push_back(column == row ? double(d[row])
                                                     : known.values[k]);
              }
          owned.pattern.row_start.push_back(
            static_cast<std::int64_t>(owned.pattern.columns.size()));
        }
      owned.n_columns = A.n_owned();
      return make_ssor_sweeps(
        make_row_operator<Number>("csr", owned, A.backend())->matrix(),
        relaxation, stream);
    }

    template <class Number>
    std::unique_ptr<SsorSweeps<Number>>
    make_sweeps(const Operator<Number> &A, const double relaxation,
                const Stream stream)
    {
      check_relaxation(relaxation);
      if (A.parts().are_several())
        return make_sweeps_of_part(A, relaxation, stream);
      check_whole(A);
      if (const auto *rows = A.as_rows())
        return make_ssor_sweeps(rows->matrix(), relaxation, stream);
      if (const auto *local = dynamic_cast<const LocalMatrices<Number> *>(&A))
        {
          if (local->precision().eps > precision_of<Number>().eps)
            throw ParameterError(
              "The preconditioner ssor needs entries of the solve's number "
              "type, which " +
              A.name() +
              " does not have with 'Cell matrix values' = float; legal is "
              "number.");
          return make_ssor_sweeps(*local, relaxation, stream);
        }
      throw ParameterError(refusal_of_operator("ssor", A.name()));
    }
  } // namespace


  template <class Number>
  SsorSweeps<Number>::SsorSweeps(ColorOrder order, const Backend backend)
    : color_order(std::move(order)), place(backend, color_order.place),
      scale(backend, color_order.place.size()),
      y(backend, color_order.n_places())
  {}

  template <class Number>
  void
  SsorSweeps<Number>::apply(Number *z, const Number *r,
                            const Stream stream) const
  {
    const auto n_rows  = static_cast<std::int64_t>(place.size());
    const int n_colors = color_order.n_colors();
    for_each(backend(), n_rows,
             ToPlaces<Number>{y.data(), r, scale.data(), place.data()}, stream);
    for (int color = 1; color < n_colors; ++color)
      sweep(y.data(), color, true, stream);
    for (int color = n_colors - 2; color >= 0; --color)
      sweep(y.data(), color, false, stream);
    for_each(backend(), n_rows, FromPlaces<Number>{z, y.data(), place.data()},
             stream);
  }

  /// Compulsory bytes per row are 11 numbers and 8 bytes, besides the entries:
  /// r, scale and z once; y is written once, read and written by two sweeps,
  /// read once more at the end, and read by neighbours in each sweep; the place
  /// is read twice.
  template <class Number>
  Traffic
  SsorSweeps<Number>::traffic() const
  {
    const Traffic read = entries();
    return {read.compulsory + (11 * sizeof(Number) + 8) * place.size(),
            read.stored + place.bytes() + scale.bytes() + y.bytes()};
  }

  template class SsorSweeps<double>;
  template class SsorSweeps<float>;


  template <class Number>
  Ssor<Number>::Ssor(const Operator<Number> &A, const double relaxation,
                     const Stream stream)
    : sweeps(make_sweeps(A, relaxation, stream)),
      is_part(A.parts().are_several())
  {}

  template <class Number>
  Ssor<Number>::~Ssor() = default;

  template <class Number>
  void
  Ssor<Number>::apply(Vector<Number> &z, const Vector<Number> &r,
                      const Stream stream) const
  {
    sweeps->apply(z.data(), r.data(), stream);
  }

  template <class Number>
  Traffic
  Ssor<Number>::traffic() const
  {
    return sweeps->traffic();
  }

  template <class Number>
  RecordValues
  Ssor<Number>::parameters() const
  {
    if (!is_part)
      return {};
    return {{"preconditioner", name() + " by process"}};
  }

  template <class Number>
  int
  Ssor<Number>::n_colors() const
  {
    return sweeps->order().n_colors();
  }

  template <class Number>
  std::vector<int>
  Ssor<Number>::colors() const
  {
    return sweeps->order().colors();
  }

  template class Ssor<double>;
  template class Ssor<float>;


  namespace
  {
    const OptionSet &
    relaxation_options()
    {
      static const OptionSet set = {{{"Relaxation",
                                      "the factor w of over-relaxation",
                                      "1",
                                      {},
                                      0,
                                      2,
                                      true}}};
      return set;
    }

    /// What is stored are the entries beside the diagonal, or two indices per
    /// node of a cell and a factor per row; also places and three vectors, one
    /// of which is the solver's. Where columns repeat, rows without repetitions
    /// are copied. Colouring needs the pattern, sets and queues of rows.
    PreconditionerMemory
    memory_of_ssor(const PreconditionerCounts &n)
    {
      const double nc = n.n_components, s = n.cell.number_bytes;
      const double entries = nc * (n.cell.nonzeros * nc - n.cell.dofs);
      double stored        = 4 * n.rows() + n.vectors(3) +
                      (n.op.stores_rows() ? (s + 4) * entries
                                          : 8 * n.cell.nodes + n.vectors(1));
      if (n.op.repeats_columns)
        stored += (s + 4) * entries + (s + 12) * n.rows();
      return {stored, nc * (4 * n.cell.nonzeros * nc + 80 * n.cell.dofs),
              "colours of rows"};
    }

    PreconditionerDescriptor
    describe_ssor()
    {
      PreconditionerDescriptor d{
        "ssor",
        "symmetric successive over-relaxation with one launch for all rows of "
        "a colour: repeatable",
        "RegulyGiles2015, section 11, algorithm 3"};
      d.options              = {&relaxation_options()};
      d.works_with.operators = [](const OperatorDescriptor &op) {
        return !op.stores_nothing && !op.hides_entries;
      };
      d.works_with.needs              = "needs the entries of a matrix";
      d.works_with.operators_of_parts = &OperatorDescriptor::stores_rows;
      d.works_with.needs_of_parts     = "an operator that stores rows";
      d.works_with.hanging_nodes      = false;
      d.copies_entries                = true;
      d.made_by([](auto number, const auto &A,
                   const PreconditionerProblem &problem, const Stream stream) {
        return std::make_unique<Ssor<decltype(number)>>(
          A, relaxation_options().options[0].real(problem.options), stream);
      });
      d.memory = memory_of_ssor;
      d.moved  = [](const PreconditionerCounts &n) {
        const double nc = n.n_components, s = n.cell.number_bytes;
        const double entries =
          n.op.stores_rows()
             ? (s + 4) * nc * (n.cell.nonzeros * nc - n.cell.dofs)
             : s * n.cell.nodes * (n.cell.nodes - 1) +
                8 * n.cell.nodes * (n.cell.nodes + 1) + n.vectors(2);
        return entries + n.vectors(11) + 8 * n.rows();
      };
      return d;
    }

    const Registration<PreconditionerDescriptor> ssor_registration(
      describe_ssor);
  } // namespace
} // namespace tessera
