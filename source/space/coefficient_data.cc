#include <tessera/base/parallel_vector.h>
#include <tessera/space/coefficient_data.h>
#include <tessera/space/point_evaluator.h>

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <type_traits>

#include "../base/convert.cuh"
#include "point_evaluator.cuh"

namespace tessera
{
  using namespace internal;

  namespace
  {
    /// Gives the values of coefficients in the memory where they are added up.
    class Operands
    {
    public:
      Operands(const Space &space, const CellData<double> *const cells)
        : n_points(space.points_per_cell()), cells(cells)
      {
        while (cells != nullptr && 1 << shift < cells->lanes())
          ++shift;
      }

      /// Returns the logarithm of the lanes.
      int
      shift_of_lanes() const
      {
        return shift;
      }

      CoefficientValues
      operator()(const Coefficient *const c)
      {
        if (c == nullptr)
          return {};
        const int n = c->n_components;
        const bool by_point =
          c->kind == Coefficient::Kind::per_quadrature_point;
        const bool varies    = c->kind != Coefficient::Kind::uniform;
        const int n_entries  = !varies ? 0 : by_point ? n * n_points : n;
        const double *values = c->values.data();
        if (c->packed)
          values = c->packed->values().data();
        else if (cells != nullptr)
          values =
            copies
              .emplace_back(varies ? cells->pack(c->values, n_entries)
                                   : Array<double>(cells->backend(), c->values))
              .data();
        return {values, n_entries, by_point ? n : 0, varies ? shift : 0};
      }

    private:
      const int n_points;
      const CellData<double> *const cells; ///< null on the host
      int shift = 0;
      std::deque<Array<double>> copies;
    };
  } // namespace


  template <class Number>
  CoefficientData<Number>::CoefficientData(const Coefficient &coefficient,
                                           const CellData<Number> &cells)
  {
    const Coefficient::Kind kind = coefficient.kind;
    const std::size_t n_cells    = cells.space().n_cells();
    const int n_points           = cells.space().points_per_cell();
    int entries                  = coefficient.n_components;
    std::size_t expected         = entries;
    if (kind == Coefficient::Kind::per_quadrature_point)
      entries *= n_points;
    if (kind != Coefficient::Kind::uniform)
      expected = n_cells * entries;
    const auto &packed = coefficient.packed;
    const bool fits =
      packed ? kind != Coefficient::Kind::uniform &&
                 packed->values().backend() == cells.backend() &&
                 packed->cells()->lanes() == cells.lanes() &&
                 packed->values().size() ==
                   std::size_t(cells.n_batches()) * entries * cells.lanes()
             : coefficient.values.size() == expected;
    if (!fits || coefficient.n_components < 1 ||
        coefficient.n_components > CoefficientView<Number>::max_components)
      throw std::length_error("CoefficientData: the number of values is wrong");

    if (kind == Coefficient::Kind::uniform)
      for (int c = 0; c < coefficient.n_components; ++c)
        uniform[c] = static_cast<Number>(coefficient.values[c]);
    else
      {
        if (packed)
          take(packed);
        else
          values = cells.pack(coefficient.values, entries);
        n_entries = entries;
        point_stride =
          kind == Coefficient::Kind::per_cell ? 0 : coefficient.n_components;
      }
  }

  template <class Number>
  std::size_t
  CoefficientData<Number>::bytes() const
  {
    return shared ? shared->values().bytes() : values.bytes();
  }

  template <class Number>
  void
  CoefficientData<Number>::take(
    const std::shared_ptr<const PackedCoefficient> &packed)
  {
    const Array<double> &of = packed->values();
    if constexpr (std::is_same_v<Number, double>)
      {
        shared        = packed;
        shared_values = of.data();
      }
    else
      {
        values = Array<Number>(of.backend(), of.size());
        for_each(of.backend(), static_cast<std::int64_t>(of.size()),
                 Conversion<Number, double>{values.data(), of.data(), 1});
      }
  }

  Coefficient
  sum_of_terms(const int n, const std::vector<CoefficientTerm> &terms,
               const Space &space,
               std::shared_ptr<const CellData<double>> cells)
  {
    if (terms.size() > AddTerms::max_terms)
      throw std::length_error("sum_of_terms: too many terms");
    using Kind = Coefficient::Kind;
    Coefficient result{Kind::uniform, n, {}};
    for (const CoefficientTerm &term : terms)
      for (const Coefficient *const c : {term.a, term.b})
        if (c != nullptr)
          {
            result.kind = std::max(result.kind, c->kind);
            if (c->packed)
              cells = c->packed->cells();
          }
    if (cells)
      result.kind = Kind::per_quadrature_point;
    const int n_points =
      result.kind == Kind::per_quadrature_point ? space.points_per_cell() : 1;

    Operands operand(space, cells.get());
    AddTerms add{{},       static_cast<int>(terms.size()), n,
                 n_points, operand.shift_of_lanes(),       nullptr};
    for (std::size_t t = 0; t < terms.size(); ++t)
      add.terms[t] = {operand(terms[t].a), operand(terms[t].b),
                      terms[t].i,          terms[t].j,
                      terms[t].to,         terms[t].factor};
    if (!cells)
      {
        const std::int64_t n_places =
          (result.kind == Kind::uniform ? 1 : space.n_cells()) *
          std::int64_t(n_points);
        result.values = parallel_vector<double>(n_places * n);
        add.to        = result.values.data();
        for_each(Backend::host, n_places, add);
        return result;
      }
    const auto packed = std::make_shared<PackedCoefficient>(cells, n);
    add.to            = packed->data();
    for_each(cells->backend(),
             std::int64_t(cells->n_batches()) * cells->lanes() * n_points, add);
    if (cells->backend() == Backend::cuda) // copies are in use
      runtime::synchronize({});
    result.packed = packed;
    return result;
  }


  template class CoefficientData<double>;
  template class CoefficientData<float>;
} // namespace tessera
