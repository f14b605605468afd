#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <tessera/dealii/expression.h>
#include <tessera/dealii/mesh.h>
#include <tessera/forms/coefficient.h>
#include <tessera/space/space.h>

#include <deal.II/base/symmetric_tensor.h>

#include <memory>
#include <string>
#include <vector>

namespace tessera
{
  /// A formula for the whole mesh that subsections `Material 1` to `Material 8`
  /// replace on the materials that they name; it may jump from one to the next.
  /// A symmetric tensor is given by its components xx; xy; yy or xx; xy; xz;
  /// yy; yz; zz, and one component is a multiple of the identity.
  template <int dim>
  class MaterialExpression
  {
  public:
    static constexpr int n_tensor_components = dim * (dim + 1) / 2;

    /// Declares `section`/`entry` and the subsections, which have `Materials`
    /// and an entry of the same name.
    static void
    declare(Parameters &parameters, const std::string &section,
            const std::string &entry, const std::string &default_value,
            const std::string &documentation);

    /// A tensor has 1 or n_tensor_components components, else there is one.
    /// Throws ParameterError where an expression does not parse.
    MaterialExpression(const Parameters &parameters, const std::string &section,
                       const std::string &entry, bool is_tensor);

    /// [n_active_cells]: the expression that holds there, 0 being that of the
    /// whole mesh. Throws MeshError where a material that is named does not
    /// exist or is claimed twice.
    std::vector<unsigned char>
    expressions_of_cells(const Mesh<dim> &mesh) const;

    /// As data of a form: uniform where it does not vary, per cell where it
    /// varies from material to material alone, else at the quadrature points.
    /// Throws ParameterError naming entry, value and place where a value is not
    /// finite or a tensor not positive definite, and what
    /// `expressions_of_cells` throws.
    Coefficient
    coefficient(const Mesh<dim> &mesh, const Space &space) const;

    /// Components of the coefficient, 1 or n_tensor_components.
    int
    n_components() const
    {
      return is_tensor ? n_tensor_components : 1;
    }

    /// Values at single points; one object for each thread.
    class Evaluator
    {
    public:
      explicit Evaluator(const MaterialExpression &field);

      /// Of the expression with this number: [n_components].
      void
      values(unsigned int expression, const dealii::Point<dim> &p,
             double *result) const;

      dealii::SymmetricTensor<2, dim>
      tensor(unsigned int expression, const dealii::Point<dim> &p) const;

    private:
      const MaterialExpression &field;
      std::vector<std::unique_ptr<dealii::FunctionParser<dim>>> functions;
    };

  private:
    struct Material
    {
      std::string section;
      std::vector<std::string> materials; ///< ids or names
    };

    /// Throws ParameterError unless the values at x are finite and, for a
    /// tensor, positive definite.
    void
    check(unsigned int expression, const double *x, const double *values) const;

    bool is_tensor;
    std::vector<Material> materials;
    std::vector<Expression<dim>> expressions; ///< whole mesh, then materials
  };
} // namespace tessera
