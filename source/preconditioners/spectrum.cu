#include <tessera/base/for_each.cuh>

#include "spectrum.cuh"

namespace tessera
{
  TESSERA_PASS_OVER(SpectrumStart<double>)
  TESSERA_PASS_OVER(SpectrumStart<float>)
  TESSERA_PASS_OVER(SpectrumDirection<double>)
  TESSERA_PASS_OVER(SpectrumDirection<float>)
  TESSERA_PASS_OVER(SpectrumStep<double>)
  TESSERA_PASS_OVER(SpectrumStep<float>)
} // namespace tessera
