#include <tessera/operators/descriptor.h>
#include <tessera/operators/factory.h>
#include <tessera/preconditioners/choice.h>

#include "test.h"

// Tests the preconditioner `auto` by one that this program brings: it reads
// stored rows of one process without hanging nodes on the host, and saves time
// from 1000 rows on, as much as 70 iterations take. Another one is for devices.
using namespace tessera;

namespace
{
  PreconditionerDescriptor
  describe_costly()
  {
    PreconditionerDescriptor d{"costly", "M = 1", ""};
    d.works_with.operators         = &OperatorDescriptor::stores_rows;
    d.works_with.needs             = "needs the entries of a matrix";
    d.works_with.several_processes = false;
    d.works_with.hanging_nodes     = false;
    d.works_with.device            = false;
    d.savings                      = [](const SolveShape &shape) {
      return Savings{
        shape.degree == 4 ? std::numeric_limits<double>::infinity() : 1000, 70};
    };
    return d;
  }

  PreconditionerDescriptor
  describe_for_devices()
  {
    PreconditionerDescriptor d{"for_devices", "M = 1", ""};
    d.works_with.host = false;
    d.savings         = [](const SolveShape &) { return Savings{1000, 90}; };
    return d;
  }

  const Registration<PreconditionerDescriptor> registration(describe_costly);
  const Registration<PreconditionerDescriptor> registration_for_devices(
    describe_for_devices);

  PreconditionerQuestion
  question()
  {
    PreconditionerQuestion q;
    q.shape = {Backend::host, CellType::hexahedron, 2, 3, 1000};
    q.op    = &descriptor("csr");
    return q;
  }

  /// Expects diag(A) alone, for a reason against the one for hosts.
  void
  expect_diagonal(const PreconditionerQuestion &q, const std::string &reason)
  {
    const PreconditionerChoice choice = choose_preconditioner(q);
    EXPECT_EQ(choice.name, "jacobi");
    EXPECT_EQ(choice.next, "");
    EXPECT_EQ(choice.last(), "jacobi");
    EXPECT_EQ(choice.reason.rfind("costly " + reason + ", for_devices ", 0),
              std::size_t(0))
      << choice.reason;
  }
} // namespace


TEST(AutoPreconditioner, FollowsTheDiagonal)
{
  const PreconditionerChoice choice = choose_preconditioner(question());
  EXPECT_EQ(diagonal_preconditioner(), "jacobi");
  EXPECT_EQ(choice.name, "jacobi");
  EXPECT_EQ(choice.next, "costly");
  EXPECT_EQ(choice.last(), "costly");
  EXPECT_EQ(choice.iterations, 70);
  EXPECT_EQ(choice.reason,
            "costly follows unless it converges in 70 "
            "iterations, which take as long");

  auto q    = question();
  q.at_once = true;
  EXPECT_EQ(choose_preconditioner(q).name, "costly");
  EXPECT_EQ(choose_preconditioner(q).next, "");
}


TEST(AutoPreconditioner, SaysWhyTheDiagonalStays)
{
  auto q              = question();
  q.several_processes = true;
  expect_diagonal(q, "is for one process");

  q    = question();
  q.op = &descriptor("matrix_free");
  expect_diagonal(q, "needs the entries of a matrix");

  q               = question();
  q.hanging_nodes = true;
  expect_diagonal(q, "is for meshes without hanging nodes");

  q                = question();
  q.needs_diagonal = true;
  expect_diagonal(q, "is not diagonal, which the method needs");

  q               = question();
  q.steps_in_time = true;
  expect_diagonal(q,
                  "is not known to save time in steps in time, whose solves "
                  "begin near their ends");

  q              = question();
  q.shape.degree = 4;
  expect_diagonal(q, "is not known to save time on the host");

  q              = question();
  q.shape.n_rows = 999;
  expect_diagonal(q,
                  "is not worth its set-up below 1000 rows, and there are "
                  "999 rows");

  q      = question();
  q.fits = [](const std::string &name) { return name != "costly"; };
  expect_diagonal(q, "does not fit into the free memory");
}


TEST(AutoPreconditioner, FollowsOnADevice)
{
  auto q          = question();
  q.shape.backend = Backend::cuda;
  auto choice     = choose_preconditioner(q);
  EXPECT_EQ(choice.name, "jacobi");
  EXPECT_EQ(choice.next, "for_devices");
  EXPECT_EQ(choice.iterations, 90);

  q.several_processes = true;
  choice              = choose_preconditioner(q);
  EXPECT_EQ(choice.last(), "jacobi");
  EXPECT_EQ(choice.reason.rfind(
              "costly does not exist on a device, for_devices is not known to "
              "save time on devices of several processes, multigrid ",
              0),
            std::size_t(0))
    << choice.reason;

  q.several_processes = false;
  q.at_once           = true;
  choice              = choose_preconditioner(q);
  EXPECT_EQ(choice.last(), "jacobi");
  EXPECT_EQ(choice.reason.rfind(
              "costly does not exist on a device, for_devices is not known to "
              "save time on a device where no other preconditioner can begin "
              "the solve, multigrid ",
              0),
            std::size_t(0))
    << choice.reason;
}
