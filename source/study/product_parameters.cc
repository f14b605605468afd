#include <tessera/operators/csr.h>
#include <tessera/operators/csr_mgpu.h>
#include <tessera/operators/hybrid.h>
#include <tessera/operators/sell.h>
#include <tessera/study/product_parameters.h>

namespace tessera::study
{
  template <class Number>
  std::map<std::string, Value>
  layout_parameters(const Operator<Number> &op)
  {
    std::map<std::string, Value> found;
    if (const auto *hybrid = dynamic_cast<const Hybrid<Number> *>(&op))
      found["width"] = std::int64_t(hybrid->matrix().width());
    if (const auto *sell = dynamic_cast<const Sell<Number> *>(&op))
      {
        const SellShape &shape = sell->matrix().shape();
        found["C"]             = std::int64_t(shape.lanes);
        found["sigma"]         = std::int64_t(shape.window);
        if (shape.threshold > 0)
          found["threshold"] = std::int64_t(shape.threshold);
        else
          found["T"] = std::int64_t(shape.threads_per_row);
      }
    return found;
  }

  template <class Number>
  std::map<std::string, Value>
  product_parameters(const Operator<Number> &op)
  {
    std::map<std::string, Value> found;
    if (op.backend() == Backend::host)
      return found;
    if (const auto *sell = dynamic_cast<const Sell<Number> *>(&op))
      {
        found["block"] = std::int64_t(sell->block());
        if (!sell->read_only())
          found["read_only"] = std::int64_t(0);
      }
    if (const auto *mgpu = dynamic_cast<const CsrMgpu<Number> *>(&op))
      found["values_per_thread"] = std::int64_t(mgpu->values_per_thread());
    if (const auto *csr = dynamic_cast<const Csr<Number> *>(&op))
      {
        if (csr->threads_per_row() > 0)
          found["T"] = std::int64_t(csr->threads_per_row());
        else
          found["T"] = to_string(ThreadsPerRow(csr->threads_per_row()));
      }
    return found;
  }

#define INSTANTIATE(Number)                                         \
  template std::map<std::string, Value> layout_parameters<Number>(  \
    const Operator<Number> &);                                      \
  template std::map<std::string, Value> product_parameters<Number>( \
    const Operator<Number> &);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera::study
