#include "stress_points.h"

#include <tessera/base/error.h>
#include <tessera/base/replace_file.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <ostream>

namespace tessera
{
  using namespace stress_points;

  namespace
  {
    /// Sums and extremes of a block of cells; the smallest principal stress has
    /// the opposite sign.
    template <int dim>
    struct Block
    {
      std::array<Extreme<dim>, 4> extremes{};
      double energy = 0;

      Block()
      {
        for (auto &extreme : extremes)
          extreme.value = -std::numeric_limits<double>::infinity();
      }

      void
      add(const Block &other)
      {
        for (int i = 0; i < 4; ++i)
          if (other.extremes[i].value > extremes[i].value)
            extremes[i] = other.extremes[i];
        energy += other.energy;
      }
    };
    /// Adds the sums and extremes of the other processes.
    template <int dim>
    void
    add_others(Block<dim> &block, const Division &division)
    {
      const std::size_t n_processes = division.n_processes(),
                        n_each      = 1 + block.extremes.size() * (1 + dim);
      std::vector<double> values(n_processes * n_each, 0.);
      double *out = &values[division.rank() * n_each];
      *out++      = block.energy;
      for (const auto &extreme : block.extremes)
        {
          *out++ = extreme.value;
          out    = std::copy_n(extreme.point.begin_raw(), dim, out);
        }
      sum_up(division, values);
      block = {};
      for (std::size_t process = 0; process < n_processes; ++process)
        {
          const double *of_one = &values[process * n_each];
          Block<dim> other;
          other.energy = *of_one++;
          for (auto &extreme : other.extremes)
            {
              extreme.value = *of_one++;
              std::copy_n(of_one, dim, extreme.point.begin_raw());
              of_one += dim;
            }
          block.add(other);
        }
    }
  } // namespace


  double
  von_mises(const SymmetricComponents &s)
  {
    const auto square = [](const double x) { return x * x; };
    return std::sqrt((square(s[0] - s[1]) + square(s[1] - s[2]) +
                      square(s[2] - s[0]) +
                      6 * (square(s[3]) + square(s[4]) + square(s[5]))) /
                     2);
  }


  std::array<double, 3>
  principal_stresses(const SymmetricComponents &stress)
  {
    for (const double s : stress)
      if (!std::isfinite(s))
        return {s, s, s};
    // Jacobi's rotations. Formulas for the roots of a cubic would lose half of
    // the digits where two principal stresses are equal.
    std::array<double, 3> values{stress[0], stress[1], stress[2]};
    double shear[3] = {stress[5], stress[4], stress[3]}; // yz, xz, xy
    bool rotates    = true;
    for (int sweep = 0; rotates && sweep < 50; ++sweep)
      {
        rotates = false;
        for (int k = 0; k < 3; ++k)
          {
            const int p = (k + 1) % 3, q = (k + 2) % 3;
            const double size = std::abs(values[p]) + std::abs(values[q]);
            if (size + std::abs(shear[k]) == size)
              continue;
            rotates            = true;
            const double ratio = (values[q] - values[p]) / (2 * shear[k]);
            const double t     = std::copysign(
                  1 / (std::abs(ratio) + std::sqrt(1 + ratio * ratio)), ratio);
            const double c = 1 / std::sqrt(1 + t * t), s = c * t;
            values[p] -= t * shear[k];
            values[q] += t * shear[k];
            shear[k]        = 0;
            const double to = shear[q]; // between k and p
            shear[q]        = c * to - s * shear[p];
            shear[p]        = s * to + c * shear[p];
          }
      }
    std::sort(values.begin(), values.end(), std::greater<>());
    return values;
  }


  Coefficient
  isotropic_across(const double young, const double poisson, const Plane plane)
  {
    const auto c   = isotropic_stiffness(3, young, poisson).values;
    const double e = -c[1] / c[0];
    return {Coefficient::Kind::uniform, 5,
            plane == Plane::strain ? std::vector<double>{c[1], c[1], c[0], 0, 0}
                                   : std::vector<double>{0, 0, 0, e, e}};
  }


