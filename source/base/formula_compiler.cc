#include <tessera/base/error.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <locale>
#include <sstream>

#include "formula_emitter.h"

namespace tessera
{
  namespace
  {
    using Operation = FormulaOperation;
    using Part      = FormulaPart;

    struct Function
    {
      const char *name;
      Operation operation;
      int n_operands; ///< 0 for any number, which are taken one after another
    };

    constexpr Function functions[] = {
      {"min", Operation::minimum, 0},
      {"max", Operation::maximum, 0},
      {"sum", Operation::add, 0},
      {"avg", Operation::add, 0},
#define TESSERA_FORMULA(operation, function, n_operands, value) \
  {function, Operation::operation, n_operands},
#include "formula_operations.def"
#undef TESSERA_FORMULA
    };

    struct BinaryOperator
    {
      const char *text;
      Operation operation;
      int precedence;
    };

    constexpr int power_precedence = 7;

    /// Where one begins like another, the longer one comes first. A sign stands
    /// between products and powers.
    constexpr BinaryOperator binary_operators[] = {
      {"||", Operation::either, 1},
      {"|", Operation::either_rounded, 1},
      {"&&", Operation::both, 2},
      {"&", Operation::both_rounded, 2},
      {"<=", Operation::less_equal, 4},
      {"<", Operation::less, 4},
      {">=", Operation::greater_equal, 4},
      {">", Operation::greater, 4},
      {"==", Operation::equal, 4},
      {"!=", Operation::not_equal, 4},
      {"+", Operation::add, 5},
      {"-", Operation::subtract, 5},
      {"*", Operation::multiply, 6},
      {"/", Operation::divide, 6},
      {"^", Operation::power, power_precedence}};

    /// Reads a formula from left to right.
    class Reader
    {
    public:
      Reader(const std::string &text, const std::vector<std::string> &variables)
        : text(text), variables(variables),
          emitter(static_cast<int>(variables.size()))
      {}

      CompiledFormula
      read()
      {
        constexpr std::size_t max_length = 20000; // as in muParser
        if (text.size() > max_length)
          fail("it has more than " + std::to_string(max_length) +
               " characters");
        const Part whole = conditional();
        if (!at_end())
          fail_at_place();
        return emitter.finish(whole);
      }

    private:
      [[noreturn]] void
      fail(const std::string &reason) const
      {
        throw ParameterError("The formula '" + text +
                             "' cannot be compiled: " + reason + '.');
      }

      [[noreturn]] void
      fail_at_place()
      {
        fail(at_end() ? "it ends too early"
                      : "'" + text.substr(place, 20) + "' is not expected");
      }

      /// Skips blanks.
      bool
      at_end()
      {
        while (place < text.size() &&
               std::isspace(static_cast<unsigned char>(text[place])) != 0)
          ++place;
        return place == text.size();
      }

      bool
      next_is(const char *const token)
      {
        return !at_end() && text.compare(place, std::strlen(token), token) == 0;
      }

      bool
      accept(const char *const token)
      {
        const bool is = next_is(token);
        if (is)
          place += std::strlen(token);
        return is;
      }

      void
      expect(const char *const token)
      {
        if (!accept(token))
          fail_at_place();
      }

      /// Counts how deep parts of the formula stand inside each other.
      class Level
      {
      public:
        explicit Level(Reader &reader) : reader(reader)
        {
          constexpr int deepest = 1000;
          if (reader.depth++ > deepest)
            reader.fail("its parts are nested more than " +
                        std::to_string(deepest) + " times");
        }

        Level(const Level &) = delete;
        Level &
        operator=(const Level &) = delete;

        ~Level()
        {
          --reader.depth;
        }

      private:
        Reader &reader;
      };

      Part
      conditional()
      {
        const Level level(*this);
        const Part condition = operators(1);
        if (!accept("?"))
          return condition;
        const Part yes = conditional();
        expect(":");
        return emitter.emit(Operation::choose, {condition, yes, conditional()});
      }

