#pragma once

#include "fem/cell_meshes.h"

#include <tessera/program/parameters.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/fe_system.h>

#include <deal.II/lac/vector.h>

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace tessera::test
{
  /// A body with dim components of nodes, and sums of loads on it.
  template <class C>
  struct Body
  {
    static constexpr int dim = C::dim;
    using Vector             = dealii::Tensor<1, dim>;

    Mesh<dim> mesh;
    dealii::FESystem<dim> fe;
    std::unique_ptr<dealii::Mapping<dim>> mapping;
    dealii::DoFHandler<dim> dof_handler;
    std::vector<dealii::Point<dim>> places; ///< of degrees of freedom

    explicit Body(const int degree, const bool distorted = true)
      : fe(*C::make_element(degree), dim), dof_handler(mesh.triangulation())
    {
      C::make(mesh, distorted);
      mapping = mesh.make_mapping(degree);
      dof_handler.distribute_dofs(fe);
      places.resize(dof_handler.n_dofs());
      std::vector<dealii::types::global_dof_index> dofs(fe.n_dofs_per_cell());
      for (const auto &cell : dof_handler.active_cell_iterators())
        {
          cell->get_dof_indices(dofs);
          for (unsigned int i = 0; i < dofs.size(); ++i)
            places[dofs[i]] = mapping->transform_unit_to_real_cell(
              cell, fe.unit_support_point(i));
        }
    }

    int
    component(const unsigned int dof) const
    {
      return component_of[dof];
    }

    template <class Loads>
    dealii::Vector<double>
    apply(const Parameters &parameters)
    {
      component_of.resize(dof_handler.n_dofs());
      std::vector<dealii::types::global_dof_index> dofs(fe.n_dofs_per_cell());
      for (const auto &cell : dof_handler.active_cell_iterators())
        {
          cell->get_dof_indices(dofs);
          for (unsigned int i = 0; i < dofs.size(); ++i)
            component_of[dofs[i]] =
              static_cast<int>(fe.system_to_component_index(i).first);
        }
      dealii::Vector<double> loads(dof_handler.n_dofs());
      Loads(parameters).add_to(loads, mesh, {*mapping, dof_handler});
      return loads;
    }

    /// Returns the sums of the forces and of their products with x_d.
    Vector
    sum(const dealii::Vector<double> &loads, const int d = -1) const
    {
      Vector result;
      for (unsigned int i = 0; i < loads.size(); ++i)
        result[component(i)] += loads(i) * (d < 0 ? 1 : places[i][d]);
      return result;
    }

  private:
    std::vector<int> component_of;
  };
} // namespace tessera::test
