#!/usr/bin/python3
"""Texts of cell models become headers that compute what the texts say, and a wrong text ends
with its file, line and a sentence.

usage: cell_model_texts.py ROOT COMPILER...
"""
import math
import os
import subprocess
import sys
import tempfile

from programs import expect, finish

ROOT, *COMPILER = sys.argv[1:]
V = "V; .external(Vm); .nodal(); .units(mV);\nV_init = -80;\n"
REST = "diff_V = -V;\n"
WRONG = (  # text, line, part of the sentence
    (V + "diff_V = -V $ 2;", 3, "'$' means nothing"),
    (V + "diff_V = (V + 1;", 3, "')' is expected, but there is ;"),
    (V + "diff_V = ;", 3, "A name is expected"),
    (V + "diff_V = sine(V);", 3, "no function 'sine'"),
    (V + "diff_V = pow(V);", 3, "no function 'pow' of 1 arguments"),
    (V + REST + "diff_V = V;", 4, "has a value already, in line 3"),
    (V + "diff_V = c * V;", 3, "'c' has no value"),
    (V + "diff_V = a;\na = b;\nb = a;", 4, "'a' depends on itself"),
    (V + "diff_V = -m;\nm_inf = V;", 3, "'m' has no value"),
    (V + REST + "c; .param();", 4, "The parameter 'c' has no value"),
    (V + REST + "V = 1;", 4, "is a state, and no value"),
    (V + REST + "c = d; .param();", 4, "'d', which is no constant"),
    (V + REST + "c = 1 / 0; .param();", 4, "division by zero"),
    (V + REST + "c = d; .param();\nd = c;", 4, "recursion"),
    (V + REST + ".param();\n.sum();", 5, "no markup '.sum'"),
    (V + REST + "r; .method(rk4);\ndiff_r = r;\nr_init = 0;", 4, "legal are fe and rush_larsen"),
    (V + REST + "r; .method(rush_larsen);\ndiff_r = r;\nr_init = 0;", 4, "needs 'r_inf' and"),
    (V + REST + "diff_r = V;", 4, "'r_init', the initial value, is missing"),
    (V + "if (V < 0) { diff_V = 1; }", 3, "no value in one of the cases"),
    (V + "if (V < 0) { diff_V = 1; diff_V = 2; } else { diff_V = 1; }", 3, "one value in each"),
    (V + "c = 1;", 1, "one of them needs a value"),
    (V + REST + "Iion = V;", 3, "one of them needs a value"),
    (V + REST + "T; .external(Tension);", 4, "legal are Vm, Iion, Istim"),
    ("diff_V = 1;\n", 2, "No variable is the potential"),
    (V + REST + "x; .flag(a, b);\ny; .flag(c);", 5, "A second '.flag'"),
    (V + REST + "x; .flag(a, b);\na = 1;", 5, "is a variant and has a value"),
    (V + REST + "x; .units(mV", 4, "has no end"),
    (".units(mV);", 1, "follows no variable"),
    (V.replace(".units", ".thresholds(1);\n.units") + REST, 1, "'.thresholds' has two numbers"),
    *((V + REST + "Iion = m; m_inf = V; tau_m = 1;\n" + f"m; .lookup({of});", 5,
       "'.lookup(first, last, step)' has three numbers") for of in ("0, 1", "0, 1, 0", "1, 0, 0.1", "0, 1, 1e-9")),
    (V + REST + "x = V * 2; y = exp(x);\nx; .lookup(0, 10, 0.1);", 5, "'x' begins with -160, which is not"),
    (V + "Iion = V;", 1, "a model has at least one"))

