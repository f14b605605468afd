#include "dealii_rows.h"
#include "dealii_operators.h"
#include "work.h"

#include <tessera/base/error.h>

#include <deal.II/base/vectorization.h>

#include <algorithm>
#include <map>
#include <optional>

namespace tessera::benchmarks
{
  using namespace program;

  namespace
  {
    SparseMatrix
    copy_of(const dealii::SparseMatrix<double> &from)
    {
      SparseMatrix to;
      to.n_columns         = static_cast<int>(from.n());
      to.pattern.row_start = {0};
      for (unsigned int row = 0; row < from.m(); ++row)
        {
          std::map<int, double> entries; // deal.II has the diagonal first
          for (auto entry = from.begin(row); entry != from.end(row); ++entry)
            entries[entry->column()] = entry->value();
          for (const auto &[column, value] : entries)
            {
              to.pattern.columns.push_back(column);
              to.values.push_back(value);
            }
          to.pattern.row_start.push_back(to.pattern.columns.size());
        }
      return to;
    }

    /// An operator on the host as a peer.
    class OperatorPeer : public Peer
    {
    public:
      explicit OperatorPeer(std::unique_ptr<Operator<double>> op)
        : A(std::move(op)), x(A->make_vector()), result(A->make_vector())
      {}

      void
      set_x(const unsigned int i, const double value) override
      {
        x.data()[i] = value;
      }

      double
      y(const unsigned int i) const override
      {
        return result.data()[i];
      }

      void
      vmult() override
      {
        A->vmult(result, x);
      }

    private:
      const std::unique_ptr<Operator<double>> A;
      Vector<double> x, result;
    };

    template <int dim>
    class Rows : public DealiiRows
    {
    public:
      Rows(const Connectivity &mesh, const Oracle &oracle, Report &report,
           const MeasureOptions &timing)
        : mesh(mesh), oracle(oracle), report(report), timing(timing),
          factor(cholesky_factor(conductivity_tensor<dim>()))
      {
        for (int i = 0; i < mesh.n_dofs; ++i)
          n_free += !mesh.constrained[i];
      }

      void
      sparse_matrix(Row row) override
      {
        measure(row, "csr", "SparseMatrix", [&](Row &r, auto number) {
          auto &peer      = matrix(number);
          r.setup_seconds = kept(number).seconds;
          verify(r, *plain, peer);
          time(r, [&]() { peer.vmult(); });
        });
      }

      void
      assembly(Row row) override
      {
        measure(row, "csr", "FEValues", [&](Row &r, auto number) {
          auto &peer = matrix(number);
          time(r, [&]() { peer.assemble(); });
          verify(r, *plain, peer);
        });
      }

      void
      matrix_creator(Row row) override
      {
        measure(row, "csr", "MatrixCreator", [&](Row &r, auto number) {
          using Number = decltype(number);
          if (!mapped)
            mapped.emplace(mesh, invert(factor));
          DealiiSparseMatrix<dim, Number> peer(*mapped);
          const double det = determinant(factor);
          time(r, [&]() { peer.create(det); });
          verify(r, *mapped, peer);
        });
      }

      void
      matrix_free(Row row) override
      {
        row.parameters["scheme"] = matrix_free_scheme();
        measure(row, "matrix_free", "MatrixFree", [&](Row &r, auto number) {
          const Timer timer;
          const auto peer =
            make_dealii_matrix_free<dim, decltype(number)>(discretization());
          r.setup_seconds = timer.seconds();
          verify(r, *plain, *peer);
          time(r, [&]() { peer->vmult(); });
        });
      }

      void
      product(Row row, const PeerProduct &product) override
      {
        row.parameters["simd_width"] = not_measured;
        for (const auto &[name, value] : product.shown)
          row.parameters[name] = value;
        measure(row, "csr", [&](Row &r, auto number) {
          if (sizeof(number) != sizeof(double))
            throw ParameterError(r.library +
                                 " has this product in double alone.");
          const SparseMatrix from = copy_of(matrix(0.).entries());
          const Timer timer;
          OperatorPeer peer(
            std::get<PeerProduct::Maker<double>>(product.makers)({&from}));
          r.setup_seconds = timer.seconds();
          verify(r, *plain, peer);
          time(r, [&]() { peer.vmult(); });
        });
      }

      void
      clear() override
      {
        in_double = {};
        in_float  = {};
      }

    private:
      const Discretization<dim> &
      discretization()
      {
        if (!plain)
          plain.emplace(mesh);
        return *plain;
      }

      template <class Number>
      struct Kept
      {
        std::unique_ptr<DealiiSparseMatrix<dim, Number>> matrix;
        double seconds = 0; ///< to make the matrix
      };

      template <class Number>
      Kept<Number> &
      kept(Number)
      {
        return std::get<Kept<Number> &>(std::tie(in_double, in_float));
      }

