#include "row_choices.h"

#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/operators/csr.h>
#include <tessera/operators/csr_mgpu.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/row_operator.h>
#include <tessera/study/product_parameters.h>

#include <algorithm>
#include <charconv>

namespace tessera::benchmarks
{
  std::vector<AssemblyOptions>
  row_choices(const std::string &name, const Sweep &sweep)
  {
    std::vector<AssemblyOptions> choices;
    if (name == "csr")
      for (const std::string &threads : sweep.threads_per_row)
        {
          choices.emplace_back();
          choices.back().threads_per_row = threads_per_row_from_string(threads);
        }
    else if (name == "hybrid")
      for (const std::optional<int> &width : sweep.hybrid_widths)
        {
          choices.emplace_back();
          choices.back().hybrid_width = width;
        }
    else if (name == "csr_mgpu")
      for (const std::string &values : sweep.values_per_thread)
        {
          choices.emplace_back();
          choices.back().values_per_thread =
            values_per_thread_from_string(values);
        }
    else
      choices = assembly_choices(name, sweep);
    return choices;
  }

  bool
  has_block_sizes(const std::string &name, const std::string &conflict,
                  const Backend backend)
  {
    return backend == Backend::cuda &&
           (name == "local_matrices" ||
            (stores_rows(name) && !is_appended(name) &&
             conflict == to_string(Conflict::coloring)));
  }

  std::vector<std::string>
  routes(const std::string &name, const Sweep &sweep)
  {
    if (!stores_rows(name))
      return {""};
    if (is_appended(name))
      return {to_string(Route::append)};
    return sweep.routes;
  }

  std::vector<AssemblyOptions>
  assembly_choices(const std::string &name, const Sweep &sweep)
  {
    if (!has_slices(name))
      return {AssemblyOptions()};
    std::vector<AssemblyOptions> choices;
    for (const SellShape &shape : sweep.slices)
      {
        choices.emplace_back();
        choices.back().sell = shape;
      }
    return choices;
  }

  std::string
  name_of(const SellShape &shape)
  {
    return std::to_string(shape.lanes) + ':' + std::to_string(shape.window) +
           ':' + std::to_string(shape.threads_per_row) + ':' +
           std::to_string(shape.threshold);
  }

  SellShape
  slices_from_string(const std::string &name)
  {
    SellShape shape;
    int *const entries[] = {&shape.lanes, &shape.window, &shape.threads_per_row,
                            &shape.threshold};
    const char *at       = name.data();
    const char *const end = at + name.size();
    int n                 = 0;
    bool good             = true;
    for (; good && n < 4 && at != end; ++n)
      {
        if (n > 0)
          good = *at++ == ':';
        const auto read = std::from_chars(at, end, *entries[n]);
        good            = good && read.ec == std::errc();
        at              = read.ptr;
      }
    if (!good || n < 2 || at != end)
      throw ParameterError("Slices were given as '" + printable(name) +
                           "'; legal is lanes:window, such as 32:256, and "
                           "behind that :threads and :threshold.");
    check_shape(shape);
    return shape;
  }

  template <class Number>
  void
  describe_rows(study::Row &row, const Operator<Number> &op)
  {
    if (const auto *rows = dynamic_cast<const RowOperator<Number> *>(&op))
      row.padding = rows->matrix().padding();
    auto chosen = study::layout_parameters(op);
    if (row.kind != "assembly")
      chosen.merge(study::product_parameters(op));
    for (const auto &[name, value] : chosen)
      row.parameters[name] = value;
  }

  template void
  describe_rows<double>(study::Row &, const Operator<double> &);
  template void
  describe_rows<float>(study::Row &, const Operator<float> &);
} // namespace tessera::benchmarks
