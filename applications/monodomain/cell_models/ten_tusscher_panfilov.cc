#include "ten_tusscher_panfilov.h"

namespace tessera
{
  std::vector<CellQuantity>
  TenTusscherPanfilov::states()
  {
    return {
      {"V", "mV", -85.23},    {"m", "1", 0.00172},     {"h", "1", 0.7444},
      {"j", "1", 0.7045},     {"xr1", "1", 0.00621},   {"xr2", "1", 0.4712},
      {"xs", "1", 0.0095},    {"r", "1", 2.42e-8},     {"s", "1", 0.999998},
      {"d", "1", 3.373e-5},   {"f", "1", 0.7888},      {"f2", "1", 0.9755},
      {"fcass", "1", 0.9953}, {"R", "1", 0.9073},      {"Ca", "mM", 0.000126},
      {"CaSR", "mM", 3.64},   {"CaSS", "mM", 0.00036}, {"Na", "mM", 8.604},
      {"K", "mM", 136.89}};
  }


  std::vector<CellQuantity>
  TenTusscherPanfilov::parameters()
  {
    return {{"g_Na", "nS/pF", 14.838},    {"g_CaL", "cm/(ms uF)", 3.98e-5},
            {"g_K1", "nS/pF", 5.405},     {"g_to", "nS/pF", 0.294},
            {"g_Kr", "nS/pF", 0.153},     {"g_Ks", "nS/pF", 0.392},
            {"g_pCa", "pA/pF", 0.1238},   {"g_pK", "nS/pF", 0.0146},
            {"g_bNa", "nS/pF", 2.9e-4},   {"g_bCa", "nS/pF", 5.92e-4},
            {"P_NaK", "pA/pF", 2.724},    {"k_NaCa", "pA/pF", 1000.},
            {"p_KNa", "1", 0.03},         {"V_rel", "1/ms", 0.102},
            {"V_up", "mM/ms", 0.006375},  {"V_leak", "1/ms", 3.6e-4},
            {"K_o", "mM", 5.4},           {"Na_o", "mM", 140.},
            {"Ca_o", "mM", 2.},           {"temperature", "K", 310.},
            {"s_half", "mV", -20.},       {"tau_s_height", "ms", 85.},
            {"tau_s_centre", "mV", -45.}, {"tau_s_width", "mV^2", 320.},
            {"tau_s_step", "ms", 5.},     {"tau_s_least", "ms", 3.}};
  }


  std::vector<CellVariant>
  TenTusscherPanfilov::variants()
  {
    return {{"epi", {}},
            {"endo",
             {{"g_to", 0.073},
              {"s_half", -28.},
              {"tau_s_height", 1000.},
              {"tau_s_centre", -67.},
              {"tau_s_width", 1000.},
              {"tau_s_step", 0.},
              {"tau_s_least", 8.}}},
            {"M", {{"g_Ks", 0.098}}}};
  }
} // namespace tessera
