#pragma once

#include "cell_meshes.h"

#include <tessera/fem/fields/boundary_conditions.h>

#include <deal.II/dofs/dof_handler.h>

#include <memory>
#include <string>

namespace tessera::test
{
  const std::string root = "Boundary conditions/";

  template <int dim>
  struct Declared : Parameters
  {
    Declared()
    {
      BoundaryConditions<dim>::declare(*this);
    }

    void
    add(const std::string &section, const std::string &boundaries,
        const std::string &value = "0", const std::string &alpha = "")
    {
      set(root + section + "/Boundaries", boundaries);
      set(root + section + "/Function expression", value);
      if (!alpha.empty())
        set(root + section + "/Coefficient expression", alpha);
    }
  };

  template <class C>
  struct Problem
  {
    static constexpr int dim = C::dim;

    Mesh<dim> mesh;
    std::unique_ptr<dealii::FiniteElement<dim>> fe;
    std::unique_ptr<dealii::Mapping<dim>> mapping;
    dealii::DoFHandler<dim> dof_handler;

    explicit Problem(const int degree)
      : fe(C::make_element(degree)), dof_handler(mesh.triangulation())
    {
      C::make(mesh);
      distribute();
    }

    void
    distribute()
    {
      mapping = mesh.make_mapping(fe->degree);
      dof_handler.distribute_dofs(*fe);
    }
  };
} // namespace tessera::test
