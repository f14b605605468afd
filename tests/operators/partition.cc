#include "cases.h"
#include "exchange.h"

#include <tessera/forms/laplace.h>
#include <tessera/operators/cell_operator.h>

// A divided problem, with all parts in one process, must give the undivided
// result: the tail undoes all differences by ghosts and by the order of cells.
namespace tessera
{
  using namespace test;

  /// Returns the entries of a part of a mesh's vector, with a tail of zeros.
  template <class Number>
  std::vector<Number>
  restrict_to(const Space &space, const std::vector<Number> &values)
  {
    std::vector<Number> local(space.n_local(), Number(0));
    for (int i = 0; i < space.n_owned; ++i)
      local[i] = values[space.mesh_dof[i]];
    return local;
  }

  /// Returns a coefficient of the mesh's cells and points in a space's order.
  Coefficient
  reorder(const Coefficient &of_mesh, const Space &space)
  {
    Coefficient result  = of_mesh;
    const std::size_t m = 3 * space.dofs_per_cell();
    result.values.clear();
    for (const int cell : space.mesh_cell)
      result.values.insert(result.values.end(),
                           of_mesh.values.begin() + m * cell,
                           of_mesh.values.begin() + m * (cell + 1));
    return result;
  }

  /// An undivided problem: the oracle's results by degree of freedom of the
  /// mesh.
  struct Whole
  {
    Connectivity mesh;
    Coefficient kappa;
    std::vector<double> y, y_scale, diagonal;

    template <class Number>
    Whole(const Connectivity &mesh, const std::vector<Number> &x)
      : mesh(mesh), y(mesh.n_dofs), y_scale(mesh.n_dofs), diagonal(mesh.n_dofs)
    {
      const Space space = build_space(mesh);
      Space in_order    = space;
      for (int c = 0; c < mesh.n_cells(); ++c)
        in_order.mesh_cell[c] = c;
      kappa = varying(in_order, Coefficient::Kind::per_quadrature_point);
      const Oracle oracle(space, reorder(kappa, space));
      std::vector<double> product, scale;
      oracle.vmult(as_double(restrict_to(space, x)), product, scale);
      for (int i = 0; i < space.n_owned; ++i)
        {
          y[space.mesh_dof[i]]       = product[i];
          y_scale[space.mesh_dof[i]] = scale[i];
        }
      const int n = space.dofs_per_cell();
      for (int c = 0; c < space.n_cells(); ++c)
        for (int i = 0; i < n; ++i)
          if (space.cell_dofs[n * c + i] < space.padding_index())
            diagonal[space.mesh_dof[space.cell_dofs[n * c + i]]] +=
              oracle.cell_matrix(c)[i * n + i];
    }
  };

  template <class Number>
  struct Divided
  {
    using Mail = typename LockStepTail<Number>::Mail;

    const Whole &whole;
    std::vector<Part> parts;
    std::vector<Number> x_of_mesh;
    Mail mail;
    std::vector<std::unique_ptr<Operator<Number>>> A;
    std::vector<Vector<Number>> x, y;

    Divided(const Whole &whole, const std::vector<int> &part, const int n_parts,
            const std::vector<Number> &x_of_mesh, const Backend backend,
            const std::string &name, const Conflict conflict,
            const Numbering numbering)
      : whole(whole), parts(partition(whole.mesh, part, n_parts, numbering)),
        x_of_mesh(x_of_mesh)
    {
      AssemblyOptions options;
      options.conflict = conflict;
      for (int p = 0; p < n_parts; ++p)
        {
          const Space &space = parts[p].space;
          A.push_back(make_operator<Number>(
            name,
            std::make_shared<const CellData<Number>>(
              std::make_shared<const Space>(space), backend),
            laplace(reorder(whole.kappa, space)), options,
            std::make_shared<LockStepTail<Number>>(parts, p, mail)));
          x.push_back(A[p]->make_vector());
          y.push_back(A[p]->make_vector());
          mail.to_import.push_back(restrict_to(space, x_of_mesh));
          x[p].copy_from(mail.to_import[p]);
        }
      mail.exported.resize(n_parts);
    }

    /// Adds what the parts have exported, and compares with `reference`.
    void
    deliver_and_check(const std::vector<double> &reference,
                      const std::vector<double> &scale)
    {
      for (std::size_t p = 0; p < parts.size(); ++p)
        add_ghosts(parts, static_cast<int>(p), y[p], mail.exported);
      for (std::size_t p = 0; p < parts.size(); ++p)
        EXPECT_LT(
          rounding_units(owned_values(y[p]), own(p, reference), own(p, scale)),
          rounding_limit)
          << "part " << p;
    }

    std::vector<double>
    own(const std::size_t p, const std::vector<double> &values) const
    {
      auto mine = restrict_to(parts[p].space, values);
      mine.resize(parts[p].space.n_owned);
      return mine;
    }

    void
    check_vmult()
    {
      for (std::size_t p = 0; p < parts.size(); ++p)
        {
          y[p].copy_from(random_values<Number>(y[p].size(), 2));
          A[p]->vmult(y[p], x[p]);
        }
      deliver_and_check(whole.y, whole.y_scale);
    }

