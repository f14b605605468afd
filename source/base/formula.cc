#include <tessera/base/error.h>

#include <omp.h>

#include <algorithm>
#include <stdexcept>

#include "formula_emitter.h"

namespace tessera
{
  namespace
  {
    /// Points that the host takes through a step together, so that the work of
    /// reading a step is shared and the registers of usual formulas, 1 KiB
    /// each, stay in the first cache.
    constexpr int block_size = 128;

    /// Takes the steps at one point; this function is compiled once.
    [[gnu::noinline]] double
    value_at_point(const FormulaSteps &formula, const double *const constants,
                   double *const registers)
    {
      return *formula.take<1>(constants, registers, 1);
    }
  } // namespace


  Formula::Formula(const std::string &text,
                   const std::vector<std::string> &variables,
                   const Backend backend)
    : n_variables(static_cast<int>(variables.size()))
  {
    if (n_variables > max_variables)
      throw std::length_error("Formula: too many variables");
    const auto compiled = compile_formula(text, variables);
    n_registers         = compiled.n_registers;
    result              = compiled.result;
    if (backend == Backend::cuda && n_registers > max_registers)
      throw ParameterError("The formula '" + text + "' keeps " +
                           std::to_string(n_registers) +
                           " intermediate results, more than the " +
                           std::to_string(max_registers) +
                           " of a device; give parentheses less depth.");
    steps     = Array<FormulaStep>(backend, compiled.steps);
    constants = Array<double>(backend, compiled.constants);
  }


  void
  Formula::evaluate(const std::int64_t n,
                    const std::vector<FormulaArgument> &arguments,
                    double *const values, const std::int64_t stride,
                    const Stream stream) const
  {
    combine(n, arguments, {1, 0, {0}, {1}}, values, stride, stream);
  }


  void
  Formula::differentiate(const std::int64_t n,
                         const std::vector<FormulaArgument> &arguments,
                         const int variable, const double step,
                         double *const values, const Stream stream) const
  {
    const double w = 1 / (12 * step);
    combine(
      n, arguments,
      {4, variable, {-2 * step, -step, step, 2 * step}, {w, -8 * w, 8 * w, -w}},
      values, 1, stream);
  }


  void
  Formula::combine(const std::int64_t n,
                   const std::vector<FormulaArgument> &arguments,
                   const FormulaShifts &shifts, double *const values,
                   const std::int64_t stride, const Stream stream) const
  {
    if (arguments.size() != static_cast<std::size_t>(n_variables))
      throw std::length_error("Formula: an argument for each variable");
    const int n_constants = static_cast<int>(constants.size());
    const FormulaSteps formula{steps.data(), static_cast<int>(steps.size()),
                               n_constants, result};
    if (steps.backend() == Backend::cuda)
      {
        FormulaAtPoint at{formula, constants.data(), {},    n_variables,
                          shifts,  values,           stride};
        std::copy(arguments.begin(), arguments.end(), at.arguments);
        return for_each_on_device(n, at, stream);
      }
    const std::int64_t n_blocks = (n + block_size - 1) / block_size;
    const auto take_blocks = [&](std::int64_t block, const std::int64_t last) {
      static thread_local std::vector<double> blocks; // a call may be short
      if (blocks.size() < (n_constants + n_registers) * std::size_t(block_size))
        blocks.resize((n_constants + n_registers) * std::size_t(block_size));
      double *const registers = blocks.data() + n_constants * block_size;
      for (int k = 0; k < n_constants; ++k)
        std::fill_n(&blocks[k * block_size], block_size, constants.data()[k]);
      for (; block < last; ++block)
        for (int s = 0; s < shifts.n; ++s)
          {
            const std::int64_t first = block * block_size;
            const int count =
              static_cast<int>(std::min<std::int64_t>(block_size, n - first));
            for (int v = 0; v < n_variables; ++v)
              for (int i = 0; i < count; ++i)
                registers[v * block_size + i] =
                  arguments[v].values[(first + i) * arguments[v].stride];
            if (shifts.offset[s] != 0) // -0 + 0 would lose its sign
              for (int i = 0; i < count; ++i)
                registers[shifts.variable * block_size + i] += shifts.offset[s];
            const double *const y =
              formula.take<block_size>(blocks.data(), registers, count);
            for (int i = 0; i < count; ++i)
              {
                double &to = values[(first + i) * stride];
                to         = s == 0 ? shifts.weight[s] * y[i]
                                    : to + shifts.weight[s] * y[i];
              }
          }
    };
    if (n <= 1000) // a team of one thread would take as long as a block
      return take_blocks(0, n_blocks);
#pragma omp parallel
    {
      const std::int64_t thread = omp_get_thread_num(),
                         of     = omp_get_num_threads();
      take_blocks(n_blocks * thread / of, n_blocks * (thread + 1) / of);
    }
  }


  double
  Formula::value(const double *const variables) const
  {
    double few[max_registers];
    std::vector<double> many;
    double *registers = few;
    if (n_registers > max_registers)
      {
        many.resize(n_registers);
        registers = many.data();
      }
    std::copy_n(variables, n_variables, registers);
    const FormulaSteps formula{steps.data(), static_cast<int>(steps.size()),
                               static_cast<int>(constants.size()), result};
    return value_at_point(formula, constants.data(), registers);
  }


  double
  value_of(const FormulaOperation operation, const double a, const double b,
           const double c)
  {
    const double operands[] = {a, b, c};
    const FormulaStep step{static_cast<std::uint16_t>(operation), 0, 0, 1, 2};
    double value = 0;
    return value_at_point({&step, 1, 3, 3}, operands, &value);
  }
} // namespace tessera
