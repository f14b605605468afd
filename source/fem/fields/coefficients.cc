#include <tessera/base/error.h>
#include <tessera/base/parallel_vector.h>
#include <tessera/base/symmetric.h>
#include <tessera/fem/fields/coefficients.h>
#include <tessera/fem/fields/named_ids.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

namespace tessera
{
  namespace
  {
    constexpr int n_materials = 8; // more are declared where they are set
    constexpr std::size_t max_materials = 255; // an unsigned char of a cell

    std::string
    material_section(const std::string &section, const int i)
    {
      return section + "/Material " + std::to_string(i);
    }

    bool
    finite(const double *values, const int n)
    {
      return std::all_of(values, values + n,
                         [](const double v) { return std::isfinite(v); });
    }
  } // namespace


  template <int dim>
  void
  MaterialExpression<dim>::declare(Parameters &parameters,
                                   const std::string &section,
                                   const std::string &entry,
                                   const std::string &default_value,
                                   const std::string &documentation)
  {
    const Patterns::Anything any;
    parameters.declare(section + '/' + entry, default_value, any,
                       documentation);
    parameters.declare_any_number(section + "/Material");
    for (int i = 1; i <= n_materials; ++i)
      {
        const std::string material = material_section(section, i);
        parameters.declare(material + "/Materials", "", any,
                           "ids or physical names, separated by commas; empty: "
                           "this subsection is not used");
        parameters.declare(material + '/' + entry, default_value, any,
                           "the same on these materials alone; what is not "
                           "set is as on the whole mesh");
      }
  }


  template <int dim>
  MaterialExpression<dim>::MaterialExpression(const Parameters &parameters,
                                              const std::string &section,
                                              const std::string &entry,
                                              const MaterialValues kind)
    : kind(kind)
  {
    const std::vector<int> legal = kind == MaterialValues::scalar
                                     ? std::vector<int>{1}
                                     : std::vector<int>{1, n_components()};
    expressions.emplace_back(parameters, section + '/' + entry, legal);
    for (const int i : parameters.numbers(section + "/Material"))
      {
        const std::string material = material_section(section, i);
        const std::string own      = material + '/' + entry;
        const Field<dim> expression(
          parameters, parameters.is_given(own) ? own : section + '/' + entry,
          legal);
        const auto names = parameters.get_list(material + "/Materials");
        if (names.empty())
          continue;
        if (materials.size() == max_materials)
          throw ParameterError(
            "'" + material + "/Materials' is one too many; " +
            std::to_string(max_materials) + " subsections may name materials.");
        materials.push_back({material, names});
        expressions.push_back(expression);
      }
    const std::string path = section + '/' + entry;
    if (!materials.empty() && !parameters.is_given(path) &&
        parameters.get(path) != "0")
      by_default = "'" + path + "' = " + parameters.get(path);
  }


  template <int dim>
  void
  MaterialExpression<dim>::say_default(
    const Mesh<dim> &mesh, const std::vector<unsigned char> &which) const
  {
    std::set<unsigned int> ids;
    const auto material_of = mesh.cell_materials();
    for (std::size_t cell = 0; cell < which.size(); ++cell)
      if (which[cell] == 0)
        ids.insert(material_of[cell]);
    std::string text;
    for (const unsigned int id : ids)
      text += (text.empty() ? "" : ", ") + std::to_string(id);
    if (!ids.empty())
      std::cerr << "note: no subsection names the material"
                << (ids.size() == 1 ? " " : "s ") << text << ", which "
                << (ids.size() == 1 ? "has " : "have ") << by_default << '.'
                << std::endl;
    by_default.clear();
  }


