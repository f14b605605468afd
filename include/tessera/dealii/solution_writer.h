#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/mapping.h>

#include <deal.II/lac/vector.h>

#include <string>
#include <utility>
#include <vector>

namespace tessera
{
  /// Writes solutions for ParaView, as compressed binary files in one folder:
  /// NAME.vtu with nodal and cell fields, NAME_boundary.vtu with the faces of
  /// the boundary and their ids, and after each solution solution.pvd, which
  /// lists them all as steps 0, 1, ... Earlier files of these names are
  /// replaced.
  template <int dim>
  class SolutionWriter
  {
  public:
    struct Fields
    {
      /// Values by deal.II's index of the degree of freedom.
      std::vector<std::pair<std::string, const dealii::Vector<double> *>> nodal;
      /// Values by active cell.
      std::vector<std::pair<std::string, const dealii::Vector<double> *>> cell;
    };

    explicit SolutionWriter(const std::string &folder);

    /// Writes NAME.vtu and NAME_boundary.vtu. Cells are cut into `subdivisions`
    /// parts a direction, curved ones where the mapping is curved; triangles
    /// and tetrahedra stay whole for one and become quadratic for more. Adds
    /// the cell field `material_id`. Throws Error where a file cannot be
    /// written.
    void
    write(const dealii::Mapping<dim> &mapping,
          const dealii::DoFHandler<dim> &dof_handler, const Fields &fields,
          int subdivisions, const std::string &name);

    /// The .pvd file, or empty where nothing was written.
    std::string
    file() const;

  private:
    std::string folder;
    std::vector<std::pair<double, std::string>> steps;
  };
} // namespace tessera
