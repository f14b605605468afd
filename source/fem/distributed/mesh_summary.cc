#include "../mesh/mesh_tools.h"
#include <tessera/fem/bridge/active_cells.h>

#include <tessera/fem/distributed/distributed_mesh.h>
#include <tessera/program/table.h>

#include <omp.h>

#include <cmath>
#include <limits>
#include <ostream>
#include <utility>

namespace tessera
{
  namespace
  {
    void
    print_ids(const std::string &title, const std::string &thing,
              const std::map<unsigned int, long long> &n_of_id,
              const GroupNames &names, const bool all, std::ostream &out)
    {
      std::size_t rows = 0;
      for (const auto &[id, n] : n_of_id)
        {
          // A screen holds no more.
          if (++rows > 24 && n_of_id.size() > 25 && !all)
            {
              out << "             ... and "
                  << program::format_count(n_of_id.size() - 24)
                  << " more, which --mesh-only lists\n";
              break;
            }
          const std::string its = mesh_tools::names_of(names, id);
          out << (rows == 1 ? title : std::string(title.size(), ' ')) << id
              << (its.empty() ? "" : ' ' + its) << ": "
              << program::format_count(n) << ' ' << thing << (n == 1 ? "" : "s")
              << '\n';
        }
      for (const auto &[name, ids] : names)
        for (const auto id : ids)
          if (!n_of_id.count(id))
            out << std::string(title.size(), ' ') << id << " '" << name
                << "': none\n";
    }

    template <int dim>
    void
    print_node_sets(const Mesh<dim> &mesh, std::ostream &out)
    {
      std::vector<std::string> names;
      for (const auto &[name, set] : mesh.node_sets)
        if (mesh.boundary_names.count(name) == 0)
          names.push_back(name);
      for (std::size_t i = 0; i < names.size(); ++i)
        out << (i == 0 ? "Node sets    '" : ", '") << names[i] << '\''
            << (i + 1 == names.size() ? "\n" : "");
    }

    /// Collects data of a part of the cells.
    template <int dim>
    struct Summary
    {
      std::map<unsigned int, long long> faces, cells; ///< counts by id
      dealii::Point<dim> lower = everywhere(1.);
      dealii::Point<dim> upper = everywhere(-1.);
      double worst             = 2.; ///< smallest quality
      std::int64_t number      = 0;  ///< of the cell with this quality
      dealii::Point<dim> worst_place;

      static dealii::Point<dim>
      everywhere(const double sign)
      {
        dealii::Point<dim> p;
        for (int d = 0; d < dim; ++d)
          p[d] = sign * std::numeric_limits<double>::max();
        return p;
      }

      /// Adds a cell, without its faces.
      void
      add(const CellType type, const std::vector<dealii::Point<dim>> &corners,
          const unsigned int material, const std::int64_t number)
      {
        ++cells[material];
        dealii::Point<dim> sum;
        for (const auto &corner : corners)
          {
            enclose(corner, corner);
            sum += corner;
          }
        offer(cell_quality<dim>(type, corners), number,
              sum / static_cast<double>(corners.size()));
      }

      void
      add(const Summary &other)
      {
        for (const auto &[id, n] : other.faces)
          faces[id] += n;
        for (const auto &[id, n] : other.cells)
          cells[id] += n;
        enclose(other.lower, other.upper);
        offer(other.worst, other.number, other.worst_place);
      }

      void
      enclose(const dealii::Point<dim> &low, const dealii::Point<dim> &high)
      {
        for (int d = 0; d < dim; ++d)
          {
            lower[d] = std::min(lower[d], low[d]);
            upper[d] = std::max(upper[d], high[d]);
          }
      }

      void
      offer(const double quality, const std::int64_t cell,
            const dealii::Point<dim> &center)
      {
        if (quality < worst || (quality == worst && cell < number))
          {
            worst       = quality;
            number      = cell;
            worst_place = center;
          }
      }
    };

    /// Collects data of all cells.
    template <int dim>
    Summary<dim>
    summarise(const Mesh<dim> &mesh)
    {
      const auto arrays = mesh.arrays();
      const auto worst  = mesh.worst_cell();
      Summary<dim> summary;
      summary.offer(worst.quality, worst.cell,
                    mesh_tools::mean_of<dim>(*arrays, worst.cell));
#pragma omp parallel
      {
        Summary<dim> mine;
#pragma omp for schedule(static) nowait
        for (int cell = 0; cell < arrays->n_cells(); ++cell)
          ++mine.cells[arrays->materials.data()[cell]];
#pragma omp for schedule(static) nowait
        for (int v = 0; v < arrays->n_vertices(); ++v)
          {
            dealii::Point<dim> x;
            std::copy_n(arrays->vertices.data() + std::size_t(v) * dim, dim,
                        x.begin_raw());
            mine.enclose(x, x);
          }
#pragma omp critical(tessera_mesh_summary)
        summary.add(mine);
      }
      for (std::size_t f = 0; f < arrays->boundary.size(); ++f)
        ++summary.faces[arrays->boundary.data()[f].id];
      return summary;
    }