  template <int dim>
  Stresses<dim>
  compute_stresses(const StressProblem<dim> &problem)
  {
    const Cells<dim> cells(problem);
    cells.check_whole(problem);
    const auto unit_nodes               = problem.cells.unit_nodes();
    constexpr std::ptrdiff_t block_size = 256;
    const auto n_blocks = (cells.size() + block_size - 1) / block_size;
    std::vector<Block<dim>> blocks(n_blocks);
    Stresses<dim> result;
    result.cells.resize(cells.size());
#pragma omp parallel
    {
      PointStresses<dim> at(problem, cells);
      CellValues<dim> at_nodes(problem.cells, unit_nodes);
      const auto visit = [&](const unsigned int c, Block<dim> &block) {
        const auto keep = [&](const int i, const double value,
                              const dealii::Point<dim> &point) {
          if (value > block.extremes[i].value)
            block.extremes[i] = {value, point};
        };
        at.reinit(c);
        CellStress<dim> &mean = result.cells[c];
        SymmetricComponents stress{};
        std::array<double, 3> principal{};
        for (unsigned int q = 0; q < cells.rule.size(); ++q)
          {
            at.evaluate(q);
            const double dx  = at.dx(q);
            const auto point = at.values.point(q);
            mean.volume += dx;
            mean.centre += dx * point;
            for (int i = 0; i < 6; ++i)
              {
                mean.strain[i] += dx * at.strain[i];
                mean.stress[i] += dx * at.stress[i];
                block.energy +=
                  (i < 3 ? 0.5 : 1.) * dx * at.elastic[i] * at.stress[i];
              }
            if (q == 0 || at.stress != stress)
              principal = principal_stresses(at.stress);
            stress = at.stress;
            keep(0, von_mises(at.stress), point);
            keep(1, principal[0], point);
            keep(2, -principal[2], point);
          }
        mean.centre /= mean.volume;
        for (int i = 0; i < 6; ++i)
          {
            mean.strain[i] /= mean.volume;
            mean.stress[i] /= mean.volume;
          }
        mean.principal =
          at.is_constant() ? principal : principal_stresses(mean.stress);
        mean.von_mises = von_mises(mean.stress);
        at_nodes.reinit(cells.cells[c]);
        for (unsigned int i = 0; i < at.n; ++i)
          {
            double square = 0;
            for (int a = 0; a < dim; ++a)
              square += at.u[i * dim + a] * at.u[i * dim + a];
            if (std::sqrt(square) > block.extremes[3].value)
              keep(3, std::sqrt(square), at_nodes.point(i));
          }
      };
#pragma omp for schedule(static)
      for (std::ptrdiff_t block = 0; block < n_blocks; ++block)
        for (auto c = block * block_size;
             c < std::min(cells.size(), (block + 1) * block_size); ++c)
          visit(static_cast<unsigned int>(c), blocks[block]);
    }
    Block<dim> all;
    for (const auto &block : blocks)
      all.add(block);
    result.active_index.assign(cells.cells.begin(), cells.cells.end());
    add_others(all, problem.cells.division());
    if (!std::isfinite(all.energy))
      throw Error(ExitCode::other,
                  "The strain energy is not a finite number, because the "
                  "displacement or the stiffness is not.");
    all.extremes[2].value *= -1;
    result.largest_von_mises    = all.extremes[0];
    result.largest_principal    = all.extremes[1];
    result.smallest_principal   = all.extremes[2];
    result.largest_displacement = all.extremes[3];
    result.strain_energy        = all.energy;
    return result;
  }


  namespace
  {
    constexpr int
    n_tensor(const int dim)
    {
      return dim == 2 ? 4 : 6;
    }

    /// Appends a comma, unless it is the first of a row, and a number, which
    /// reads back as it is.
    template <class T>
    void
    append(std::string &row, const T value)
    {
      char text[32];
      if (!row.empty() && row.back() != '\n')
        row += ',';
      row.append(text, std::to_chars(text, text + sizeof(text), value).ptr);
    }

    /// Appends the row of cell c.
    template <int dim>
    void
    append_row(std::string &rows, const std::int64_t c,
               const dealii::types::material_id material,
               const CellStress<dim> &cell)
    {
      append(rows, c);
      for (int d = 0; d < dim; ++d)
        append(rows, cell.centre[d]);
      append(rows, material);
      append(rows, cell.volume);
      for (const auto *const tensor : {&cell.strain, &cell.stress})
        for (int i = 0; i < n_tensor(dim); ++i)
          append(rows, (*tensor)[i]);
      for (const double s : cell.principal)
        append(rows, s);
      append(rows, cell.von_mises);
      rows += '\n';
    }
  } // namespace


  template <int dim>
  void
  write_cell_stresses(const std::string &path, const Mesh<dim> &mesh,
                      const Stresses<dim> &stresses)
  {
    write_file(path, "file", [&](std::ostream &out) {
      constexpr int n           = n_tensor(dim);
      const char *const names[] = {"xx", "yy", "zz", "xy", "xz", "yz"};
      out << (dim == 2 ? "cell,x,y,material,volume"
                       : "cell,x,y,z,material,volume");
      for (const char *const tensor : {",eps_", ",sigma_"})
        for (int i = 0; i < n; ++i)
          out << tensor << names[i];
      out << ",sigma_1,sigma_2,sigma_3,von_mises\n";
      const auto materials = mesh.cell_materials();
      // Threads format blocks of rows, which are written in their order.
      const std::ptrdiff_t n_cells = stresses.cells.size(), block = 256;
#pragma omp parallel for ordered schedule(static, 1)
      for (std::ptrdiff_t begin = 0; begin < n_cells; begin += block)
        {
          std::string rows;
          for (auto c = begin; c < std::min(begin + block, n_cells); ++c)
            {
              const unsigned int index = stresses.active_index[c];
              append_row(rows, mesh.number_of_index(index), materials[index],
                         stresses.cells[c]);
            }
#pragma omp ordered
          out << rows;
        }
    });
  }


#define INSTANTIATE(dim)                                                    \
  template Stresses<dim> compute_stresses(const StressProblem<dim> &);      \
  template void write_cell_stresses(const std::string &, const Mesh<dim> &, \
                                    const Stresses<dim> &);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
