#pragma once

#include "cases.h"
#include "constrained_oracle.h"
#include "exchange.h"

#include <tessera/forms/elasticity.h>
#include <tessera/forms/laplace.h>
#include <tessera/operators/cell_operator.h>

// A problem that is divided into parts, all of which are in one process.
namespace tessera::test
{
  /// Returns the entries of a part of a mesh's vector, with a tail of zeros.
  template <class Number>
  std::vector<Number>
  restrict_to(const Space &space, const std::vector<Number> &values)
  {
    const int n = space.n_components;
    std::vector<Number> local(std::size_t(space.n_local()) * n, Number(0));
    for (int i = 0; i < space.n_owned * n; ++i)
      local[i] = values[std::size_t(space.mesh_dof[i / n]) * n + i % n];
    return local;
  }

  /// Returns a coefficient of the mesh's cells and points in a space's order.
  inline Coefficient
  reorder(const Coefficient &of_mesh, const Space &space)
  {
    Coefficient result = of_mesh;
    const std::size_t m =
      of_mesh.n_components * std::size_t(space.points_per_cell());
    result.values.clear();
    for (const int cell : space.mesh_cell)
      result.values.insert(result.values.end(),
                           of_mesh.values.begin() + m * cell,
                           of_mesh.values.begin() + m * (cell + 1));
    return result;
  }

  /// An undivided problem, with the oracle's results by entry of the mesh. The
  /// form is Laplace's, or elasticity if nodes have components.
  struct Whole
  {
    static constexpr double young = 2, poisson = 0.3;

    Connectivity mesh;
    int n;
    Coefficient kappa;
    std::vector<double> y, y_scale, diagonal, diagonal_scale;

    template <class Number>
    Whole(const Connectivity &mesh, const std::vector<Number> &x)
      : mesh(mesh), n(mesh.n_components)
    {
      const Space space = build_space(mesh);
      Space in_order    = space;
      for (int c = 0; c < mesh.n_cells(); ++c)
        in_order.mesh_cell[c] = c;
      kappa = varying(in_order, Coefficient::Kind::per_quadrature_point);
      const ConstrainedOracle oracle = make_oracle(space);
      std::vector<double> local      = as_double(restrict_to(space, x)), values,
                          size;
      local.resize(std::size_t(space.n_owned) * n);
      oracle.vmult(local, values, size);
      y       = of_mesh(space, values);
      y_scale = of_mesh(space, size);
      oracle.diagonal(values, size);
      diagonal       = of_mesh(space, values);
      diagonal_scale = of_mesh(space, size);
    }

    Form
    form(const Space &space) const
    {
      return n == 1 ? laplace(reorder(kappa, space))
                    : elasticity(isotropic_stiffness(n, young, poisson));
    }

  private:
    ConstrainedOracle
    make_oracle(const Space &space) const
    {
      if (n == 1)
        return ConstrainedOracle(Oracle(space, reorder(kappa, space)));
      return ConstrainedOracle(
        FormOracle(space, n, Coefficient::scalar(1),
                   [this](const PointAt &, const auto &u, const auto &v) {
                     return elastic_energy(n, young, poisson, u, v);
                   }));
    }

    std::vector<double>
    of_mesh(const Space &space, const std::vector<double> &owned) const
    {
      std::vector<double> result(std::size_t(mesh.n_dofs) * n, 0.);
      for (int i = 0; i < space.n_owned * n; ++i)
        result[std::size_t(space.mesh_dof[i / n]) * n + i % n] = owned[i];
      return result;
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
            const std::string &numbering)
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
            whole.form(space), options,
            Parts<Number>(
              std::make_shared<const Communicator>(),
              std::make_shared<LockStepTail<Number>>(parts, p, mail))));
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
      mine.resize(std::size_t(parts[p].space.n_owned) * whole.n);
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
      deliver_and_check(whole.diagonal, whole.diagonal_scale);
    }

    /// Rows that read no ghost must have been multiplied before ghosts are
    /// there. Returns how many these are, of all parts.
    int
    check_early_rows()
    {
      int n_early = 0;
      for (std::size_t p = 0; p < parts.size(); ++p)
        {
          y[p].copy_from(random_values<Number>(y[p].size(), 2));
          std::vector<Number> early;
          mail.when_arriving = [&]() { early = y[p].to_vector(); };
          A[p]->vmult(y[p], x[p]);
          mail.when_arriving             = {};
          const std::vector<Number> late = y[p].to_vector();
          if (early.empty())
            ADD_FAILURE() << "no ghosts were imported";
          for (const int i : rows_without_ghosts(parts[p].space))
            {
              EXPECT_EQ(early.at(i), late[i]) << "part " << p << ", row " << i;
              ++n_early;
            }
        }
      return n_early;
    }

    /// Rows to which hanging nodes are added after the product are left out.
    static std::vector<int>
    rows_without_ghosts(const Space &space)
    {
      std::vector<char> reads_none(space.n_stored(), 1);
      for (const int source : space.hanging.source)
        reads_none[source / space.n_components] = 0;
      const int n = space.dofs_per_cell();
      for (int cell = 0; cell < space.n_cells(); ++cell)
        {
          const int *const dofs =
            space.cell_dofs.data() + std::size_t(n) * cell;
          if (std::any_of(dofs, dofs + n, [&](const int i) {
                return i >= space.n_owned && i < space.n_stored();
              }))
            for (int i = 0; i < n; ++i)
              if (dofs[i] < space.n_stored())
                reads_none[dofs[i]] = 0;
        }
      std::vector<int> rows;
      for (int i = 0; i < space.n_owned * space.n_components; ++i)
        if (reads_none[i / space.n_components] != 0)
          rows.push_back(i);
      return rows;
    }

    /// Applies interior cells, one half of them while the ghosts are not there
    /// yet and the other one while sums of the tail leave.
    void
    check_overlap()
    {
      for (std::size_t p = 0; p < parts.size(); ++p)
        {
          const auto *cell_wise =
            dynamic_cast<const CellOperator<Number> *>(A[p].get());
          if (cell_wise == nullptr || whole.n > 1)
            return; // given components are not masked
          write_tail(
            x[p], 0,
            std::vector<Number>(parts[p].space.n_ghosts,
                                std::numeric_limits<Number>::quiet_NaN()));
          y[p].zero();
          cell_wise->apply_add(y[p], x[p], CellRange::first_half);
          fill_ghosts(parts, p, x[p], mail.to_import);
          // This tail belongs to the part alone and moves no ghosts.
          const auto tail = cell_wise->cell_data().tail();
          tail->import(x[p], {});
          cell_wise->apply_add(y[p], x[p], CellRange::boundary);
          tail->export_add(y[p], {});
          const std::vector<Number> leaving = y[p].to_vector();
          cell_wise->apply_add(y[p], x[p], CellRange::second_half);
          mail.exported[p] = y[p].to_vector();
          EXPECT_TRUE(std::equal(leaving.begin() + A[p]->n_owned(),
                                 leaving.end(),
                                 mail.exported[p].begin() + A[p]->n_owned()))
            << "the tail changes while it leaves";
        }
      deliver_and_check(whole.y, whole.y_scale);
    }
  };
} // namespace tessera::test