    /// Collects data of the cells of this process.
    template <int dim>
    Summary<dim>
    summarise(const Mesh<dim> &mesh, const Division &division)
    {
      if (division.n_processes() == 1)
        return summarise(mesh);
      const auto arrays = mesh.arrays();
      const auto is_own = [&](const int cell) {
        return mesh.owner[cell] == division.rank();
      };
      std::vector<Summary<dim>> of_threads(omp_get_max_threads());
#pragma omp parallel
      {
        Summary<dim> summary; // no other thread writes beside it
        std::vector<dealii::Point<dim>> corners;
#pragma omp for schedule(static)
        for (int cell = 0; cell < arrays->n_cells(); ++cell)
          if (is_own(cell))
            {
              mesh_tools::corners_of(*arrays, cell, corners);
              summary.add(arrays->cell_type, corners,
                          arrays->materials.data()[cell],
                          mesh.number_of_index(cell));
            }
        of_threads[omp_get_thread_num()] = std::move(summary);
      }
      Summary<dim> result;
      for (const auto &part : of_threads)
        result.add(part);
      for (std::size_t f = 0; f < arrays->boundary.size(); ++f)
        if (const MeshFace &face = arrays->boundary.data()[f];
            is_own(face.cell))
          ++result.faces[face.id];
      return result;
    }

    /// Returns the number of vertices of cells of this process that no lower
    /// one has.
    template <int dim>
    double
    n_own_vertices(const Mesh<dim> &mesh, const Division &division)
    {
      if (division.n_processes() == 1)
        return mesh.arrays()->n_vertices();
      const auto arrays = mesh.arrays();
      const int n       = arrays->corners_per_cell();
      std::vector<int> lowest(arrays->n_vertices(), division.n_processes());
      for (std::size_t i = 0; i < arrays->corners.size(); ++i)
        if (const int owner = mesh.owner[i / n]; owner >= 0)
          {
            int &of_vertex = lowest[arrays->corners.data()[i]];
            of_vertex      = std::min(of_vertex, owner);
          }
      return static_cast<double>(
        std::count(lowest.begin(), lowest.end(), division.rank()));
    }

    /// Adds what the other processes have collected. `totals` are added up,
    /// too.
    template <int dim>
    void
    add_others(Summary<dim> &summary, const Mesh<dim> &mesh,
               const Division &division, std::vector<double> &totals)
    {
      const Processes &all = division.processes();
      // All processes know all boundaries and materials.
      const std::size_t n_own = totals.size();
      for (const auto id : mesh.boundary_ids())
        totals.push_back(static_cast<double>(summary.faces[id]));
      for (const auto id : mesh.material_ids())
        totals.push_back(static_cast<double>(summary.cells[id]));
      const auto quality = all.gather(summary.worst),
                 number  = all.gather(static_cast<double>(summary.number));
      int worst          = 0; // the process with the worst cell
      for (int rank = 1; rank < all.size(); ++rank)
        if (std::pair(quality[rank], number[rank]) <
            std::pair(quality[worst], number[worst]))
          worst = rank;
      std::vector<double> of_worst(dim, 0.);
      if (worst == division.rank())
        for (int d = 0; d < dim; ++d)
          of_worst[d] = summary.worst_place[d];
      all.sum(of_worst);
      all.sum(totals);
      auto total = totals.begin() + n_own;
      for (auto &[id, n] : summary.faces)
        n = std::llround(*total++);
      for (auto &[id, n] : summary.cells)
        n = std::llround(*total++);
      summary.worst  = quality[worst];
      summary.number = std::llround(number[worst]);
      for (int d = 0; d < dim; ++d)
        {
          summary.worst_place[d] = of_worst[d];
          const auto lower       = all.gather(summary.lower[d]),
                     upper       = all.gather(summary.upper[d]);
          summary.lower[d] = *std::min_element(lower.begin(), lower.end());
          summary.upper[d] = *std::max_element(upper.begin(), upper.end());
        }
    }

    template <int dim>
    void
    print(const Mesh<dim> &mesh, Summary<dim> summary, const double n_cells,
          const double n_vertices, const bool all, std::ostream &out)
    {
      auto &[faces, cells, lower, upper, worst, number, worst_place] = summary;

      const double size = upper.distance(lower);
      for (int d = 0; d < dim; ++d)
        for (double *x : {&lower[d], &upper[d]})
          if (std::abs(*x) < 1e-12 * size)
            *x = 0.;
      out << "Mesh         " << mesh.source << '\n'
          << "Cells        " << program::format_count(std::llround(n_cells))
          << " of type " << to_string(mesh.cell_type())
          << (mesh.curved ? ", curved" : "") << '\n'
          << "Vertices     " << program::format_count(std::llround(n_vertices))
          << '\n';
      print_ids("Boundaries   ", "face", faces, mesh.boundary_names, all, out);
      print_ids("Materials    ", "cell", cells, mesh.material_names, all, out);
      print_node_sets(mesh, out);
      out << "Bounding box " << mesh_tools::place(lower) << " to "
          << mesh_tools::place(upper) << '\n'
          << "Worst cell   " << number << " around "
          << mesh_tools::place(worst_place) << ", quality "
          << program::format(worst, 3) << " (1 is best)\n";
      if (mesh.n_ignored_faces > 0)
        out << "Not used     "
            << program::format_count(
                 static_cast<long long>(mesh.n_ignored_faces))
            << (mesh.n_ignored_faces == 1 ? " face" : " faces")
            << " of the file that "
            << (mesh.n_ignored_faces == 1 ? "is" : "are")
            << " not on the boundary\n";
    }
  } // namespace


  template <int dim>
  void
  print_summary(const Mesh<dim> &mesh, std::ostream &out, const bool all,
                const Division &division)
  {
    Summary<dim> summary = summarise(mesh, division);
    std::vector<double> totals{n_own_vertices(mesh, division)};
    add_others(summary, mesh, division, totals);
    double n_cells = 0;
    for (const auto &[id, n] : summary.cells)
      n_cells += static_cast<double>(n);
    print(mesh, summary, n_cells, totals[0], all, out);
  }


  template void
  print_summary(const Mesh<2> &, std::ostream &, bool, const Division &);
  template void
  print_summary(const Mesh<3> &, std::ostream &, bool, const Division &);
} // namespace tessera
