#pragma once

#include <tessera/base/for_each.h>
#include <tessera/base/formula.h>

#include <cmath>

namespace tessera
{
  enum class FormulaOperation : std::uint16_t
  {
#define TESSERA_FORMULA(operation, function, n_operands, value) operation,
#include "formula_operations.def"
#undef TESSERA_FORMULA
  };

  /// Rounds to an integer of 32 bits; what has none becomes the smallest one,
  /// as on x86.
  TESSERA_HOST_DEVICE double
  rounded(const double a)
  {
    const double up = a + (a >= 0 ? 0.5 : -0.5);
    return up > -2147483649. && up < 2147483648. ? static_cast<int>(up)
                                                 : -2147483648.;
  }

  /// A compiled formula in the memory of one backend.
  struct FormulaSteps
  {
    const FormulaStep *steps;
    int n_steps, n_constants, result;

    /// Takes all steps at `count` points and returns the values, [count], which
    /// stand in the constants or the registers. A register is none of the
    /// operands of the step that sets it.
    /// constants: [n_constants][pitch]
    /// registers: [n_registers][pitch], which begin with the variables
    template <int pitch>
    TESSERA_HOST_DEVICE const double *
    take(const double *const constants, double *const registers,
         const int count) const
    {
      const auto operand = [=](const int k) {
        return k < n_constants ? constants + k * pitch
                               : registers + (k - n_constants) * pitch;
      };
      TESSERA_ROLLED
      for (int s = 0; s < n_steps; ++s)
        {
          const FormulaStep step        = steps[s];
          double *__restrict__ const to = registers + step.to * pitch;
          const double *const of_a      = operand(step.a);
          const double *const of_b      = operand(step.b);
          const double *const of_c      = operand(step.c);
          switch (static_cast<FormulaOperation>(step.operation))
            {
#define TESSERA_FORMULA(operation, function, n_operands, value) \
  case FormulaOperation::operation:                             \
    for (int i = 0; i < count; ++i)                             \
      {                                                         \
        const double a                  = of_a[i];              \
        [[maybe_unused]] const double b = of_b[i], c = of_c[i]; \
        to[i] = value;                                          \
      }                                                         \
    break;
#include "formula_operations.def"
#undef TESSERA_FORMULA
            }
        }
      return operand(result);
    }
  };

  /// Evaluates a formula at a point, or at places around it, with registers of
  /// its own.
  struct FormulaAtPoint
  {
    FormulaSteps formula;
    const double *constants;
    FormulaArgument arguments[Formula::max_variables];
    int n_variables;
    FormulaShifts shifts;
    double *values;
    std::int64_t stride;

    TESSERA_HOST_DEVICE void
    operator()(const std::int64_t i) const
    {
      double registers[Formula::max_registers], sum = 0;
      TESSERA_ROLLED
      for (int s = 0; s < shifts.n; ++s)
        {
          for (int v = 0; v < n_variables; ++v)
            registers[v] = arguments[v].values[i * arguments[v].stride];
          if (shifts.offset[s] != 0) // -0 + 0 would lose its sign
            registers[shifts.variable] += shifts.offset[s];
          const double y =
            shifts.weight[s] * *formula.take<1>(constants, registers, 1);
          sum = s == 0 ? y : sum + y;
        }
      values[i * stride] = sum;
    }
  };
} // namespace tessera