  template <int dim>
  std::vector<unsigned char>
  MaterialExpression<dim>::expressions_of_cells(const Mesh<dim> &mesh) const
  {
    auto result = parallel_vector<unsigned char>(mesh.n_cells());
    if (materials.empty())
      return result;
    const NamedIds existing = NamedIds::materials(mesh);
    std::map<unsigned int, unsigned char> expression_of;
    for (std::size_t m = 0; m < materials.size(); ++m)
      for (const auto &name : materials[m].materials)
        for (const auto id :
             existing.find(name, materials[m].section + "/Materials"))
          {
            const auto [other, is_new] = expression_of.emplace(id, m + 1);
            if (!is_new && other->second != m + 1)
              throw MeshError(existing.describe(name, id) + " is claimed by '" +
                              materials[other->second - 1].section +
                              "' and by '" + materials[m].section +
                              "'; leave it to one of them.");
          }
    const auto material_of = mesh.cell_materials();
#pragma omp parallel for schedule(static)
    for (std::size_t cell = 0; cell < result.size(); ++cell)
      {
        const auto found = expression_of.find(material_of[cell]);
        if (found != expression_of.end())
          result[cell] = found->second;
      }
    return result;
  }


  template <int dim>
  void
  MaterialExpression<dim>::check(const unsigned int expression, const double *x,
                                 const double *values) const
  {
    const auto &e           = expressions[expression];
    const std::string where = e.varies() ? " at " + place<dim>(x) : "";
    if (!finite(values, n_components()))
      throw ParameterError(e.not_finite(x));
    if (kind != MaterialValues::tensor ||
        is_positive_definite(values, n_components()))
      return;
    std::ostringstream text;
    for (int c = 0; c < (e.n_components() == 1 ? 1 : n_components()); ++c)
      text << (c == 0 ? "" : "; ") << values[c];
    throw ParameterError(
      "The value " + text.str() + " of '" + e.entry() + "' is not positive" +
      (e.n_components() == 1 ? "" : " definite") + where + '.');
  }


  template <int dim>
  Coefficient
  MaterialExpression<dim>::coefficient(
    const Mesh<dim> &mesh, const Space &space,
    const std::shared_ptr<const CellData<double>> &device_cells) const
  {
    const auto which           = expressions_of_cells(mesh);
    const int m                = n_components();
    const std::ptrdiff_t cells = space.n_cells();
    const int nq               = space.points_per_cell();
    std::vector<char> used(expressions.size(), materials.empty() && cells > 0);
    if (!materials.empty())
      for (const int cell : space.mesh_cell)
        used[which[cell]] = 1;
    if (!by_default.empty())
      say_default(mesh, which);

    // Constants are evaluated and checked once.
    std::vector<std::vector<double>> constant(expressions.size());
    const dealii::Point<dim> anywhere;
    const Evaluator once(*this);
    std::size_t first = expressions.size();
    bool varies = false, jumps = false;
    // True if tensors are numbers wherever they are.
    bool numbers = kind == MaterialValues::tensor;
    for (std::size_t e = 0; e < expressions.size(); ++e)
      numbers = numbers && (used[e] == 0 || expressions[e].n_components() == 1);
    for (std::size_t e = 0; e < expressions.size(); ++e)
      if (used[e] != 0 && expressions[e].varies())
        varies = true;
      else if (used[e] != 0)
        {
          constant[e].resize(m);
          once.values(e, anywhere, constant[e].data());
          check(e, &anywhere[0], constant[e].data());
          first = std::min(first, e);
          jumps = jumps || constant[e] != constant[first];
        }
    if (first == expressions.size() && !varies) // a process without cells
      return {Coefficient::Kind::uniform, m, std::vector<double>(m, 1.)};
    if (!varies && !jumps)
      return {Coefficient::Kind::uniform, m, constant[first]};

    const int per_cell = varies ? nq : 1, stored = numbers ? 1 : m;
    Coefficient result{varies ? Coefficient::Kind::per_quadrature_point
                              : Coefficient::Kind::per_cell,
                       stored,
                       {}};
    if (varies && device_cells != nullptr)
      result.packed = on_device(device_cells, which, used, constant, stored);
    if (result.packed)
      {
        result.values.clear();
        return result;
      }
    result.values = parallel_vector<double>(cells * per_cell * stored);
    const auto points =
      varies ? quadrature_points(space) : std::vector<double>();
    const std::ptrdiff_t none = cells * per_cell;
    std::ptrdiff_t bad        = none;
#pragma omp parallel reduction(min : bad)
    {
      // Cells beside each other that have the same expression.
      constexpr std::ptrdiff_t at_once = 32;
      const Evaluator evaluator(*this);
      std::vector<dealii::Point<dim>> places;
      std::vector<double> values;
#pragma omp for schedule(static)
      for (std::ptrdiff_t block = 0; block < cells; block += at_once)
        for (std::ptrdiff_t cell = block,
                            end = std::min(cells, block + at_once), next = cell;
             cell < end; cell = next)
          {
            const unsigned int e = which[space.mesh_cell[cell]];
            while (next < end && which[space.mesh_cell[next]] == e)
              ++next;
            const std::ptrdiff_t first = cell * per_cell,
                                 last  = next * per_cell;
            if (!constant[e].empty())
              {
                for (std::ptrdiff_t i = first; i < last; ++i)
                  std::copy_n(constant[e].begin(), stored,
                              &result.values[i * stored]);
                continue;
              }
            places.resize(last - first);
            for (std::ptrdiff_t i = first; i < last; ++i)
              std::copy_n(&points[i * dim], dim, places[i - first].begin_raw());
            evaluator.values(e, places, values);
            for (std::ptrdiff_t i = first; i < last; ++i)
              {
                const double *const found = &values[(i - first) * m];
                if (!finite(found, m) || (kind == MaterialValues::tensor &&
                                          !is_positive_definite(found, m)))
                  bad = std::min(bad, i);
                std::copy_n(found, stored, &result.values[i * stored]);
              }
          }
    }
    if (bad < none)
      {
        const unsigned int e = which[space.mesh_cell[bad / per_cell]];
        dealii::Point<dim> p;
        for (int d = 0; d < dim; ++d)
          p[d] = points[bad * dim + d];
        std::vector<double> values(m);
        once.values(e, p, values.data());
        check(e, &points[bad * dim], values.data());
      }
    for (const auto &expression : expressions)
      expression.say_how_far_outside();
    return result;
  }