      /// Reads binary operators of at least a precedence, and what they
      /// combine.
      Part
      operators(const int lowest)
      {
        Part left = with_sign();
        while (true)
          {
            const auto found = std::find_if(
              std::begin(binary_operators), std::end(binary_operators),
              [this](const BinaryOperator &o) { return next_is(o.text); });
            if (found == std::end(binary_operators) ||
                found->precedence < lowest)
              return left;
            expect(found->text);
            const Level level(*this);
            // Powers count from the right, all others from the left.
            const bool from_right = found->precedence == power_precedence;
            left                  = emitter.combine(
                               found->operation, left,
                               operators(found->precedence + (from_right ? 0 : 1)));
          }
      }

      Part
      with_sign()
      {
        const bool is_negative = accept("-");
        if (!is_negative && !accept("+"))
          return operand();
        if (next_is("-") || next_is("+"))
          fail_at_place();
        const Part of = operators(power_precedence);
        return is_negative ? emitter.call(Operation::negate, {of}) : of;
      }

      Part
      operand()
      {
        if (accept("("))
          {
            const Part inner = conditional();
            expect(")");
            return inner;
          }
        const auto is_in_name = [this](const std::size_t i) {
          return i < text.size() &&
                 (std::isalnum(static_cast<unsigned char>(text[i])) != 0 ||
                  text[i] == '_');
        };
        if (at_end())
          fail_at_place();
        if (std::isdigit(static_cast<unsigned char>(text[place])) != 0 ||
            text[place] == '.')
          return number();
        std::size_t end = place;
        while (is_in_name(end))
          ++end;
        if (end == place)
          fail_at_place();
        const std::string name = text.substr(place, end - place);
        place                  = end;
        const auto variable =
          std::find(variables.begin(), variables.end(), name);
        if (variable != variables.end())
          return FormulaEmitter::variable(
            static_cast<int>(variable - variables.begin()));
        if (name == "pi" || name == "_pi")
          return FormulaEmitter::number(3.141592653589793238462643);
        if (name == "e" || name == "_e")
          return FormulaEmitter::number(2.718281828459045235360287);
        return function(name);
      }

      Part
      number()
      {
        // The blank keeps the stream from its end, where it has no place.
        std::istringstream stream(text.substr(place) + ' ');
        stream.imbue(std::locale::classic());
        double value = 0;
        if (!(stream >> value))
          fail_at_place();
        place += static_cast<std::size_t>(stream.tellg());
        return FormulaEmitter::number(value);
      }

      Part
      function(const std::string &name)
      {
        const auto known =
          std::find_if(std::begin(functions), std::end(functions),
                       [&name](const Function &f) { return name == f.name; });
        if (known == std::end(functions))
          fail("'" + name + "' is not known");
        expect("(");
        std::vector<Part> arguments;
        do
          arguments.push_back(conditional());
        while (accept(","));
        expect(")");
        const auto n = static_cast<int>(arguments.size());
        if (known->n_operands == n)
          return emitter.call(known->operation, arguments);
        if (known->n_operands > 0)
          fail("'" + name + "' has " + std::to_string(known->n_operands) +
               (known->n_operands == 1 ? " argument" : " arguments"));
        // Sums begin with 0, which counts if the summands are -0. What remains
        // of one number is not a number that an operator combines at once.
        Part all = arguments[0];
        if (known->operation == Operation::add)
          all = emitter.emit(Operation::add, {FormulaEmitter::number(0), all});
        else if (n == 1)
          all = emitter.emit(Operation::choose, {FormulaEmitter::number(1), all,
                                                 FormulaEmitter::number(0)});
        for (int i = 1; i < n; ++i)
          all = emitter.emit(known->operation, {all, arguments[i]});
        return name == "avg" ? emitter.emit(Operation::divide,
                                            {all, FormulaEmitter::number(n)})
                             : all;
      }

      const std::string &text;
      const std::vector<std::string> &variables;
      std::size_t place = 0; ///< in the text
      int depth         = 0;
      FormulaEmitter emitter;
    };
  } // namespace


  CompiledFormula
  compile_formula(const std::string &text,
                  const std::vector<std::string> &variables)
  {
    return Reader(text, variables).read();
  }
} // namespace tessera
