#include "vtu_doubles.h"

#include <deal.II/base/utilities.h>

#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/fe_values.h>

#include <deal.II/numerics/data_postprocessor.h>

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <ostream>
#include <stdexcept>

namespace tessera
{
  namespace
  {
    template <class T>
    const char *
    type_name()
    {
      return std::is_same_v<T, double>         ? "Float64"
             : std::is_same_v<T, std::int64_t> ? "Int64"
                                               : "UInt8";
    }

    template <class T>
    std::string
    base64(const T *const data, const std::size_t n_bytes)
    {
      std::vector<unsigned char> bytes(n_bytes);
      std::memcpy(bytes.data(), data, n_bytes);
      return dealii::Utilities::encode_base64(bytes);
    }

    /// Writes an array as one compressed block behind its sizes.
    template <class T>
    void
    write_array(std::ostream &out, const std::string &name,
                const int n_components, const std::vector<T> &values)
    {
      const uLong size = sizeof(T) * values.size();
      uLong compressed = compressBound(size);
      std::vector<unsigned char> bytes(compressed);
      if (compress2(bytes.data(), &compressed,
                    reinterpret_cast<const Bytef *>(values.data()), size,
                    Z_BEST_SPEED) != Z_OK)
        throw std::runtime_error("zlib cannot compress an array");
      const std::array<std::uint64_t, 4> sizes{1, size, size, compressed};
      out << "<DataArray type=\"" << type_name<T>() << "\" Name=\"" << name
          << "\" NumberOfComponents=\"" << n_components
          << "\" format=\"binary\">" << base64(sizes.data(), sizeof(sizes))
          << base64(bytes.data(), compressed) << "</DataArray>\n";
    }

    /// The points of a cell, in lexicographic order on hypercubes, and its
    /// parts: their type for VTK and their corners among the points.
    template <int dim>
    struct CutCell
    {
      std::vector<dealii::Point<dim>> points;
      unsigned char type;
      std::vector<std::vector<int>> parts;
    };

    template <int dim>
    CutCell<dim>
    cut_simplex(const int n)
    {
      const auto points = dealii::FE_SimplexP<dim>(n).get_unit_support_points();
      std::vector<int> all(points.size());
      for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = static_cast<int>(i);
      const int type = dim == 2 ? (n == 1 ? 5 : 22) : (n == 1 ? 10 : 24);
      return {points, static_cast<unsigned char>(type), {all}};
    }

    template <int dim>
    CutCell<dim>
    cut_hypercube(const int n)
    {
      // Corners of VTK's cells, of which the last four lie above the others.
      const std::vector<int> order =
        dim == 2 ? std::vector<int>{0, 1, 3, 2}
                 : std::vector<int>{0, 1, 3, 2, 4, 5, 7, 6};
      CutCell<dim> cut{{}, static_cast<unsigned char>(dim == 2 ? 9 : 12), {}};
      const int depth = dim == 2 ? 0 : n;
      for (int k = 0; k <= depth; ++k)
        for (int j = 0; j <= n; ++j)
          for (int i = 0; i <= n; ++i)
            {
              const double x[] = {double(i) / n, double(j) / n, double(k) / n};
              dealii::Point<dim> p;
              std::copy_n(x, dim, p.begin_raw());
              cut.points.push_back(p);
              if (i == n || j == n || (dim == 3 && k == n))
                continue;
              auto &part = cut.parts.emplace_back();
              for (const int v : order)
                part.push_back(i + v % 2 +
                               (n + 1) *
                                 (j + v / 2 % 2 + (n + 1) * (k + v / 4)));
            }
      return cut;
    }

    /// Appends a value of up to three components.
    template <class Value>
    void
    append(VtuDoubles::Field &field, const Value &value, const int n)
    {
      for (int c = 0; c < field.n_components; ++c)
        field.values.push_back(c < n ? value[c] : 0.);
    }

    /// The fields that postprocessors make of a solution: neighbours of one
    /// name are the components of a vector.
    template <int dim>
    class Derived
    {
    public:
      Derived(const typename SolutionWriter<dim>::Fields &fields,
              std::vector<VtuDoubles::Field> &to)
        : fields(fields), to(to), first(to.size())
      {
        for (const auto &postprocessor : fields.derived)
          {
            std::string before;
            for (const auto &name : postprocessor->get_names())
              if (name == before)
                to.back().n_components = 3;
              else
                to.push_back({before = name, 1, {}});
          }
      }

      void
      append_cell(const dealii::FEValues<dim> &values,
                  const typename dealii::DoFHandler<dim>::cell_iterator &cell)
      {
        if (fields.derived.empty())
          return;
        const unsigned int n = values.n_quadrature_points;
        dealii::DataPostprocessorInputs::Scalar<dim> inputs;
        inputs.solution_values.resize(n);
        inputs.solution_gradients.resize(n);
        inputs.evaluation_points = values.get_quadrature_points();
        inputs.template set_cell<dim>(cell);
        const auto &u = fields.nodal.front().values;
        values.get_function_values(u, inputs.solution_values);
        values.get_function_gradients(u, inputs.solution_gradients);
        std::size_t field = first;
        for (const auto &postprocessor : fields.derived)
          {
            const auto names = postprocessor->get_names();
            std::vector<dealii::Vector<double>> results(
              n, dealii::Vector<double>(names.size()));
            postprocessor->evaluate_scalar_field(inputs, results);
            for (std::size_t c = 0; c < names.size(); ++field)
              {
                const int m = to[field].n_components == 1 ? 1 : dim;
                for (const auto &result : results)
                  append(to[field], result.begin() + c, m);
                c += m;
              }
          }
      }

