#include <tessera/space/reference_element.h>
#include <tessera/study/matrices/matrix_generator.h>

#include "generated_rows.h"

#include <limits>

namespace tessera
{
  using namespace generated_rows;

  namespace
  {
    /// The rows of K and M on an interval: for every node its first neighbour,
    /// the number of neighbours and the entries.
    struct IntervalRows
    {
      struct Row
      {
        int first = 0, length = 1;
        std::array<double, 9> stiffness = {}, mass = {1}; // [length]
      };

      std::vector<Row>
        rows; ///< one row with K = 0, M = 1 if the direction does not exist

      int
      size() const
      {
        return static_cast<int>(rows.size());
      }
    };

    template <class E>
    IntervalRows
    interval_rows(const int n_cells, const double h, const bool dirichlet)
    {
      constexpr int p    = E::degree;
      const auto element = reference_element<E, double>();
      double stiffness[p + 1][p + 1], mass[p + 1][p + 1]; // on [0, h]
      for (int i = 0; i <= p; ++i)
        for (int j = 0; j <= i; ++j)
          {
            double k = 0, m = 0;
            for (int q = 0; q <= p; ++q)
              {
                k += element.weights[q] * element.gradients[i][q] *
                     element.gradients[j][q];
                m += element.weights[q] * element.values[i][q] *
                     element.values[j][q];
              }
            stiffness[i][j] = stiffness[j][i] = k / h;
            mass[i][j] = mass[j][i] = m * h;
          }

      // The nodes `from` to `to` are kept.
      const int from = dirichlet ? 1 : 0, to = n_cells * p - from;
      IntervalRows result;
      for (int node = from; node <= to; ++node)
        {
          IntervalRows::Row row;
          row.mass           = {};
          const int cells[2] = {(node - 1) / p, node / p};
          const int first    = std::max(std::max(cells[0], 0) * p, from);
          const int last =
            std::min((std::min(cells[1], n_cells - 1) + 1) * p, to);
          row.first  = first - from;
          row.length = last - first + 1;
          for (int c = std::max(cells[0], 0); c <= cells[1] && c < n_cells; ++c)
            for (int j = 0; j <= p; ++j)
              if (c * p + j >= first && c * p + j <= last)
                {
                  row.stiffness[c * p + j - first] +=
                    stiffness[node - c * p][j];
                  row.mass[c * p + j - first] += mass[node - c * p][j];
                }
          result.rows.push_back(row);
        }
      return result;
    }
  } // namespace


  SparseMatrix
  generate(const GeneratedLaplacian &p)
  {
    const int n[3] = {p.n_x, p.n_y, p.dim == 3 ? p.n_z : 1};
    require(p.dim == 2 || p.dim == 3, "The dimension is " +
                                        std::to_string(p.dim) +
                                        ", legal are 2 and 3.");
    require(p.degree >= 1 && p.degree <= 4, "The degree is " +
                                              std::to_string(p.degree) +
                                              ", legal are 1 to 4.");
    double n_rows = 1;
    for (int d = 0; d < p.dim; ++d)
      {
        require(n[d] >= 1 && p.widths[d] > 0,
                "Direction " + std::to_string(d) + " has " +
                  std::to_string(n[d]) + " boxes of width " +
                  std::to_string(p.widths[d]) +
                  ", legal are 1 or more of positive width.");
        n_rows *= double(n[d]) * p.degree + (p.dirichlet ? -1 : 1);
      }
    require(n_rows >= 1 && n_rows < std::numeric_limits<int>::max(),
            "The matrix has " + std::to_string(n_rows) +
              " rows, legal are 1 to 2^31 - 2.");

    IntervalRows of[3];
    of[2].rows.resize(1);
    for (int d = 0; d < p.dim; ++d)
      on_element(CellType::quadrilateral, p.degree, [&](auto element) {
        using E = decltype(element);
        if constexpr (E::cell_type == CellType::quadrilateral)
          of[d] = interval_rows<E>(n[d], p.widths[d], p.dirichlet);
      });

    const auto rows_of = [&](const int row) {
      const int x = row % of[0].size(), yz = row / of[0].size();
      return std::array<const IntervalRows::Row *, 3>{
        {&of[0].rows[x], &of[1].rows[yz % of[1].size()],
         &of[2].rows[yz / of[1].size()]}};
    };
    SparseMatrix matrix = make_rows(
      static_cast<int>(n_rows), static_cast<int>(n_rows),
      [&](const int row) {
        const auto [x, y, z] = rows_of(row);
        return x->length * y->length * z->length;
      },
      [&](const int row, int *columns) {
        const auto [x, y, z] = rows_of(row);
        for (int k = 0; k < z->length; ++k)
          for (int j = 0; j < y->length; ++j)
            for (int i = 0; i < x->length; ++i)
              *columns++ =
                ((z->first + k) * of[1].size() + y->first + j) * of[0].size() +
                x->first + i;
      });
#pragma omp parallel for schedule(static)
    for (int row = 0; row < matrix.n_rows(); ++row)
      {
        const auto [x, y, z] = rows_of(row);
        double *value = matrix.values.data() + matrix.pattern.row_start[row];
        for (int k = 0; k < z->length; ++k)
          for (int j = 0; j < y->length; ++j)
            {
              const double mass = z->mass[k] * y->mass[j];
              const double rest =
                z->mass[k] * y->stiffness[j] + z->stiffness[k] * y->mass[j];
              for (int i = 0; i < x->length; ++i)
                *value++ = mass * x->stiffness[i] + rest * x->mass[i];
            }
      }
    return matrix;
  }
} // namespace tessera