SMOOTH = "/* Title: a \"test\" */ # remark\n" + V + """
Iion; .external(); // another remark
r_init = 1;
group { g = 2; k = 0.5; } .param();
kind; .flag(one, two); s = kind == two ? 7 : 3; .param();
if (V < -90 or V > 100) { z = 1; } elif (V <= 20 && !(V == 20)) { z = tanh(r); } else { z = V; }
Iion = -g * z - (kind != two ? 0.25 : s);
diff_r = pow(r, 3) + pow(r, 2.5) + pow(r, -1) + pow(r, k) + log10(r) + expm1(-r) + sinh(r) * cosh(k) +
  min(r, 2) * max(r, 2) + fabs(-r) + square(V / 100) + cube(r) + pow(r, 9) - -+r - sqrt(r * k) + 1e-1;
"""
# Gates of V alone: not one that depends on the stimulus, nor one that depends on another gate.
STIMULATED = V + """
Istim; .external(); g = 1; .param(); Iion = g * m * n * k;
m_inf = 1 / (1 + exp(-V / 10)); tau_m = 1; n_inf = 1 / (1 + exp(-shifted)); tau_n = 1;
shifted = V + Istim; k_inf = m; tau_k = 2; n_init = 0.5; k_init = 0.5;
"""
GATES = V + """
V; .lookup(-800, 800, 0.05); Istim; .external();
g = 0.1; .param();
Iion = g * V * m * h * n * q;  tau_Ca = 1; a_Ca = 3;
tau_m = 2 + V * V; m_inf = 1 / (1 + exp(-V / 10));
a_h = exp(-V / 50); b_h = 0.5;
alpha_n = 0.3 * q; beta_n = 0.1; n_init = 0.4;
q; .method(fe); q_inf = 0.2; tau_q = 4 + Istim;
"""
DRIVER = """#include "smooth.h"
#include "gates.h"
#include "dual.h"
#include <cstdio>
using namespace tessera;
template <class T>
void smooth(const double (&at)[2], const double kind)
{
  using P = double;
  CellRates<Dual<P, 2>, 2> of;
  const P p[4] = {2., 0.5, 3., kind};
  const Dual<P, 2> y[2] = {{at[0], 0}, {at[1], 1}};
  Smooth::rates(y, p, P(1.5), of);
  CellRates<T, 2> plain;
  const T z[2] = {T(at[0]), T(at[1])}, q[4] = {T(p[0]), T(p[1]), T(p[2]), T(p[3])};
  Smooth::rates(z, q, T(1.5), plain);
  alignas(64) P lanes[2][8];
  if constexpr (std::is_same<T, P>::value)
    lanes[0][0] = plain.derivative[0], lanes[1][0] = plain.derivative[1];
  else
    plain.derivative[0].store(lanes[0]), plain.derivative[1].store(lanes[1]);
  for (int i = 0; i < 2; ++i)
    std::printf("%.17g %.17g %.17g %.17g\\n", lanes[i][0], of.derivative[i].value,
                of.derivative[i].derivative[0], of.derivative[i].derivative[1]);
}
int main()
{
  for (const double v : {-95., -30., 20., 50.})
    for (const double kind : {0., 1.})
      smooth<double>({v, 1.3}, kind), smooth<Simd<double, 4>>({v, 1.3}, kind);
  CellRates<double, 5> r;
  const double y[5] = {-30., .1, .2, .3, .4}, g[1] = {0.1};
  Gates::rates(y, g, 2., r);
  static_assert(Gates::n_gates == 3 && Gates::n_tabulated == 2, "q is none, n depends on q");
  for (int i = 0; i < 5; ++i)
    i > 0 && i < 4 ? std::printf("%.17g %.17g\\n", r.limit[i], r.rate[i])
                   : std::printf("%.17g 0\\n", r.derivative[i]);
  for (const auto &state : Gates::states())
    std::printf("%s %.17g\\n", state.name.c_str(), state.value);
}
"""


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def generate(folder, *paths):
    return subprocess.run([os.path.join(ROOT, "scripts", "cell_model"), folder, *paths], text=True,
                          capture_output=True, check=False)