    private:
      const typename SolutionWriter<dim>::Fields &fields;
      std::vector<VtuDoubles::Field> &to;
      const std::size_t first;
    };
  } // namespace


  void
  VtuDoubles::write(std::ostream &out) const
  {
    out << "<?xml version=\"1.0\"?>\n"
           "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
           "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\" "
           "byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n"
           "<Piece NumberOfPoints=\""
        << points.size() / 3 << "\" NumberOfCells=\"" << types.size()
        << "\">\n<Points>\n";
    write_array(out, "points", 3, points);
    out << "</Points>\n<Cells>\n";
    write_array(out, "connectivity", 1, connectivity);
    write_array(out, "offsets", 1, offsets);
    write_array(out, "types", 1, types);
    out << "</Cells>\n<PointData>\n";
    for (const Field &field : fields)
      write_array(out, field.name, field.n_components, field.values);
    out << "</PointData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
  }


  template <int dim>
  VtuDoubles
  in_doubles(const dealii::Mapping<dim> &mapping,
             const dealii::DoFHandler<dim> &dof_handler,
             const typename SolutionWriter<dim>::Fields &fields,
             const int subdivisions)
  {
    VtuDoubles file;
    const bool simplices   = dof_handler.get_fe().reference_cell().is_simplex();
    const CutCell<dim> cut = simplices ? cut_simplex<dim>(subdivisions)
                                       : cut_hypercube<dim>(subdivisions);
    const dealii::Quadrature<dim> points(cut.points);
    const unsigned int n = points.size();

    // The solution comes first, since derived fields are functions of it.
    std::vector<std::unique_ptr<dealii::FEValues<dim>>> evaluators;
    const auto dofs_of = [&](const std::size_t f) -> const auto &
    {
      const auto &own = fields.nodal[f].dof_handler;
      return own ? *own : dof_handler;
    };
    for (std::size_t f = 0; f < fields.nodal.size(); ++f)
      {
        const auto &fe = dofs_of(f).get_fe();
        evaluators.push_back(std::make_unique<dealii::FEValues<dim>>(
          mapping, fe, points,
          dealii::update_values | dealii::update_gradients |
            dealii::update_quadrature_points));
        file.fields.push_back(
          {fields.nodal[f].name, fe.n_components() == 1 ? 1 : 3, {}});
      }
    for (const auto &[name, values] : fields.cell)
      file.fields.push_back({name, 1, {}});
    for (const auto &[name, values] : fields.cell_vectors)
      file.fields.push_back({name, 3, {}});
    file.fields.push_back({"material_id", 1, {}});
    Derived<dim> derived(fields, file.fields);

    std::vector<double> scalars(n);
    for (const auto &cell : dof_handler.active_cell_iterators())
      {
        const auto first = static_cast<std::int64_t>(file.points.size() / 3);
        for (const auto &part : cut.parts)
          {
            for (const int corner : part)
              file.connectivity.push_back(first + corner);
            file.offsets.push_back(
              static_cast<std::int64_t>(file.connectivity.size()));
            file.types.push_back(cut.type);
          }
        auto field = file.fields.begin();
        for (std::size_t f = 0; f < evaluators.size(); ++f, ++field)
          {
            auto &values      = *evaluators[f];
            const auto &nodal = fields.nodal[f].values;
            values.reinit(
              typename dealii::DoFHandler<dim>::active_cell_iterator(
                &dof_handler.get_triangulation(), cell->level(), cell->index(),
                &dofs_of(f)));
            if (field->n_components == 1)
              {
                values.get_function_values(nodal, scalars);
                field->values.insert(field->values.end(), scalars.begin(),
                                     scalars.end());
                continue;
              }
            std::vector<dealii::Vector<double>> vectors(
              n, dealii::Vector<double>(dim));
            values.get_function_values(nodal, vectors);
            for (const auto &vector : vectors)
              append(*field, vector, dim);
          }
        const auto c      = cell->active_cell_index();
        const auto repeat = [&](const auto &value, const int m) {
          for (unsigned int i = 0; i < n; ++i)
            append(*field, value, m);
          ++field;
        };
        for (const auto &[name, values] : fields.cell)
          repeat(values.begin() + c, 1);
        for (const auto &[name, values] : fields.cell_vectors)
          repeat(values[c], dim);
        const double material = cell->material_id();
        repeat(&material, 1);
        derived.append_cell(*evaluators.front(), cell);
        for (const auto &p : evaluators.front()->get_quadrature_points())
          for (int d = 0; d < 3; ++d)
            file.points.push_back(d < dim ? p[d] : 0.);
      }
    return file;
  }


  template VtuDoubles
  in_doubles(const dealii::Mapping<2> &, const dealii::DoFHandler<2> &,
             const SolutionWriter<2>::Fields &, int);
  template VtuDoubles
  in_doubles(const dealii::Mapping<3> &, const dealii::DoFHandler<3> &,
             const SolutionWriter<3>::Fields &, int);
} // namespace tessera
