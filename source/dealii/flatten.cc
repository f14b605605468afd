#include <tessera/base/error.h>
#include <tessera/dealii/flatten.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_tools.h>

namespace tessera
{
  std::vector<unsigned int>
  lexicographic_to_local(const int degree)
  {
    return dealii::FETools::lexicographic_to_hierarchic_numbering<2>(degree);
  }


  FlatProblem
  flatten(const dealii::DoFHandler<2> &dof_handler,
          const dealii::AffineConstraints<double> &constraints)
  {
    const auto &triangulation = dof_handler.get_triangulation();
    const auto n_cells        = triangulation.n_active_cells();
    const std::size_t n       = dof_handler.get_fe().n_dofs_per_cell();
    FlatProblem flat;
    Connectivity &mesh = flat.connectivity;
    mesh.degree        = dof_handler.get_fe().degree;
    mesh.n_dofs        = dof_handler.n_dofs();

    const auto local = lexicographic_to_local(mesh.degree);
    std::vector<dealii::types::global_dof_index> indices(n);
    std::vector<int> vertex_index(triangulation.n_vertices(), -1);
    mesh.cell_dofs.reserve(n_cells * n);
    mesh.cell_vertices.reserve(n_cells * 4);
    for (const auto &cell : dof_handler.active_cell_iterators())
      {
        cell->get_dof_indices(indices);
        for (std::size_t i = 0; i < n; ++i)
          mesh.cell_dofs.push_back(static_cast<int>(indices[local[i]]));
        for (const unsigned int v : cell->vertex_indices())
          {
            int &index = vertex_index[cell->vertex_index(v)];
            if (index < 0)
              {
                index = mesh.n_vertices++;
                mesh.vertices.push_back(cell->vertex(v)[0]);
                mesh.vertices.push_back(cell->vertex(v)[1]);
              }
            mesh.cell_vertices.push_back(index);
          }
      }

    mesh.constrained.assign(mesh.n_dofs, 0);
    flat.boundary_values.assign(mesh.n_dofs, 0.);
    for (const auto &line : constraints.get_lines())
      {
        if (!line.entries.empty())
          throw MeshError("Degree of freedom " + std::to_string(line.index) +
                          " depends on others; locally refined meshes are "
                          "not supported.");
        mesh.constrained[line.index]     = 1;
        flat.boundary_values[line.index] = line.inhomogeneity;
      }
    mesh.check();
    return flat;
  }
} // namespace tessera
