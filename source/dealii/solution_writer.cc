#include "vtu_doubles.h"

#include <tessera/base/replace_file.h>
#include <tessera/dealii/solution_writer.h>

#include <deal.II/fe/mapping_q.h>

#include <deal.II/numerics/data_out.h>
#include <deal.II/numerics/data_postprocessor.h>

#include <algorithm>
#include <functional>

namespace tessera
{
  namespace
  {
    /// Level 9 of zlib takes twenty times as long and saves a tenth.
    dealii::DataOutBase::VtkFlags
    vtk_flags()
    {
      dealii::DataOutBase::VtkFlags flags;
      flags.compression_level = dealii::DataOutBase::VtkFlags::best_speed;
      return flags;
    }

    template <int dim>
    bool
    is_curved(const dealii::Mapping<dim> &mapping)
    {
      const auto *q = dynamic_cast<const dealii::MappingQ<dim> *>(&mapping);
      return q != nullptr && q->get_degree() > 1;
    }

    /// Shows a vector per cell at all points of the cell; deal.II has cell
    /// fields of numbers alone.
    template <int dim>
    class CellVectors : public dealii::DataPostprocessorVector<dim>
    {
    public:
      CellVectors(const std::string &name,
                  const std::vector<std::array<double, 3>> &vectors)
        : dealii::DataPostprocessorVector<dim>(name, dealii::update_values),
          vectors(vectors)
      {}

      void
      evaluate_scalar_field(
        const dealii::DataPostprocessorInputs::Scalar<dim> &inputs,
        std::vector<dealii::Vector<double>> &values) const override
      {
        set(inputs, values);
      }

      void
      evaluate_vector_field(
        const dealii::DataPostprocessorInputs::Vector<dim> &inputs,
        std::vector<dealii::Vector<double>> &values) const override
      {
        set(inputs, values);
      }

    private:
      template <class Inputs>
      void
      set(const Inputs &inputs,
          std::vector<dealii::Vector<double>> &values) const
      {
        const auto &vector =
          vectors[inputs.template get_cell<dim>()->active_cell_index()];
        for (auto &value : values)
          std::copy_n(vector.begin(), dim, value.begin());
      }

      const std::vector<std::array<double, 3>> &vectors;
    };

    bool
    is_simplex(const dealii::ReferenceCell &type)
    {
      return type == dealii::ReferenceCells::Triangle ||
             type == dealii::ReferenceCells::Tetrahedron;
    }

    int
    legal_subdivisions(const dealii::ReferenceCell &type, const int wanted)
    {
      return is_simplex(type) ? std::min(wanted, 2) : wanted;
    }

    /// Returns points of a face in coordinates of its cell, as patches want
    /// them: in lexicographic order; for triangles corners, then midpoints of
    /// edges.
    template <int dim>
    std::vector<dealii::Point<dim>>
    face_points(const dealii::ReferenceCell &cell, const unsigned int face,
                const int n)
    {
      const auto type = cell.face_reference_cell(face);
      std::vector<dealii::Point<dim>> corners;
      for (const unsigned int v : type.vertex_indices())
        corners.push_back(
          cell.vertex<dim>(cell.face_to_cell_vertices(face, v, 1)));
      std::vector<dealii::Point<dim>> points;
      if (is_simplex(type))
        {
          points = corners;
          for (int e = 0; e < 3 && n > 1; ++e)
            points.push_back(0.5 * (corners[e] + corners[(e + 1) % 3]));
          return points;
        }
      for (int j = 0; j <= (dim == 3 ? n : 0); ++j)
        for (int i = 0; i <= n; ++i)
          {
            const double s = double(i) / n, t = double(j) / n;
            dealii::Point<dim> point = (1 - s) * corners[0] + s * corners[1];
            if (dim == 3)
              point =
                (1 - t) * point + t * ((1 - s) * corners[2] + s * corners[3]);
            points.push_back(point);
          }
      return points;
    }

    template <int dim>
    std::vector<dealii::DataOutBase::Patch<dim - 1, dim>>
    boundary_patches(const dealii::Mapping<dim> &mapping,
                     const dealii::Triangulation<dim> &triangulation,
                     const int subdivisions)
    {
      std::vector<dealii::DataOutBase::Patch<dim - 1, dim>> patches;
      for (const auto &cell : triangulation.active_cell_iterators())
        for (const unsigned int f : cell->face_indices())
          {
            if (!cell->face(f)->at_boundary())
              continue;
            dealii::DataOutBase::Patch<dim - 1, dim> patch;
            const auto type      = cell->reference_cell();
            patch.reference_cell = type.face_reference_cell(f);
            patch.n_subdivisions =
              legal_subdivisions(patch.reference_cell, subdivisions);
            patch.patch_index          = patches.size();
            patch.points_are_available = true;
            const auto points = face_points<dim>(type, f, patch.n_subdivisions);
            patch.data.reinit(1 + dim, points.size());
            for (std::size_t i = 0; i < points.size(); ++i)
              {
                const auto x =
                  mapping.transform_unit_to_real_cell(cell, points[i]);
                patch.data(0, i) = cell->face(f)->boundary_id();
                for (int d = 0; d < dim; ++d)
                  patch.data(1 + d, i) = x[d];
              }
            for (const unsigned int v : cell->face(f)->vertex_indices())
              patch.vertices[v] = cell->face(f)->vertex(v);
            patches.push_back(patch);
          }
      return patches;
    }
  } // namespace