      /// Returns the assembled matrix, which is made by the first call.
      template <class Number>
      DealiiSparseMatrix<dim, Number> &
      matrix(const Number number)
      {
        Kept<Number> &of = kept(number);
        if (!of.matrix)
          {
            const auto &d = discretization();
            const Timer timer;
            of.matrix = std::make_unique<DealiiSparseMatrix<dim, Number>>(d);
            of.matrix->assemble();
            of.seconds = timer.seconds();
          }
        return *of.matrix;
      }

      /// Measures a class of deal.II.
      template <class Work>
      void
      measure(Row row, const std::string &name, const std::string &of_class,
              const Work &work)
      {
        row.parameters["class"]      = of_class;
        row.parameters["simd_width"] = std::int64_t(
          row.number == "double" ? dealii::VectorizedArray<double>::size()
                                 : dealii::VectorizedArray<float>::size());
        measure(row, name, work);
      }

      /// `work` receives the row and a number of the row's type.
      template <class Work>
      void
      measure(Row row, const std::string &name, const Work &work)
      {
        const bool in_double = row.number == "double";
        row.op               = name;
        report.measure(
          row,
          [&](Row &r) {
            if (in_double)
              work(r, 0.);
            else
              work(r, 0.f);
          },
          [&]() { clear(); });
      }

      template <class Work>
      void
      time(Row &row, const Work &work) const
      {
        const int bytes = row.number == "double" ? 8 : 4;
        const double model =
          mesh.cell_type != CellType::quadrilateral ? not_measured
          : row.kind == "assembly"
            ? models::assembly(row.op, row.degree, bytes) * row.cells
            : models::application(row.op, row.degree, bytes) * row.dofs;
        row.paper_bytes = paper_bytes(row, mesh);
        report.set_time(row, program::measure(Backend::host, {}, work, timing),
                        model, not_measured);
      }

      /// Sets the error, and whether a second application gives equal bits.
      void
      verify(Row &row, const Discretization<dim> &d, Peer &peer) const
      {
        std::vector<int> free_dofs, mesh_dofs;
        for (unsigned int i = 0; i < d.ours.size(); ++i)
          if (!mesh.constrained[d.ours[i]])
            {
              free_dofs.push_back(i);
              mesh_dofs.push_back(d.ours[i]);
              peer.set_x(i, oracle.x[d.ours[i]]);
            }
        const auto applied = [&]() {
          peer.vmult();
          std::vector<double> y;
          for (const int i : free_dofs)
            y.push_back(peer.y(i));
          return y;
        };
        const std::vector<double> y = applied();
        row.error                   = row.number == "double"
                                        ? error(oracle.y, y, mesh_dofs, n_free)
                                        : error(oracle.y, std::vector<float>(y.begin(), y.end()),
                                                mesh_dofs, n_free);
        row.repeatable              = y == applied();
      }

      const Connectivity &mesh;
      const Oracle &oracle;
      Report &report;
      const MeasureOptions timing;
      const dealii::Tensor<2, dim> factor; ///< L of K = L L^T
      int n_free = 0;
      std::optional<Discretization<dim>> plain;
      std::optional<Discretization<dim>> mapped; ///< multiplied by L^-1
      Kept<double> in_double;
      Kept<float> in_float;
    };

    PeerDescriptor
    describe_dealii(const std::string &name, const std::string &sentence,
                    const Names &kinds)
    {
      PeerDescriptor d{name, sentence, "deal.II", kinds};
      d.works_with.device = d.works_with.several_processes = false;
      return d;
    }

    const Registration<PeerDescriptor> sparse_matrix_registration([]() {
      PeerDescriptor d = describe_dealii(
        "dealii_sparse_matrix",
        "deal.II's SparseMatrix, assembled by FEValues with all threads and by "
        "MatrixCreator",
        {"assembly", "application"});
      d.rows = [](DealiiRows &rows, const Row &row) {
        if (row.kind != "assembly")
          return rows.sparse_matrix(row);
        rows.assembly(row);
        rows.matrix_creator(row);
      };
      return d;
    });
    const Registration<PeerDescriptor> matrix_free_registration([]() {
      PeerDescriptor d = describe_dealii(
        "dealii_matrix_free", "deal.II's MatrixFree", {"application"});
      d.rows = [](DealiiRows &rows, const Row &row) { rows.matrix_free(row); };
      return d;
    });
  } // namespace

  std::unique_ptr<DealiiRows>
  make_dealii_rows(const Connectivity &mesh, const Oracle &oracle,
                   Report &report, const MeasureOptions &timing)
  {
    if (dimension(mesh.cell_type) == 2)
      return std::make_unique<Rows<2>>(mesh, oracle, report, timing);
    return std::make_unique<Rows<3>>(mesh, oracle, report, timing);
  }
} // namespace tessera::benchmarks
