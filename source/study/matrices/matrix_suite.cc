#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/study/matrices/matrix_generator.h>
#include <tessera/study/matrices/matrix_suite.h>

#include "generated_rows.h"

#include <functional>
#include <limits>
#include <map>

namespace tessera
{
  namespace
  {
    int
    scaled(const double n, const double scale)
    {
      return static_cast<int>(std::max(std::floor(n * scale + 0.5), 1.));
    }

    /// The arguments of all makers.
    struct Request
    {
      const SuiteMatrix &line;
      double scale;
      int n_rows; ///< already scaled

      /// Returns the mean length of rows that the line asks for.
      double
      mean() const
      {
        return static_cast<double>(line.n_nonzeros) / line.n_rows;
      }
    };

    /// The grid has about `n` boxes per direction at scale 1.
    SparseMatrix
    make_laplacian(const Request &request, const int dim, const int degree,
                   const int n)
    {
      GeneratedLaplacian p;
      p.dim       = dim;
      p.degree    = degree;
      p.dirichlet = true;
      p.n_x       = std::max(scaled(n, std::pow(request.scale, 1. / dim)),
                       degree == 1 ? 2 : 1);
      p.n_y = p.n_z = p.n_x;
      return generate(p);
    }

    /// The matrix of a mesh. The shortest rows have length `least`, except for
    /// 0.5 % of the nodes, which are fixed if there is a `fixed_bandwidth`.
    SparseMatrix
    make_graph(const Request &request, const int block_size, const int least,
               const int fixed_bandwidth,
               const GraphOrder order = GraphOrder::lexicographic,
               const double tails = 0.1, const double spread = 0.5)
    {
      GeneratedGraph p;
      p.n_rows     = request.n_rows;
      p.block_size = block_size;
      p.least      = least;
      p.most       = request.line.longest;
      p.mean       = request.mean();
      p.tails      = tails;
      p.spread     = spread;
      p.order      = order;
      if (fixed_bandwidth >= 0)
        {
          p.n_fixed         = p.n_rows / block_size / 200;
          p.fixed_bandwidth = fixed_bandwidth;
        }
      return generate(p);
    }

    SparseMatrix
    make_scalar_graph(const Request &request,
                      const GraphOrder order = GraphOrder::lexicographic)
    {
      return make_graph(request, 1, request.line.shortest, -1, order);
    }

    SparseMatrix
    make_random_rows(const Request &request, const double tail,
                     const double local, const int reach, const bool popular,
                     const bool diagonal)
    {
      GeneratedRandomRows p;
      p.n_rows = p.n_columns = request.n_rows;
      p.least                = request.line.shortest;
      p.most                 = request.line.longest;
      p.mean                 = request.mean();
      p.tail                 = tail;
      p.local                = local;
      p.reach                = reach;
      p.popular              = popular;
      p.diagonal             = diagonal;
      return generate(p);
    }

    SparseMatrix
    make_grid(const Request &request)
    {
      GeneratedGrid p;
      p.n_x = 1025;
      p.n_y = scaled(513, request.scale);
      return generate(p);
    }

    /// A lattice with n <= 8 sites per direction and at least n / 2 in time.
    SparseMatrix
    make_lattice(const Request &request)
    {
      GeneratedLattice p;
      for (p.n = 8; p.n >= 3; --p.n)
        {
          p.n_t = scaled(request.n_rows / (12. * p.n * p.n * p.n), 1);
          if (2 * p.n_t >= p.n || p.n == 3)
            break;
        }
      return generate(p);
    }

    SparseMatrix
    make_empty_rows(const Request &request)
    {
      GeneratedRandomRows p;
      p.n_rows = p.n_columns = request.n_rows;
      p.least                = 1;
      p.most                 = request.line.longest;
      p.mean                 = 6;
      const SparseMatrix all = generate(p);
      const auto length      = [&](const int row) {
        const bool in_run = row >= p.n_rows / 2 && row < p.n_rows / 2 + 100;
        return row % 3 == 0 || in_run || row == p.n_rows - 1
                      ? 0
                      : all.pattern.row_start[row + 1] - all.pattern.row_start[row];
      };
      SparseMatrix matrix = generated_rows::make_rows(
        p.n_rows, p.n_columns, length, [&](const int row, int *const columns) {
          std::copy_n(all.pattern.columns.data() + all.pattern.row_start[row],
                      length(row), columns);
        });
      generated_rows::set_values(matrix, 1);
      return matrix;
    }

    SparseMatrix
    make_one_dense_row(const Request &request)
    {
      const int n = request.n_rows, dense = n / 3;
      const auto first = [=](const int row) {
        return row == dense ? 0 : std::max(row - 1, 0);
      };
      const auto length = [=](const int row) {
        return (row == dense ? n : std::min(row + 2, n)) - first(row);
      };
      SparseMatrix matrix = generated_rows::make_rows(
        n, n, length, [&](const int row, int *const columns) {
          for (int k = 0; k < length(row); ++k)
            columns[k] = first(row) + k;
        });
      generated_rows::set_values(matrix, 1, true);
      return matrix;
    }

