#include "mesh_tools.h"

#include <tessera/study/table.h>

#include <cmath>
#include <limits>
#include <ostream>

namespace tessera
{
  namespace
  {
    void
    print_ids(const std::string &title, const std::string &thing,
              const std::map<unsigned int, long long> &counts,
              const GroupNames &names, std::ostream &out)
    {
      std::size_t rows = 0;
      for (const auto &[id, n] : counts)
        {
          // A screen holds no more; all occur in the output files.
          if (++rows > 24 && counts.size() > 25)
            {
              out << "             ... and "
                  << study::format_count(counts.size() - 24) << " more\n";
              break;
            }
          const std::string its = mesh_tools::names_of(names, id);
          out << (rows == 1 ? title : std::string(title.size(), ' ')) << id
              << (its.empty() ? "" : ' ' + its) << ": "
              << study::format_count(n) << ' ' << thing << (n == 1 ? "" : "s")
              << '\n';
        }
      for (const auto &[name, ids] : names)
        for (const auto id : ids)
          if (!counts.count(id))
            out << std::string(title.size(), ' ') << id << " '" << name
                << "': none\n";
    }
  } // namespace


  template <int dim>
  void
  print_summary(const Mesh<dim> &mesh, std::ostream &out)
  {
    std::map<unsigned int, long long> faces, cells;
    dealii::Point<dim> lower, upper, worst_place;
    for (int d = 0; d < dim; ++d)
      {
        lower[d] = std::numeric_limits<double>::max();
        upper[d] = std::numeric_limits<double>::lowest();
      }
    double worst        = 2.;
    unsigned int number = 0;
    const CellType type = mesh.cell_type();
    for (const auto &cell : mesh.triangulation.active_cell_iterators())
      {
        ++cells[cell->material_id()];
        for (const auto &face : cell->face_iterators())
          if (face->at_boundary())
            ++faces[face->boundary_id()];
        const auto corners = mesh_tools::corners_of<dim>(cell);
        for (const auto &corner : corners)
          for (int d = 0; d < dim; ++d)
            {
              lower[d] = std::min(lower[d], corner[d]);
              upper[d] = std::max(upper[d], corner[d]);
            }
        const double quality = cell_quality<dim>(type, corners);
        if (quality < worst)
          {
            worst       = quality;
            worst_place = cell->center();
            number      = cell->active_cell_index();
          }
      }

    const double size = upper.distance(lower);
    for (int d = 0; d < dim; ++d)
      for (double *x : {&lower[d], &upper[d]})
        if (std::abs(*x) < 1e-12 * size)
          *x = 0.;
    out << "Mesh         " << mesh.source << '\n'
        << "Cells        "
        << study::format_count(mesh.triangulation.n_active_cells())
        << " of type " << to_string(type) << (mesh.curved ? ", curved" : "")
        << '\n'
        << "Vertices     "
        << study::format_count(mesh.triangulation.n_used_vertices()) << '\n';
    print_ids("Boundaries   ", "face", faces, mesh.boundary_names, out);
    print_ids("Materials    ", "cell", cells, mesh.material_names, out);
    out << "Bounding box " << mesh_tools::place(lower) << " to "
        << mesh_tools::place(upper) << '\n'
        << "Worst cell   " << number << " around "
        << mesh_tools::place(worst_place) << ", quality "
        << study::format(worst, 3) << " (1 is best)\n";
    if (mesh.n_ignored_faces > 0)
      out << "Not used     "
          << study::format_count(static_cast<long long>(mesh.n_ignored_faces))
          << (mesh.n_ignored_faces == 1 ? " face" : " faces")
          << " of the file that " << (mesh.n_ignored_faces == 1 ? "is" : "are")
          << " not on the boundary\n";
  }


  template void
  print_summary(const Mesh<2> &, std::ostream &);
  template void
  print_summary(const Mesh<3> &, std::ostream &);
} // namespace tessera
