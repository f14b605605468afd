#pragma once

#include <tessera/fem/fields/field.h>
#include <tessera/fem/mesh/mesh.h>
#include <tessera/space/coefficient.h>
#include <tessera/space/point_evaluator.h>
#include <tessera/space/space.h>

#include <deal.II/base/symmetric_tensor.h>

#include <memory>
#include <string>
#include <vector>

namespace tessera
{
  /// The meaning of the components of a formula for a material.
  enum class MaterialValues
  {
    scalar,
    tensor, ///< symmetric: xx; xy; yy or xx; xy; xz; yy; yz; zz
    axes,   ///< three numbers, for example one per axis, in any dimension
    vector  ///< as many numbers as there are dimensions
  };

  /// A formula or a field of a file (`Field`, which counts as a formula here)
  /// for the whole mesh, and further ones for single materials: the subsections
  /// `Material 1`, `Material 2` and so on, at most 255 of which name materials,
  /// replace the formula on the materials that they name, so that the
  /// coefficient may jump between materials. A subsection that does not set the
  /// entry keeps the formula. A single component means a multiple of the
  /// identity if tensors are expected, and three equal numbers if three numbers
  /// are expected.
  template <int dim>
  class MaterialExpression
  {
  public:
    static constexpr int n_tensor_components = dim * (dim + 1) / 2;

    /// Declares the entry `section`/`entry` and the subsections, each with the
    /// entry `Materials` and an entry of the same name.
    static void
    declare(Parameters &parameters, const std::string &section,
            const std::string &entry, const std::string &default_value,
            const std::string &documentation);

    /// Reads the formulas, which have one component or the number that `kind`
    /// requires. Throws ParameterError if an expression cannot be parsed.
    MaterialExpression(const Parameters &parameters, const std::string &section,
                       const std::string &entry, MaterialValues kind);

    /// Takes a formula for the whole mesh.
    MaterialExpression(Field<dim> everywhere, const MaterialValues kind)
      : kind(kind), expressions{std::move(everywhere)}
    {}

    /// Returns the number of the expression that holds on each cell,
    /// [n_active_cells]; 0 is the expression for the whole mesh. Throws
    /// MeshError if a named material does not exist or is claimed twice.
    std::vector<unsigned char>
    expressions_of_cells(const Mesh<dim> &mesh) const;

    /// Returns the coefficient as data of a form. It is uniform if it is
    /// constant, per cell if it differs only between materials, and otherwise
    /// given at the quadrature points. If it is not uniform and every formula
    /// of a tensor is a number, it has one component. Throws ParameterError
    /// with entry, value and place if a value is not finite or a tensor is not
    /// positive definite, and what `expressions_of_cells` throws. If
    /// subsections name some materials, a note on standard error names, once,
    /// all other materials of the mesh that get a value nobody set, other than
    /// 0.
    ///
    /// Values at quadrature points are computed on the device of `cells`, if
    /// they are given, and stay there (`Coefficient::packed`), if it can
    /// evaluate the formulas.
    Coefficient
    coefficient(
      const Mesh<dim> &mesh, const Space &space,
      const std::shared_ptr<const CellData<double>> &cells = nullptr) const;

    /// Returns the number of components of the coefficient.
    int
    n_components() const
    {
      return kind == MaterialValues::scalar   ? 1
             : kind == MaterialValues::vector ? dim
             : kind == MaterialValues::tensor ? n_tensor_components
                                              : 3;
    }

    /// Returns true if every formula is 0.
    bool
    is_zero() const;

    bool
    varies_in_time() const;

    /// Throws ParameterError if some formula depends on t.
    void
    check_no_time() const;

    /// Sets t of the formulas.
    void
    set_time(double t);

    /// Evaluates the formulas at points. Every thread needs its own
    /// object.
    class Evaluator
    {
    public:
      explicit Evaluator(const MaterialExpression &field);

      /// Sets `result`, [n_components], to the values at p of the expression
      /// with this number.
      void
      values(unsigned int expression, const dealii::Point<dim> &p,
             double *result) const;

      /// The same for several points, [n][n_components].
      void
      values(unsigned int expression,
             const std::vector<dealii::Point<dim>> &points,
             std::vector<double> &result) const;

      dealii::SymmetricTensor<2, dim>
      tensor(unsigned int expression, const dealii::Point<dim> &p) const;

    private:
      /// Expands a single component to a diagonal tensor or equal numbers.
      void
      spread(double *values) const;

      const MaterialExpression &field;
      std::vector<std::unique_ptr<dealii::Function<dim>>> functions;
    };

  private:
    struct Material
    {
      std::string section;
      std::vector<std::string> materials; ///< ids or names
    };

    /// Returns the values at the points of `cells`; or null if a value is not
    /// legal or the host has to evaluate a formula. Cell c of the mesh has the
    /// expression which[c]. An expression that is a number has its value in
    /// `constant`.
    std::shared_ptr<const PackedCoefficient>
    on_device(const std::shared_ptr<const CellData<double>> &cells,
              const std::vector<unsigned char> &which,
              const std::vector<char> &used,
              const std::vector<std::vector<double>> &constant,
              int n_stored) const;

    /// Throws ParameterError unless the values at x are finite and, in the case
    /// of a tensor, positive definite.
    void
    check(unsigned int expression, const double *x, const double *values) const;

    /// Names the materials whose cells have the expression for the whole mesh.
    void
    say_default(const Mesh<dim> &mesh,
                const std::vector<unsigned char> &which) const;

    MaterialValues kind;
    /// The entry for the whole mesh with its value, unless it was set.
    mutable std::string by_default;
    std::vector<Material> materials;
    /// The expression for the whole mesh, then the ones for materials.
    std::vector<Field<dim>> expressions;
  };

  /// Returns the values, [n_components], of a coefficient of the host at point
  /// q of a cell of a space that has `n_points` in each.
  inline const double *
  values_at(const Coefficient &c, const std::size_t cell, const int q,
            const int n_points)
  {
    const std::size_t place = c.kind == Coefficient::Kind::uniform ? 0
                              : c.kind == Coefficient::Kind::per_cell
                                ? cell
                                : cell * n_points + q;
    return c.values.data() + place * c.n_components;
  }

  /// Returns the coefficient (k, c) of a form with diffusion and reaction, such
  /// as `reaction_diffusion`: the components of k, followed by the sum of
  /// `factor` c over the pairs (c, factor).
  Coefficient
  with_reaction(
    const Coefficient &k,
    const std::vector<std::pair<const Coefficient *, double>> &reactions,
    const Space &space);

  /// Returns all components of c times `weight`, which has one component.
  Coefficient
  weighted(const Coefficient &c, const Coefficient &weight, const Space &space);
} // namespace tessera
