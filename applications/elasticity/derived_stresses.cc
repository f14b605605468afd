#include "derived_stresses.h"

#include "stress_points.h"

#include <algorithm>
#include <stdexcept>

namespace tessera
{
  using namespace stress_points;

  namespace
  {
    /// What is derived from the strain and the stress at a point.
    struct StressQuantity
    {
      const char *name;
      std::vector<std::string> ends; ///< of columns, in three dimensions
      void (*compute)(const SymmetricComponents &strain,
                      const SymmetricComponents &stress, double *values);
      bool is_tensor = false; ///< without the last two columns in the plane

      std::size_t
      size(const int dim) const
      {
        return is_tensor && dim == 2 ? 4 : ends.size();
      }
    };

    const std::vector<StressQuantity> &
    stress_quantities()
    {
      static const std::vector<std::string> tensor = {"_xx", "_yy", "_zz",
                                                      "_xy", "_xz", "_yz"};
      using Tensor                                 = SymmetricComponents;
      static const std::vector<StressQuantity> all = {
        {"strain", tensor,
         [](const Tensor &strain, const Tensor &, double *values) {
           std::copy(strain.begin(), strain.end(), values);
         },
         true},
        {"stress", tensor,
         [](const Tensor &, const Tensor &stress, double *values) {
           std::copy(stress.begin(), stress.end(), values);
         },
         true},
        {"principal_stress",
         {"_1", "_2", "_3"},
         [](const Tensor &, const Tensor &stress, double *values) {
           const auto principal = principal_stresses(stress);
           std::copy(principal.begin(), principal.end(), values);
         }},
        {"von_mises",
         {""},
         [](const Tensor &, const Tensor &stress, double *values) {
           *values = von_mises(stress);
         }}};
      return all;
    }

    template <int dim>
    class DerivedStresses : public DerivedQuantities<dim>
    {
    public:
      using typename DerivedQuantities<dim>::AtPoints;

      DerivedStresses(const StressProblem<dim> &problem,
                      const std::vector<std::string> &names)
        : problem(problem), cells(problem), index_of(problem.cells.n_cells())
      {
        cells.check_whole(problem);
        for (std::ptrdiff_t c = 0; c < cells.size(); ++c)
          index_of[cells.cells[c]] = c;
        for (const std::string &name : names)
          {
            const auto &all  = stress_quantities();
            const auto found = std::find_if(
              all.begin(), all.end(), [&](const StressQuantity &quantity) {
                return quantity.name == name;
              });
            if (found == all.end())
              throw std::out_of_range("no stress is called \"" + name + "\"");
            wanted.push_back(&*found);
          }
      }

      std::vector<std::string>
      columns() const override
      {
        std::vector<std::string> result;
        for (const StressQuantity *const quantity : wanted)
          for (std::size_t i = 0; i < quantity->size(dim); ++i)
            result.push_back(quantity->name + quantity->ends[i]);
        return result;
      }

      AtPoints
      at(const std::vector<dealii::Point<dim>> &points) const override
      {
        return
          [this, n = points.size(),
           at = std::make_shared<PointStresses<dim>>(problem, cells, points)](
            const std::size_t cell, double *values) {
            at->reinit(index_of[cell]);
            for (std::size_t q = 0; q < n; ++q)
              {
                at->evaluate(static_cast<unsigned int>(q));
                for (const StressQuantity *const quantity : wanted)
                  {
                    double all[6];
                    quantity->compute(at->strain, at->stress, all);
                    values = std::copy_n(all, quantity->size(dim), values);
                  }
              }
          };
      }

    private:
      const StressProblem<dim> problem;
      const Cells<dim> cells;
      std::vector<std::ptrdiff_t> index_of; ///< among `cells`, [n_cells]
      std::vector<const StressQuantity *> wanted;
    };
  } // namespace


  std::vector<std::string>
  names_of_stresses()
  {
    std::vector<std::string> names;
    for (const StressQuantity &quantity : stress_quantities())
      names.push_back(quantity.name);
    return names;
  }


  template <int dim>
  std::unique_ptr<DerivedQuantities<dim>>
  derived_stresses(const StressProblem<dim> &problem,
                   const std::vector<std::string> &names)
  {
    return std::make_unique<DerivedStresses<dim>>(problem, names);
  }


  template std::unique_ptr<DerivedQuantities<2>>
  derived_stresses(const StressProblem<2> &, const std::vector<std::string> &);
  template std::unique_ptr<DerivedQuantities<3>>
  derived_stresses(const StressProblem<3> &, const std::vector<std::string> &);
} // namespace tessera