    /// Rows with columns anywhere, with lengths from `least` to `most`, or of
    /// one length if these are equal.
    SparseMatrix
    make_rectangle(const int n_rows, const int n_columns, const int least,
                   const int most)
    {
      GeneratedRandomRows p;
      p.n_rows    = n_rows;
      p.n_columns = n_columns;
      p.least     = least;
      p.most      = most;
      p.mean      = 0.5 * (least + most);
      p.local     = 0;
      return generate(p);
    }

    using Maker = std::function<SparseMatrix(const Request &)>;

    const std::map<std::string, Maker> &
    makers()
    {
      using R                                        = const Request &;
      static const std::map<std::string, Maker> list = {
        {"circuit",
         [](R r) { return make_random_rows(r, 0.05, 0.5, 100, true, true); }},
        {"economics",
         [](R r) { return make_random_rows(r, 0.2, 0.2, 1000, false, true); }},
        {"epidemiology", make_grid},
        {"fem_accelerator", [](R r) { return make_scalar_graph(r); }},
        {"fem_cantilever", [](R r) { return make_graph(r, 3, 24, 0); }},
        {"fem_harbor", [](R r) { return make_scalar_graph(r); }},
        {"fem_ship", [](R r) { return make_graph(r, 3, 24, -1); }},
        {"fem_spheres", [](R r) { return make_graph(r, 3, 24, 0); }},
        {"heart_3k", [](R r) { return make_scalar_graph(r); }},
        {"heart_5k", [](R r) { return make_scalar_graph(r); }},
        {"heart_30k", [](R r) { return make_scalar_graph(r); }},
        {"protein",
         [](R r) { return make_graph(r, 3, 18, -1, GraphOrder::tiled); }},
        {"qcd", make_lattice},
        {"webbase",
         [](R r) { return make_random_rows(r, 1, 0.3, 100, true, false); }},
        {"wind_tunnel",
         [](R r) {
           return make_graph(r, 3, 12, 1, GraphOrder::lexicographic, 0.01, 0.2);
         }},
        {"quad_1", [](R r) { return make_laplacian(r, 2, 1, 500); }},
        {"quad_2", [](R r) { return make_laplacian(r, 2, 2, 250); }},
        {"quad_3", [](R r) { return make_laplacian(r, 2, 3, 167); }},
        {"quad_4", [](R r) { return make_laplacian(r, 2, 4, 125); }},
        {"hex_1", [](R r) { return make_laplacian(r, 3, 1, 40); }},
        {"hex_2", [](R r) { return make_laplacian(r, 3, 2, 20); }},
        {"hex_3", [](R r) { return make_laplacian(r, 3, 3, 13); }},
        {"hex_4", [](R r) { return make_laplacian(r, 3, 4, 10); }},
        {"heart_30k_shuffled",
         [](R r) { return make_scalar_graph(r, GraphOrder::shuffled); }},
        {"empty_rows", make_empty_rows},
        {"one_dense_row", make_one_dense_row},
        {"one_column", [](R r) { return make_rectangle(r.n_rows, 1, 1, 1); }},
        {"few_rows",
         [](R r) {
           return make_rectangle(r.line.n_rows, 100, r.line.shortest,
                                 r.line.longest);
         }},
        {"single_entries",
         [](R r) { return make_rectangle(r.n_rows, r.n_rows, 1, 1); }}};
      return list;
    }

    std::vector<std::string>
    names_of(const std::function<bool(const SuiteMatrix &)> &wanted)
    {
      std::vector<std::string> names;
      for (const SuiteMatrix &line : matrix_suite())
        if (wanted(line))
          names.push_back(line.name);
      return names;
    }
  } // namespace


  const std::vector<SuiteMatrix> &
  matrix_suite()
  {
    static const std::vector<SuiteMatrix> suite = {
#define TESSERA_MATRIX(name, sentence, source, group, rows, nonzeros, least, \
                       most)                                                 \
  {#name, sentence, source, MatrixGroup::group, rows, nonzeros, least, most},
#include <tessera/study/matrices/matrix_suite.def>
#undef TESSERA_MATRIX
    };
    return suite;
  }


  std::vector<std::string>
  matrix_suite_names()
  {
    return names_of([](const SuiteMatrix &) { return true; });
  }


  std::vector<std::string>
  matrix_suite_names(const MatrixGroup group)
  {
    return names_of(
      [=](const SuiteMatrix &line) { return line.group == group; });
  }


  SparseMatrix
  make_suite_matrix(const std::string &name, const double scale)
  {
    const SuiteMatrix &line =
      matrix_suite()[index_of_name(name, matrix_suite_names(), "matrix")];
    if (!(scale > 0 &&
          scale * line.n_rows < 0.99 * std::numeric_limits<int>::max()))
      throw ParameterError("The scale of the matrix '" + name + "' is " +
                           std::to_string(scale) +
                           ", legal are positive numbers that give fewer than "
                           "2^31 rows.");
    return makers().at(name)({line, scale, scaled(line.n_rows, scale)});
  }
} // namespace tessera
