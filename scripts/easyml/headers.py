"""The header of a cell model: a class as cell_rates.h describes it."""
import re

from easyml.models import Model
from easyml.parsing import parts

HEADER = """#pragma once

// scripts/cell_model made this from {name}.model.
#include "cell_model.h"
#include "cell_rates.h"

namespace tessera
{{
  struct {class_name}
  {{
    static constexpr int n_states = {n_states}, n_gates = {n_gates},
                         n_parameters = {n_parameters}, n_tabulated = {n_tabulated};
    static constexpr const char *time_unit = "{time_unit}";
    static constexpr double activation = {activation}, repolarisation = {repolarisation};

    static std::vector<CellQuantity>
    states()
    {{
      return {{{states}}};
    }}

    static std::vector<CellQuantity>
    parameters()
    {{
      return {{{parameters}}};
    }}

    static std::vector<CellVariant>
    variants()
    {{
      return {{{variants}}};
    }}

    template <class T, class P>
    TESSERA_HOST_DEVICE static void
    rates(const T (&y)[n_states], const P (&p)[n_parameters], const P stimulus,
          CellRates<T, n_states> &rates)
    {{
      using std::exp;
      using std::log;
      using std::sqrt;
      {lines}
    }}
  }};
}} // namespace tessera
"""


class Equations:
    """Writes the rates of a model as statements. What depends on a state has the type T, and
    what depends on parameters alone the type P."""

    def __init__(self, model):
        self.model, self.lines, self.done, self.active = model, [], {}, []
        self.calls, self.n_locals = {}, 0
        self.count_calls()
        for i, x in enumerate(model.states):
            if x in model.gates:
                for what, node in zip(("limit", "rate"), model.pairs[x]):
                    self.set(f"rates.{what}[{i}]", node, x)
        name = next(name for name in ("diff_" + model.V, model.externals.get("Iion", "Iion"))
                    if name in model.values)
        self.set("rates.derivative[0]", model.change_of_V, name, "stimulus + ")
        for i, x in enumerate(model.states):
            if i > 0 and x not in model.gates:
                self.set(f"rates.derivative[{i}]", model.values["diff_" + x][0], x)

    def count_calls(self):
        """Counts every call in all that rates need, to compute what is called twice once."""
        left, seen = [self.model.change_of_V], set()
        left += [part for pair in self.model.pairs.values() for part in pair]
        left += [value for name, (value, _) in self.model.values.items()
                 if name.startswith("diff_")]
        while left:
            node = left.pop()
            if node[0] == "var" and node[1] not in seen and not self.is_given(node[1]):
                seen.add(node[1])
                left.append(self.model.values.get(node[1], (("num", 0.), 0))[0])
            if node[0] == "call":
                self.calls[node] = self.calls.get(node, 0) + 1
            if node[0] != "call" or self.calls[node] == 1:
                left += parts(node)

    def is_given(self, name):
        return name in self.model.states or name in self.model.parameters or (
            name == self.model.stimulus)

    def kind(self, *nodes):
        return "T" if any(self.model.depends(node, self.model.V) for node in nodes) else "P"

    def set(self, place, node, user, before=""):
        self.model.depends(node, user)
        self.lines.append(f"{place} = {before}{self.text(node)};")

    def local(self, text, kind):
        """Returns a name for what a text computes."""
        if re.fullmatch(r"\w+", text):
            return text
        self.n_locals += 1
        self.lines.append(f"const {kind} local_{self.n_locals} = {text};")
        return f"local_{self.n_locals}"

    def variable(self, name):
        if name in self.done:
            return self.done[name]
        model, result = self.model, f"{name}_"
        if name in model.states:
            self.lines.append(f"const T {result} = y[{model.states.index(name)}];")
        elif name in model.parameters:
            self.lines.append(f"const P {result} = p[{model.parameters.index(name)}];")
        elif name == model.stimulus:
            result = "stimulus"
        else:
            node = model.values[name][0]
            text = self.text(node)
            self.lines.append(f"const {self.kind(node)} {result} = {text};")
        self.done[name] = result
        return result

    def text(self, node):
        """Returns the C++ of an expression, after the statements that it needs."""
        if node[0] == "num":
            return f"P({node[1]!r})"
        if node[0] == "var":
            return self.variable(node[1])
        if node[0] == "neg":
            return f"(-{self.text(node[1])})"
        if node[0] == "op":
            return f"({self.text(node[2])} {node[1]} {self.text(node[3])})"
        if node[0] == "call":
            if node in self.done:
                return self.done[node]
            text = f"{node[1]}({self.text(node[2])})"
            if self.calls.get(node, 1) > 1:
                text = self.done[node] = self.local(text, self.kind(node))
            return text
        if node[0] == "power":
            kind = self.kind(node)
            return self.power(self.local(self.text(node[1]), kind), node[2], kind)
        test, yes, no = node[1:] if node[0] == "if" else (node, ("num", 1.), ("num", 0.))
        kind = self.kind(test, yes, no)
        return self.choice(test, self.of_kind(yes, kind), self.of_kind(no, kind), kind)

    def power(self, base, n, kind):
        if n == 1:
            return base
        if n % 2 == 1:
            return f"({self.power(base, n - 1, kind)} * {base})"
        half = base if n == 2 else self.local(self.power(base, n // 2, kind), kind)
        return f"({half} * {half})"

    def of_kind(self, node, kind):
        text = self.text(node)
        return text if self.kind(node) == kind else f"{kind}({text})"

    def choice(self, test, yes, no, kind):
        """Returns what chooses between two texts of that kind; both are computed."""
        if test[0] == "not":
            return self.choice(test[1], no, yes, kind)
        if test[0] in ("and", "or"):
            yes, no = self.local(yes, kind), self.local(no, kind)
            inner = self.choice(test[2], yes, no, kind)
            return (self.choice(test[1], inner, no, kind) if test[0] == "and" else
                    self.choice(test[1], yes, inner, kind))
        sign, a, b = test[1:] if test[0] == "cmp" else ("!=", test, ("num", 0.))
        a, b = (self.of_kind(side, kind) for side in (a, b))
        if sign in ("==", "!="):
            a, b, yes, no = (self.local(part, kind) for part in (a, b, yes, no))
            if sign == "!=":
                yes, no = no, yes
            return (f"select_less({a}, {b}, {no}, select_less({b}, {a}, {no}, {yes}))")
        if sign in (">", "<="):
            a, b = b, a
        return f"select_less({a}, {b}, " + (f"{yes}, {no})" if sign in "<>" else f"{no}, {yes})")


def class_name_of(name):
    return "".join(part.capitalize() for part in name.split("_"))


def header(name, text):
    """Returns the header of the model of that name. Throws Mistake."""
    model = Model(text)
    quantity = lambda of, value: f'{{"{of}", "{model.unit(of)}", {value!r}}}'
    of_flag = [{p: model.number_of(p, p, float(k))
                for p in model.parameters} for k in range(max(1, len(model.names)))]
    variants = []
    for variant, values in zip(model.names, of_flag):
        others = ", ".join(f'{{"{p}", {value!r}}}' for p, value in values.items()
                           if value != of_flag[0][p])
        variants.append(f'{{"{variant}", {{{others}}}}}')
    return HEADER.format(
        name=name, class_name=class_name_of(name), n_states=len(model.states),
        n_gates=len(model.gates), n_parameters=len(model.parameters),
        n_tabulated=model.n_tabulated, time_unit=model.time_unit, activation=model.activation,
        repolarisation=model.repolarisation,
        states=", ".join(quantity(x, model.initial[x]) for x in model.states),
        parameters=", ".join(quantity(p, of_flag[0][p]) for p in model.parameters),
        variants=", ".join(variants), lines="\n      ".join(Equations(model).lines))
