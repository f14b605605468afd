#include <tessera/base/error.h>
#include <tessera/base/symmetric.h>
#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/distributed/face_trace.h>
#include <tessera/fem/fields/boundary_conditions.h>
#include <tessera/space/face_data.h>
#include <tessera/space/local_entry.h>

#include <algorithm>

// Springs: boundaries that resist the displacement.
namespace tessera
{
  namespace
  {
    /// The tensor with this upper half.
    template <int dim>
    dealii::SymmetricTensor<2, dim>
    tensor(const double *half)
    {
      dealii::SymmetricTensor<2, dim> result;
      for (int a = 0; a < dim; ++a)
        for (int b = a; b < dim; ++b)
          result[a][b] = half[local_entry(true, dim, a, b)];
      return result;
    }
  } // namespace


  template <int dim>
  std::vector<double>
  BoundaryConditions<dim>::coefficients(const Condition &condition,
                                        const std::vector<double> &points)
  {
    if (condition.kind != Kind::spring)
      return condition.alpha->evaluate_not_negative(points);
    constexpr int s     = n_symmetric(dim);
    const auto given    = condition.alpha->evaluate(points);
    const int n_given   = condition.alpha->n_components();
    const std::size_t n = points.size() / dim;
    std::vector<double> result(n * s, 0.);
    for (std::size_t i = 0; i < n; ++i)
      {
        const double *const from = &given[i * n_given];
        double *const to         = &result[i * s];
        if (n_given == s)
          std::copy_n(from, s, to);
        else
          for (int c = 0; c < dim; ++c)
            to[local_entry(true, dim, c, c)] = from[n_given == 1 ? 0 : c];
        const auto eigenvalues = dealii::eigenvalues(tensor<dim>(to));
        if (eigenvalues[dim - 1] < -1e-12 * eigenvalues[0])
          throw ParameterError(
            "The stiffness '" + condition.alpha->entry() +
            "' has the negative eigenvalue " +
            std::to_string(eigenvalues[dim - 1]) + " at " +
            place<dim>(&points[i * dim]) +
            "; legal are numbers of at least 0 and positive semidefinite "
            "tensors.");
      }
    return result;
  }


  template <int dim>
  std::vector<typename BoundaryConditions<dim>::SpringFaces>
  BoundaryConditions<dim>::spring_faces(const Mesh<dim> &mesh,
                                        const CellNodes<dim> &cells) const
  {
    std::vector<SpringFaces> result;
    if (std::none_of(conditions.begin(), conditions.end(),
                     [](const Condition &condition) {
                       return condition.kind == Kind::spring;
                     }))
      return result; // without a look at the mesh
    const Where where = conditions_of(mesh);
    const auto rule =
      cell_quadrature<dim - 1>(face_type(cells.cell_type()), cells.degree());
    FaceTrace<dim> trace(cells, rule.get_points());
    for (const Condition &condition : conditions)
      {
        if (condition.kind != Kind::spring)
          continue;
        std::set<dealii::types::boundary_id> ids;
        for (const auto &[id, acting] : where)
          if (std::count(acting.begin(), acting.end(), &condition) > 0)
            ids.insert(id);
        SpringFaces faces;
        faces.name = condition.section.substr(condition.section.find('/') + 1);
        for (const MeshFace &face : cells.boundary_faces(ids))
          {
            if (!cells.is_here(face.cell))
              continue;
            trace.reinit(face);
            faces.cells.push_back(face.cell);
            for (const int node : trace.nodes())
              for (int c = 0; c < dim; ++c)
                faces.dofs.push_back(cells.dof(node, c));
            for (unsigned int q = 0; q < rule.size(); ++q)
              {
                const auto x = trace.point(q);
                faces.points.insert(faces.points.end(), x.begin_raw(),
                                    x.end_raw());
                faces.dS.push_back(trace.measure(q) * rule.weight(q));
              }
          }
        const auto stiffness = coefficients(condition, faces.points);
        const auto u0        = condition.value.evaluate(faces.points);
        const int n_u0       = condition.value.n_components();
        for (std::size_t i = 0; i < faces.dS.size(); ++i)
          {
            faces.stiffness.push_back(
              tensor<dim>(&stiffness[i * n_symmetric(dim)]));
            faces.at_rest.emplace_back();
            for (int c = 0; c < dim; ++c)
              faces.at_rest.back()[c] = u0[i * n_u0 + (n_u0 > 1 ? c : 0)];
          }
        result.push_back(std::move(faces));
      }
    return result;
  }


