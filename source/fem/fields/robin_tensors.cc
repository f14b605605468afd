#include <tessera/base/error.h>
#include <tessera/base/symmetric.h>
#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/distributed/face_trace.h>
#include <tessera/fem/fields/boundary_conditions.h>
#include <tessera/space/face_data.h>
#include <tessera/space/local_entry.h>

#include <algorithm>

// Robin conditions of vectors, whose coefficient is a tensor.
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
    if (condition.kind != Kind::robin_tensor)
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
            "The tensor '" + condition.alpha->entry() +
            "' has the negative eigenvalue " +
            std::to_string(eigenvalues[dim - 1]) + " at " +
            place<dim>(&points[i * dim]) +
            "; legal are numbers of at least 0 and positive semidefinite "
            "tensors.");
      }
    return result;
  }


  template <int dim>
  std::vector<typename BoundaryConditions<dim>::TensorFaces>
  BoundaryConditions<dim>::tensor_faces(const Mesh<dim> &mesh,
                                        const CellNodes<dim> &cells) const
  {
    std::vector<TensorFaces> result;
    if (std::none_of(conditions.begin(), conditions.end(),
                     [](const Condition &condition) {
                       return condition.kind == Kind::robin_tensor;
                     }))
      return result; // without a look at the mesh
    const Where where = conditions_of(mesh);
    const auto rule =
      cell_quadrature<dim - 1>(face_type(cells.cell_type()), cells.degree());
    FaceTrace<dim> trace(cells, rule.get_points());
    for (const Condition &condition : conditions)
      {
        if (condition.kind != Kind::robin_tensor)
          continue;
        std::set<dealii::types::boundary_id> ids;
        for (const auto &[id, acting] : where)
          if (std::count(acting.begin(), acting.end(), &condition) > 0)
            ids.insert(id);
        TensorFaces faces;
        faces.name = condition.section.substr(condition.section.find('/') + 1);
        for (const MeshFace &face : cells.boundary_faces(ids))
          {
            if (!cells.is_own(face.cell))
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
        const auto K   = coefficients(condition, faces.points);
        const auto u0  = condition.value.evaluate(faces.points);
        const int n_u0 = condition.value.n_components();
        for (std::size_t i = 0; i < faces.dS.size(); ++i)
          {
            faces.K.push_back(tensor<dim>(&K[i * n_symmetric(dim)]));
            faces.at_rest.emplace_back();
            for (int c = 0; c < dim; ++c)
              faces.at_rest.back()[c] = u0[i * n_u0 + (n_u0 > 1 ? c : 0)];
          }
        result.push_back(std::move(faces));
      }
    return result;
  }


#define INSTANTIATE(dim)                                              \
  template std::vector<double> BoundaryConditions<dim>::coefficients( \
    const Condition &, const std::vector<double> &);                  \
  template std::vector<BoundaryConditions<dim>::TensorFaces>          \
  BoundaryConditions<dim>::tensor_faces(const Mesh<dim> &,            \
                                        const CellNodes<dim> &) const;
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