  template <int dim>
  bool
  MaterialExpression<dim>::is_zero() const
  {
    return std::all_of(expressions.begin(), expressions.end(),
                       [](const Field<dim> &e) {
                         return !e.varies() && !e.varies_in_time() &&
                                e.n_components() == 1 && e.evaluate()[0] == 0;
                       });
  }


  template <int dim>
  bool
  MaterialExpression<dim>::varies_in_time() const
  {
    return std::any_of(expressions.begin(), expressions.end(),
                       [](const Field<dim> &e) { return e.varies_in_time(); });
  }


  template <int dim>
  void
  MaterialExpression<dim>::check_no_time() const
  {
    for (const auto &expression : expressions)
      expression.check_no_time();
  }


  template <int dim>
  void
  MaterialExpression<dim>::set_time(const double t)
  {
    for (auto &expression : expressions)
      expression.set_time(t);
  }


  Coefficient
  with_reaction(
    const Coefficient &k,
    const std::vector<std::pair<const Coefficient *, double>> &reactions,
    const Space &space)
  {
    std::vector<CoefficientTerm> terms;
    const int dim = space.dim();
    // A number k is the tensor k 1, of which forms have the upper half.
    const bool expands = k.n_components == 1;
    for (int c = 0; c < (expands ? dim : k.n_components); ++c)
      terms.push_back(expands
                        ? CoefficientTerm{symmetric_entry(dim, c, c), 1., &k}
                        : CoefficientTerm{c, 1., &k, c});
    const int n_k = expands ? n_symmetric(dim) : k.n_components;
    for (const auto &[c, factor] : reactions)
      terms.push_back({n_k, factor, c});
    return sum_of_terms(n_k + 1, terms, space);
  }


  Coefficient
  weighted(const Coefficient &c, const Coefficient &weight, const Space &space)
  {
    std::vector<CoefficientTerm> terms;
    for (int i = 0; i < c.n_components; ++i)
      terms.push_back({i, 1., &weight, 0, &c, i});
    return sum_of_terms(c.n_components, terms, space);
  }


  template class MaterialExpression<2>;
  template class MaterialExpression<3>;
} // namespace tessera