  template <int dim>
  std::vector<Spring<dim>>
  BoundaryConditions<dim>::springs(const Mesh<dim> &mesh,
                                   const CellNodes<dim> &cells) const
  {
    std::vector<Spring<dim>> result;
    for (const auto &faces : spring_faces(mesh, cells))
      for (std::size_t i = 0; i < faces.dS.size(); ++i)
        {
          dealii::Point<dim> point;
          std::copy_n(&faces.points[i * dim], dim, point.begin_raw());
          result.push_back(
            {point, faces.stiffness[i],
             faces.cells[i / (faces.dS.size() / faces.cells.size())]});
        }
    return result;
  }


  template <int dim>
  std::vector<std::pair<std::string, dealii::Vector<double>>>
  BoundaryConditions<dim>::spring_forces(const Mesh<dim> &mesh,
                                         const CellNodes<dim> &cells,
                                         const dealii::Vector<double> &u) const
  {
    const auto phi = face_shape_values(face_type(cells.cell_type()),
                                       cells.degree()); // [n][nq]
    std::vector<std::pair<std::string, dealii::Vector<double>>> result;
    for (const auto &faces : spring_faces(mesh, cells))
      {
        dealii::Vector<double> forces(u.size());
        const std::size_t n_faces =
          std::max<std::size_t>(1, faces.cells.size());
        const std::size_t nq = faces.dS.size() / n_faces;
        const std::size_t n  = faces.dofs.size() / n_faces / dim;
        for (std::size_t i = 0; i < faces.dS.size(); ++i)
          {
            const auto *const dofs         = &faces.dofs[i / nq * n * dim];
            const double *const at         = &phi[i % nq];
            dealii::Tensor<1, dim> stretch = faces.at_rest[i];
            for (std::size_t k = 0; k < n * dim; ++k)
              stretch[k % dim] -= at[k / dim * nq] * u(dofs[k]);
            const dealii::Tensor<1, dim> force =
              faces.dS[i] * (faces.stiffness[i] * stretch);
            for (std::size_t k = 0; k < n * dim; ++k)
              forces(dofs[k]) += at[k / dim * nq] * force[k % dim];
          }
        result.emplace_back(faces.name, std::move(forces));
      }
    return result;
  }


  template <int dim>
  std::vector<dealii::Vector<double>>
  BoundaryConditions<dim>::spring_sizes(const Mesh<dim> &mesh,
                                        const CellNodes<dim> &cells,
                                        const double largest_u) const
  {
    const auto phi = face_shape_values(face_type(cells.cell_type()),
                                       cells.degree()); // [n][nq]
    std::vector<dealii::Vector<double>> result;
    for (const auto &faces : spring_faces(mesh, cells))
      {
        dealii::Vector<double> sizes(cells.n_dofs());
        const std::size_t n_faces =
          std::max<std::size_t>(1, faces.cells.size());
        const std::size_t nq = faces.dS.size() / n_faces;
        const std::size_t n  = faces.dofs.size() / n_faces / dim;
        for (std::size_t i = 0; i < faces.dS.size(); ++i)
          for (std::size_t k = 0; k < n * dim; ++k)
            for (int c = 0; c < dim; ++c)
              sizes(faces.dofs[i / nq * n * dim + k]) +=
                faces.dS[i] * std::abs(phi[k / dim * nq + i % nq]) *
                std::abs(faces.stiffness[i][k % dim][c]) *
                (std::abs(faces.at_rest[i][c]) + largest_u);
        result.push_back(std::move(sizes));
      }
    return result;
  }


#define INSTANTIATE(dim)                                                       \
  template std::vector<double> BoundaryConditions<dim>::coefficients(          \
    const Condition &, const std::vector<double> &);                           \
  template std::vector<Spring<dim>> BoundaryConditions<dim>::springs(          \
    const Mesh<dim> &, const CellNodes<dim> &) const;                          \
  template std::vector<std::pair<std::string, dealii::Vector<double>>>         \
  BoundaryConditions<dim>::spring_forces(                                      \
    const Mesh<dim> &, const CellNodes<dim> &, const dealii::Vector<double> &) \
    const;                                                                     \
  template std::vector<dealii::Vector<double>>                                 \
  BoundaryConditions<dim>::spring_sizes(const Mesh<dim> &,                     \
                                        const CellNodes<dim> &, double) const;
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
