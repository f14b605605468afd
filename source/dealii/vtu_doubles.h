#pragma once

#include <tessera/dealii/solution_writer.h>

#include <cstdint>
#include <iosfwd>

namespace tessera
{
  /// The contents of a .vtu file with numbers in double. The patches of
  /// deal.II's DataOut hold numbers in float.
  struct VtuDoubles
  {
    struct Field
    {
      std::string name;
      int n_components;           ///< 1 or 3
      std::vector<double> values; ///< [n_points][n_components]
    };

    /// Writes base64 of arrays that zlib has compressed.
    void
    write(std::ostream &out) const;

    std::vector<double> points;             ///< [n_points][3]
    std::vector<std::int64_t> connectivity; ///< corners of the cells
    std::vector<std::int64_t> offsets;      ///< ends of the cells in it
    std::vector<unsigned char> types;       ///< of the cells, for VTK
    std::vector<Field> fields;
  };

  /// Evaluates the fields, and `material_id`, at the points of all cells, each
  /// of which is cut as SolutionWriter says.
  template <int dim>
  VtuDoubles
  in_doubles(const dealii::Mapping<dim> &mapping,
             const dealii::DoFHandler<dim> &dof_handler,
             const typename SolutionWriter<dim>::Fields &fields,
             int subdivisions);
} // namespace tessera