    /// A product that is added to itself is doubled, whatever the tail of y
    /// was.
    void
    check_add()
    {
      check_vmult();
      for (std::size_t p = 0; p < parts.size(); ++p)
        A[p]->vmult(y[p], x[p], Epilogue<Number>::add());
      std::vector<double> twice = whole.y, scale = whole.y_scale;
      for (std::size_t i = 0; i < twice.size(); ++i)
        {
          twice[i] *= 2;
          scale[i] *= 2;
        }
      deliver_and_check(twice, scale);
    }

    /// The shares of the parts must add up to x . A x.
    void
    check_dot()
    {
      double sum = 0, expected = 0, scale = 0;
      for (std::size_t p = 0; p < parts.size(); ++p)
        {
          Array<double> share(A[p]->backend(), 1);
          A[p]->vmult(y[p], x[p], Epilogue<Number>::dot(share.data()));
          sum += share.to_vector()[0];
        }
      for (std::size_t i = 0; i < x_of_mesh.size(); ++i)
        {
          expected += x_of_mesh[i] * whole.y[i];
          scale += std::abs(x_of_mesh[i]) * whole.y_scale[i];
        }
      EXPECT_LT(
        rounding_units(std::vector<Number>{Number(sum)}, {expected}, {scale}),
        rounding_limit);
      deliver_and_check(whole.y, whole.y_scale);
    }

    void
    check_diagonal()
    {
      for (std::size_t p = 0; p < parts.size(); ++p)
        A[p]->diagonal(y[p]);
      deliver_and_check(whole.diagonal, whole.diagonal);
    }

    /// Applies interior cells while the ghosts are not there yet.
    void
    check_overlap()
    {
      for (std::size_t p = 0; p < parts.size(); ++p)
        {
          const auto *cell_wise =
            dynamic_cast<const CellOperator<Number> *>(A[p].get());
          if (cell_wise == nullptr)
            return;
          write_tail(
            x[p], 0,
            std::vector<Number>(parts[p].space.n_ghosts,
                                std::numeric_limits<Number>::quiet_NaN()));
          y[p].zero();
          cell_wise->apply_add(y[p], x[p], CellRange::interior);
          fill_ghosts(parts[p], x[p], mail.to_import);
          cell_wise->apply_add(y[p], x[p], CellRange::boundary);
          mail.exported[p] = y[p].to_vector();
        }
      deliver_and_check(whole.y, whole.y_scale);
    }
  };

  template <class Number>
  void
  check(const Connectivity &mesh, const std::vector<int> &part,
        const int n_parts, const Backend backend)
  {
    auto x = random_values<Number>(mesh.n_dofs, 3);
    for (int dof = 0; dof < mesh.n_dofs; ++dof)
      if (mesh.constrained[dof])
        x[dof] = 0;
    const Whole whole(mesh, x);
    int turn = mesh.degree + n_parts;
    for (const std::string &name : operator_names())
      for (const Conflict conflict : conflicts(backend, name))
        {
          const Numbering numbering = numberings[turn++ % n_numberings];
          if (left_out(turn, 2))
            continue;
          SCOPED_TRACE(to_string(backend) + ", degree " +
                       std::to_string(mesh.degree) + ", " +
                       std::to_string(n_parts) + " parts, " + name + ", " +
                       to_string(conflict) + ", " + to_string(numbering));
          Divided<Number> divided(whole, part, n_parts, x, backend, name,
                                  conflict, numbering);
          divided.check_add();
          divided.check_dot();
          divided.check_diagonal();
          divided.check_overlap();
        }
  }

  TEST(OperatorPartition, InterlockedPartsAreTheWhole)
  {
    for (const Backend backend : backends())
      for (const int degree : test::degrees(CellType::quadrilateral))
        for (const int n_parts : {2, 3})
          {
            const Connectivity mesh = unstructured_mesh(degree, 1);
            std::vector<int> part(mesh.n_cells());
            for (std::size_t c = 0; c < part.size(); ++c)
              part[c] = static_cast<int>((c / 5 * 7 + c % 2) % n_parts);
            check<double>(mesh, part, n_parts, backend);
            if (!is_watched())
              check<float>(mesh, part, n_parts, backend);
          }
  }

  // Parts have several blocks, some of which are interior.
  TEST(OperatorPartition, HalvesAreTheWhole)
  {
    for (const Backend backend : backends())
      for (const int degree : {1, 2})
        {
          const Connectivity mesh = generated_mesh(degree, 28, 24);
          std::vector<int> part(mesh.n_cells());
          for (std::size_t c = 0; c < part.size(); ++c)
            part[c] = c % 28 < 15;
          for (const Part &each : partition(mesh, part, 2))
            {
              const CellData<double> cells(
                std::make_shared<const Space>(each.space), backend);
              for (const CellRange range :
                   {CellRange::interior, CellRange::boundary})
                ASSERT_GT(
                  cells.launches(Conflict::atomics, range).at(0).n_blocks, 0);
            }
          check<double>(mesh, part, 2, backend);
        }
  }
} // namespace tessera
