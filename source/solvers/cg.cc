#include <tessera/base/recording_stream.h>
#include <tessera/solvers/cg.h>

#include <algorithm>
#include <cmath>

#include "cg.cuh"

namespace tessera
{
  namespace
  {
    CGResult
    to_result(const CGState &state)
    {
      CGResult result;
      result.converged        = state.status == CGState::Status::converged;
      result.iterations       = state.iterations;
      result.initial_residual = std::sqrt(state.initial_r_dot_r);
      result.residual         = std::sqrt(state.r_dot_r);
      return result;
    }
  } // namespace

  template <class Number>
  CG<Number>::CG(const Operator<Number> &A,
                 const Preconditioner<Number> &preconditioner,
                 std::shared_ptr<const Communicator> communicator)
    : A(A), preconditioner(preconditioner), one_part(!communicator),
      communicator(communicator ? std::move(communicator)
                                : std::make_shared<Communicator>()),
      n_blocks(pass_blocks(A.backend(), A.n_owned())), r(A.make_vector()),
      p(A.make_vector()), q(A.make_vector()), recurrence(A.backend(), 1),
      sums(A.backend(), n_cg_sums),
      partial(A.backend(), std::size_t(n_cg_sums) * n_blocks),
      counters(A.backend(), n_cg_sums)
  {
    if (preconditioner.inverse_diagonal() == nullptr)
      z = A.make_vector();
  }

  template <class Number>
  CGData<Number>
  CG<Number>::data(Number *const x, const Number *const b)
  {
    const Vector<Number> *diagonal = preconditioner.inverse_diagonal();
    return {{},
            x,
            r.data(),
            p.data(),
            q.data(),
            b,
            diagonal != nullptr ? diagonal->data() : nullptr,
            z.data(),
            recurrence.data(),
            sums.data()};
  }

  template <class Number>
  template <class Work>
  void
  CG<Number>::run(const Work &work, const Stream stream)
  {
    pass_over(A.backend(), A.n_owned(), work,
              {partial.data(), counters.data(), sums.data(), n_blocks}, stream);
  }

  template <class Number>
  void
  CG<Number>::precondition_and_sum(const CGData<Number> &data, const int n_sums,
                                   const Stream stream)
  {
    if (data.weight == nullptr)
      {
        preconditioner.apply(z, r, stream);
        run(CGDot<Number>{data}, stream);
      }
    communicator->sum(sums.data(), n_sums, stream);
  }

  template <class Number>
  void
  CG<Number>::start(Vector<Number> &x, const Vector<Number> &b,
                    const CGControl &control, const Stream stream)
  {
    const CGData<Number> data = this->data(x.data(), b.data());
    const CGStart start       = {
            control.relative_tolerance * control.relative_tolerance,
            control.absolute_tolerance * control.absolute_tolerance,
            control.max_iterations};

    A.vmult(q, x, Epilogue<Number>::store(), stream);
    run(CGResidual<Number>{data}, stream);
    precondition_and_sum(data, sum_b_b + 1, stream);
    run(CGBegin<Number>{data, start}, stream);
  }

  template <class Number>
  void
  CG<Number>::iterate(Vector<Number> &x, const Stream stream)
  {
    iterate(x.data(), stream);
  }

  template <class Number>
  void
  CG<Number>::iterate(Number *const x, const Stream stream)
  {
    const CGData<Number> data = this->data(x, nullptr);

    A.vmult(q, p, Epilogue<Number>::dot(sums.data() + sum_p_q), stream);
    communicator->sum(sums.data() + sum_p_q, 1, stream);
    run(CGUpdate<Number>{data}, stream);
    precondition_and_sum(data, sum_r_r + 1, stream);
    run(CGAdvance<Number>{data}, stream);
  }

  template <class Number>
  void
  CG<Number>::replay_iterations(Vector<Number> &x, const int n,
                                const Stream stream)
  {
    Number *const entries = x.data();
    const auto iterations = [this, entries, n](const Stream on) {
      for (int i = 0; i < n; ++i)
        iterate(entries, on);
    };
    if (A.backend() == Backend::host)
      return iterations(stream);
    if (!graph || graph_x != entries || graph_n != n)
      {
        const runtime::RecordingStream recording;
        graph = std::make_unique<const runtime::Graph>(
          recording.stream,
          [iterations, on = recording.stream]() { iterations(on); });
        graph_x = entries;
        graph_n = n;
      }
    graph->replay(stream);
  }

  template <class Number>
  CGState
  CG<Number>::read_state(const Stream stream) const
  {
    if (A.backend() == Backend::host)
      return *recurrence.data();
    CGState state;
    runtime::copy_async(&state, recurrence.data(), sizeof(state),
                        runtime::Copy::device_to_host, stream);
    runtime::synchronize(stream);
    return state;
  }

  template <class Number>
  CGResult
  CG<Number>::state(const Stream stream) const
  {
    return to_result(read_state(stream));
  }

  template <class Number>
  CGResult
  CG<Number>::solve(Vector<Number> &x, const Vector<Number> &b,
                    const CGControl &control, const Stream stream)
  {
    start(x, b, control, stream);
    for (;;)
      {
        const CGState state = read_state(stream);
        CGResult result     = to_result(state);
        const bool go_on    = !control.progress ||
                           control.progress(result.iterations, result.residual);
        if (state.status != CGState::Status::running)
          return result;
        if (!go_on)
          {
            result.interrupted = true;
            return result;
          }
        const int n = std::max(control.check_every, 1);
        if (control.graph && one_part)
          replay_iterations(x, n, stream);
        else
          for (int i = 0; i < n; ++i)
            iterate(x, stream);
      }
  }

  template class CG<double>;
  template class CG<float>;
} // namespace tessera