  template <int dim>
  SolutionWriter<dim>::SolutionWriter(const std::string &folder,
                                      const bool in_double)
    : folder(folder), in_double(in_double)
  {}


  template <int dim>
  SolutionWriter<dim>::SolutionWriter(const std::string &folder,
                                      const Parameters &parameters)
    : SolutionWriter(folder, parameters.get("Output/Precision") == "float64")
  {}


  template <int dim>
  void
  SolutionWriter<dim>::declare(Parameters &parameters)
  {
    parameters.declare("Output/Precision", "float32",
                       dealii::Patterns::Selection("float32|float64"),
                       "of numbers in .vtu files of solutions");
  }


  template <int dim>
  void
  SolutionWriter<dim>::write_cells(const dealii::Mapping<dim> &mapping,
                                   const dealii::DoFHandler<dim> &dof_handler,
                                   const Fields &fields, const int subdivisions,
                                   const std::string &name) const
  {
    using DataOut             = dealii::DataOut<dim>;
    const auto &triangulation = dof_handler.get_triangulation();
    const int n_parts         = legal_subdivisions(
              triangulation.get_reference_cells().front(), subdivisions);
    if (in_double)
      {
        const VtuDoubles file =
          in_doubles(mapping, dof_handler, fields, n_parts);
        write_file(folder + '/' + name + ".vtu", "file",
                   [&](std::ostream &out) { file.write(out); });
        return;
      }
    dealii::Vector<double> material(triangulation.n_active_cells());
    for (const auto &cell : triangulation.active_cell_iterators())
      material[cell->active_cell_index()] = cell->material_id();

    DataOut data;
    data.attach_dof_handler(dof_handler);
    for (const NodalField &field : fields.nodal)
      {
        namespace Kinds  = dealii::DataComponentInterpretation;
        const auto &dofs = field.dof_handler ? *field.dof_handler : dof_handler;
        const unsigned int n = dofs.get_fe().n_components();
        data.add_data_vector(dofs, field.values,
                             std::vector<std::string>(n, field.name),
                             std::vector<Kinds::DataComponentInterpretation>(
                               n, n == 1 ? Kinds::component_is_scalar
                                         : Kinds::component_is_part_of_vector));
      }
    for (const auto &[field, values] : fields.cell)
      data.add_data_vector(values, field, DataOut::type_cell_data);
    data.add_data_vector(material, "material_id", DataOut::type_cell_data);
    for (const auto &postprocessor : fields.derived)
      data.add_data_vector(dof_handler, fields.nodal.front().values,
                           *postprocessor);
    const dealii::Vector<double> nothing(dof_handler.n_dofs());
    std::vector<std::unique_ptr<CellVectors<dim>>> vectors;
    for (const auto &[field, values] : fields.cell_vectors)
      {
        vectors.push_back(std::make_unique<CellVectors<dim>>(field, values));
        data.add_data_vector(dof_handler, nothing, *vectors.back());
      }
    data.set_flags(vtk_flags());
    data.build_patches(mapping, n_parts,
                       is_curved(mapping) ? DataOut::curved_inner_cells
                                          : DataOut::no_curved_cells);
    write_file(folder + '/' + name + ".vtu", "file",
               [&](std::ostream &out) { data.write_vtu(out); });
  }


  template <int dim>
  void
  SolutionWriter<dim>::write(const dealii::Mapping<dim> &mapping,
                             const dealii::DoFHandler<dim> &dof_handler,
                             const Fields &fields, const int subdivisions,
                             const std::string &name)
  {
    write_cells(mapping, dof_handler, fields, subdivisions, name);
    const auto patches =
      boundary_patches(mapping, dof_handler.get_triangulation(), subdivisions);
    write_file(folder + '/' + name + "_boundary.vtu", "file",
               [&](std::ostream &out) {
                 dealii::DataOutBase::write_vtu(patches, {"boundary_id"}, {},
                                                vtk_flags(), out);
               });

    steps.emplace_back(steps.size(), name + ".vtu");
    write_file(file(), "file", [&](std::ostream &out) {
      dealii::DataOutBase::write_pvd_record(out, steps);
    });
  }


  template <int dim>
  void
  SolutionWriter<dim>::write_step(const dealii::Mapping<dim> &mapping,
                                  const dealii::DoFHandler<dim> &dof_handler,
                                  const Fields &fields, const int subdivisions,
                                  const std::string &name,
                                  const std::string &series, const double time)
  {
    write_cells(mapping, dof_handler, fields, subdivisions, name);
    Steps &all = series_steps[series];
    all.emplace_back(time, name + ".vtu");
    write_file(folder + '/' + series + ".pvd", "file", [&](std::ostream &out) {
      dealii::DataOutBase::write_pvd_record(out, all);
    });
  }


  template <int dim>
  void
  SolutionWriter<dim>::continue_series(
    const std::string &series,
    const std::vector<std::pair<double, std::string>> &names)
  {
    Steps &all = series_steps[series];
    all.clear();
    for (const auto &[time, name] : names)
      all.emplace_back(time, name + ".vtu");
  }


  template <int dim>
  std::string
  SolutionWriter<dim>::file() const
  {
    return steps.empty() ? "" : folder + "/solution.pvd";
  }


  template class SolutionWriter<2>;
  template class SolutionWriter<3>;
} // namespace tessera