def rates(v, r, kind):
    """What SMOOTH says."""
    g, k, s = 2, .5, 3
    z = 1 if v < -90 or v > 100 else math.tanh(r) if v < 20 else v
    return (1.5 + g * z + (.25 if kind != 1 else s),
            r**3 + r**2.5 + 1 / r + r**k + math.log10(r) + math.expm1(-r) +
            math.sinh(r) * math.cosh(k) + min(r, 2) * max(r, 2) + r + (v / 100)**2 + r**3 + r**9 +
            r - math.sqrt(r * k) + .1)


def close(a, b, tolerance=1e-13):
    return abs(a - b) <= tolerance * (1 + abs(b))


with tempfile.TemporaryDirectory() as folder:
    for text, line, sentence in WRONG:
        path = write(folder, "wrong.model", text)
        done = generate(folder, path)
        expect(done.returncode == 1 and done.stderr.startswith(f"{path}:{line}: ") and
               sentence in done.stderr, f"{text}: {done.stderr}")
    done = generate(folder, write(folder, "Wrong-1.model", V + REST))
    expect("is called NAME.model" in done.stderr, done.stderr)
    write(folder, "taken.h", "")
    done = generate(folder, write(folder, "taken.model", V + REST))
    expect("There is a header 'taken.h' already" in done.stderr, done.stderr)
    expect("No such file" in generate(folder, "missing.model").stderr, "missing.model is found")

    done = generate(folder, write(folder, "smooth.model", SMOOTH),
                    write(folder, "gates.model", GATES),
                    write(folder, "stimulated.model", STIMULATED))
    expect(done.returncode == 0, done.stderr)
    with open(os.path.join(folder, "stimulated.h"), encoding="utf-8") as file:
        expect("n_tabulated = 1," in file.read(), "not the gate m alone has tables")
    driver = write(folder, "driver.cc", DRIVER)
    program = os.path.join(folder, "driver")
    done = subprocess.run([*COMPILER, "-std=c++17", "-Wall", "-Wextra", "-Wno-psabi",
                           "-Wno-unknown-pragmas", f"-I{folder}", f"-I{ROOT}/include",
                           f"-I{ROOT}/applications/monodomain/cell_models", driver, "-o", program],
                          text=True, capture_output=True, check=False)
    expect(done.returncode == 0, done.stderr)
    if done.returncode != 0:
        finish()
    lines = iter(subprocess.run([program], text=True, capture_output=True,
                                check=True).stdout.splitlines())
    step = 1e-6
    for v in (-95., -30., 20., 50.):
        for kind in (0, 0, 1, 1):
            for i in range(2):
                value, of_dual, by_v, by_r = map(float, next(lines).split())
                exact = rates(v, 1.3, kind)[i]
                expect(close(value, exact) and close(of_dual, exact),
                       f"rate {i} at {v}: {value}, {of_dual} instead of {exact}")
                slope = (rates(v, 1.3 + step, kind)[i] - rates(v, 1.3 - step, kind)[i]) / (2 * step)
                expect(close(by_r, slope, 1e-7), f"slope {i} at {v}: {by_r} instead of {slope}")
                slope = (rates(v + step, 1.3, kind)[i] - rates(v - step, 1.3, kind)[i]) / (2 * step)
                if v != 20:  # where the text jumps
                    expect(close(by_v, slope, 1e-7), f"slope {i} at {v}: {by_v}, not {slope}")
    a, b, e = math.exp(.6), .5, 1 / (1 + math.exp(3))
    n, m = .3 * .4, 1 / (1 + math.exp(8))
    expected = [(2 + 3 * .1 * .2 * .3 * .4, 0), (e, 1 / 902), (a / (a + b), a + b),
                (n / (n + .1), n + .1), ((.2 - .4) / 6, 0)]
    for row in expected:
        found = tuple(map(float, next(lines).split()))
        expect(all(map(close, found, row)), f"{found} instead of {row}")
    a = math.exp(80 / 50)
    initial = {"V": -80, "m": m, "h": a / (a + b), "n": .4, "q": .2}
    for name, value in initial.items():
        found, number = next(lines).split()
        expect(found == name and close(float(number), value), f"{found} = {number}, not {value}")
finish()
