#include <tessera/program/program.h>

#include "test.h"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

using namespace tessera;
using namespace tessera::program;
using Json = nlohmann::json;

namespace
{
  /// Returns an empty folder, which stays for the check against the schema.
  std::string
  folder()
  {
    const auto *test = testing::UnitTest::GetInstance()->current_test_info();
    const char *set  = std::getenv("TESSERA_TEST_RECORDS");
    const auto path  = std::filesystem::path(
                         set ? set : std::filesystem::temp_directory_path()) /
                      ("records." + std::to_string(getpid())) / test->name();
    std::filesystem::remove_all(path);
    return path.string();
  }

  Json
  load(const std::string &path)
  {
    return Json::parse(std::ifstream(path));
  }

  int
  run(const std::vector<std::string> &words,
      const std::function<ExitCode(const Options &, Record &)> &body)
  {
    std::string name = "program";
    std::vector<std::string> copies(words);
    std::vector<char *> argv = {name.data()};
    for (std::string &word : copies)
      argv.push_back(word.data());
    Options options("program", "Tests.");
    add_common_options(options, "out");
    return run_program(static_cast<int>(argv.size()), argv.data(), options,
                       body);
  }
} // namespace

TEST(Record, AnUnknownInstructionSetIsReportedOnce)
{
  // The set is chosen once a process. What `open` throws is reported by the
  // program; `finish` has nothing to add.
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto refused                    = []() {
    setenv("TESSERA_SIMD", "sse9", 1);
    Record record("poisson", {});
    try
      {
        record.open(folder());
      }
    catch (const ParameterError &error)
      {
        record.finish(error.exit_code(), error.what());
        std::exit(static_cast<int>(error.exit_code()));
      }
  };
  EXPECT_EXIT(refused(), testing::ExitedWithCode(2), "^$");
}

TEST(Record, IsWrittenAfterEveryEntry)
{
  Record record("poisson", {"sine.prm", "-s", "Cycles=2"});
  record.set_parameters({{"Mesh/Cycles", "2"}});
  record.set_seed(7);
  const std::string path = folder();
  record.open(path);
  Json json = load(record.path());
  EXPECT_EQ(json["status"], "running");
  EXPECT_TRUE(json["exit_code"].is_null());
  EXPECT_TRUE(json["device"].is_null());
  EXPECT_EQ(json["parameters"]["Mesh/Cycles"], "2");
  EXPECT_EQ(json["arguments"].size(), 3u);
  EXPECT_EQ(json["seed"], 7);
  EXPECT_GE(json["host"]["threads"], 1);
  EXPECT_FALSE(json["build"]["versions"]["cxx"].get<std::string>().empty());

  Case solve;
  solve.name               = "cycle 0";
  solve.problem.dofs       = 81;
  solve.problem.boundaries = {{4, "'hot', 'top'", 12}, {7, "", 1}};
  solve.results.iterations = 12;
  solve.results.ended      = "It converged.";
  solve.results.history    = {{0, 2.}, {7, std::nan("")}};
  solve.results.L2_error   = 1e-3;
  solve.results.L2_rate    = std::numeric_limits<double>::infinity();
  solve.results.probes     = {{{0.5, 0.25}, 3.}};
  solve.results.quantities = {{"energy", 2.5, {}},
                              {"largest stress", std::nan(""), {0.5, 1.}}};
  solve.results.fluxes     = {{4, "hot", -1.5}, {7, "", 0.5}};
  solve.parameters         = {{"T", std::string("staged")}};
  solve.counters           = Counters{{"registers", 32}};
  record.add(solve);
  json = load(record.path());
  ASSERT_EQ(json["cases"].size(), 1u);
  EXPECT_EQ(
    json["cases"][0]["results"]["quantities"],
    Json({{{"name", "energy"}, {"value", 2.5}, {"point", Json::array()}},
          {{"name", "largest stress"},
           {"value", nullptr},
           {"point", {0.5, 1.}}}}));
  EXPECT_EQ(json["cases"][0]["problem"]["boundaries"],
            Json({{{"id", 4}, {"names", "'hot', 'top'"}, {"faces", 12}},
                  {{"id", 7}, {"names", nullptr}, {"faces", 1}}}));
  EXPECT_EQ(json["cases"][0]["results"]["L2_error"], 1e-3);
  EXPECT_EQ(json["cases"][0]["results"]["iterations"], 12);
  EXPECT_EQ(json["cases"][0]["results"]["ended"], "It converged.");
  EXPECT_TRUE(json["cases"][0]["results"]["true_residual"].is_null());
  EXPECT_EQ(json["cases"][0]["results"]["history"],
            (Json{{0, 2.}, {7, nullptr}}));
  EXPECT_TRUE(json["cases"][0]["results"]["L2_rate"].is_null());
  EXPECT_TRUE(json["cases"][0]["results"]["converged"].is_null());
  EXPECT_TRUE(json["cases"][0]["phases"]["solve"].is_null());
  EXPECT_EQ(json["cases"][0]["parameters"]["T"], "staged");
  EXPECT_EQ(json["cases"][0]["counters"]["registers"], 32);

  Row row;
  row.op             = "csr";
  row.backend        = "host";
  row.number         = "double";
  row.seconds_median = 0.5;
  row.samples        = 20;
  row.parameters     = {{"threads per row", std::int64_t(8)},
                        {"algorithm", std::string("merge")},
                        {"share", std::numeric_limits<double>::quiet_NaN()}};
  row.counters       = Counters{{"registers", 40}};
  record.add(row);
  row.completed = false;
  row.reason    = "no memory";
  row.counters.reset();
  record.add(row);

  Matrix matrix;
  matrix.name        = "small";
  matrix.source      = "file";
  matrix.rows        = 3;
  matrix.columns     = 5;
  matrix.nonzeros    = 4;
  matrix.statistics  = {{"mean_row", 4 / 3.}};
  matrix.row_lengths = {{0, 1}, {2, 2}};
  matrix.picture     = {{1, 2}, {0, 1}};
  record.add(matrix);
  row.case_name = "small";
  row.degree    = 0;
  row.completed = true;
  row.reason.clear();
  record.add(row);

  record.finish(ExitCode::done);
  json = load(record.path());
  EXPECT_EQ(json["status"], "done");
  EXPECT_EQ(json["exit_code"], 0);
  ASSERT_EQ(json["rows"].size(), 3u);
  EXPECT_EQ(json["rows"][0]["parameters"]["threads per row"], 8);
  EXPECT_EQ(json["rows"][0]["parameters"]["algorithm"], "merge");
  EXPECT_TRUE(json["rows"][0]["parameters"]["share"].is_null());
  EXPECT_EQ(json["rows"][0]["counters"]["registers"], 40);
  EXPECT_TRUE(json["rows"][1]["counters"].is_null());
  EXPECT_EQ(json["rows"][1]["reason"], "no memory");
  EXPECT_EQ(json["rows"][1]["degree"], 1);
  EXPECT_TRUE(json["rows"][2]["degree"].is_null());
  ASSERT_EQ(json["matrices"].size(), 1u);
  EXPECT_EQ(json["matrices"][0]["columns"], 5);
  EXPECT_EQ(json["matrices"][0]["row_lengths"][1], Json({2, 2}));
  EXPECT_EQ(json["matrices"][0]["picture"][0], Json({1, 2}));
  for (const auto &entry : std::filesystem::directory_iterator(
         std::filesystem::path(record.path()).parent_path()))
    EXPECT_NE(entry.path().extension(), ".part");
}

TEST(Record, HoldsTheDevice)
{
  Record record("bench", {});
  record.set_device({"GPU", 132, 1u << 31, 0, 1u << 20, "1.2", "90"}, 4e12);
  record.open(folder());
  const Json device = load(record.path())["device"];
  EXPECT_EQ(
    Json({device["name"], device["copy_bandwidth"], device["l2_bytes"]}),
    Json({"GPU", 4e12, 1 << 20}));
}

TEST(Record, ReplacesAnEarlierOneByItsFirstEntry)
{
  const std::string path = folder();
  std::filesystem::create_directories(path);
  std::ofstream(path + "/record.json") << "[1]";
  {
    Record record("bench", {});
    record.open(path);
    EXPECT_FALSE(record.is_written());
    testing::internal::CaptureStderr();
    record.finish(ExitCode::mesh, "There is none.");
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "note: the record '" + record.path() +
                "' is still an earlier run's.\n");
    EXPECT_EQ(load(record.path()), Json::array({1}));
  }
  Record record("bench", {"\xff"});
  record.open(path);
  EXPECT_EQ(load(record.path()), Json::array({1}));
  record.add(Case());
  EXPECT_EQ(load(record.path())["program"], "bench");
  EXPECT_EQ(load(record.path())["status"], "running");
}

TEST(Record, NamesFilesOfAnEarlierRun)
{
  const std::string path = folder();
  std::filesystem::create_directories(path);
  const auto run_with = [&](const bool goes_on) {
    for (const char *name : {"record.json", "a.vtu", "b.pvd", "c.csv", "d.vtu",
                             "e.pvtu", "f.vtkhdf", "n.txt", "checkpoint_a.csv"})
      std::ofstream(path + '/' + name) << "old";
    for (const char *name : {"a.vtu", "b.pvd"})
      std::filesystem::last_write_time(
        path + '/' + name,
        std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    Record record("bench", {});
    record.open(path);
    if (goes_on)
      record.keep_earlier_files();
    record.add(Case());
    std::ofstream(path + "/a.vtu") << "new";
    testing::internal::CaptureStderr();
    record.finish(ExitCode::done);
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(run_with(false), "note: the folder '" + path +
                               "' also has files of an earlier run: b.pvd, "
                               "c.csv, d.vtu and 2 more.\n");
  EXPECT_EQ(run_with(true), "");
}

TEST(Record, HasItsFolderAlone)
{
  const std::string path = folder();
  std::optional<Record> first(Record("bench", {}));
  first->open(path);
  Record second("bench", {});
  try
    {
      second.open(path);
      FAIL() << "no error";
    }
  catch (const ParameterError &error)
    {
      EXPECT_EQ(error.what(), "Another run writes into the output folder '" +
                                path +
                                "'; --output names a folder for this one.");
    }
  first.reset();
  second.open(path);
}

TEST(Record, CheckingTheFolderLeavesAnEarlierOne)
{
  const std::string path = folder();
  Record::check_folder(path);
  EXPECT_TRUE(std::filesystem::is_empty(path));
  std::ofstream(path + "/record.json") << "[1]";
  Record::check_folder(path);
  EXPECT_EQ(load(path + "/record.json"), Json::array({1}));
  EXPECT_THROW(Record::check_folder(path + "/record.json"), ParameterError);
  // This is no record, and readers of all test records must not find it.
  std::filesystem::remove(path + "/record.json");
}

TEST(Record, UnwritableFolderIsOneSentence)
{
  const std::string path = folder();
  std::filesystem::create_directories(path);
  std::ofstream(path + "/file") << "";
  Record record("bench", {});
  try
    {
      record.open(path + "/file/below");
      FAIL() << "no error";
    }
  catch (const ParameterError &error)
    {
      EXPECT_EQ(error.what(), "The output folder '" + path +
                                "/file/below' cannot be made or written to.");
    }
  EXPECT_THROW(record.open(path + "/file"), ParameterError);
}

TEST(Program, ExitCodesAndTheRecord)
{
  const std::string path = folder();
  const auto fails       = [&](const auto &exception) {
    std::filesystem::remove_all(path);
    testing::internal::CaptureStderr();
    const int code = run({}, [&](const Options &, Record &record) -> ExitCode {
      record.open(path);
      throw exception;
    });
    return std::make_pair(code, testing::internal::GetCapturedStderr());
  };

  auto result = fails(MeshError("The cell 3 is inverted."));
  EXPECT_EQ(result.first, 3);
  EXPECT_EQ(result.second, "error: The cell 3 is inverted.\n");
  Json json = load(path + "/record.json");
  EXPECT_EQ(json["status"], "failed");
  EXPECT_EQ(json["exit_code"], 3);
  EXPECT_EQ(json["message"], "The cell 3 is inverted.");

  EXPECT_EQ(fails(std::bad_alloc()).first, 6);
  result = fails(std::runtime_error("\nfirst\nstack\ntrace"));
  EXPECT_EQ(result.first, 1);
  EXPECT_EQ(result.second, "error: first\n");

  EXPECT_EQ(run({}, [](const Options &,
                       Record &) { return ExitCode::validation_failed; }),
            5);
  EXPECT_EQ(run({"--nothing"}, {}), 2);
}

TEST(Program, AClosedScreenFailsNothing)
{
  // A pipe that nobody reads raises SIGPIPE.
  const std::string path = folder();
  EXPECT_EQ(run({},
                [&](const Options &, Record &record) {
                  record.open(path);
                  int ends[2];
                  EXPECT_EQ(pipe(ends), 0);
                  close(ends[0]);
                  EXPECT_EQ(write(ends[1], "a", 1), -1);
                  EXPECT_EQ(errno, EPIPE);
                  close(ends[1]);
                  return ExitCode::done;
                }),
            0);
  EXPECT_EQ(load(path + "/record.json")["status"], "done");
}

TEST(Program, HelpAndVersionRunNothing)
{
  testing::internal::CaptureStdout();
  EXPECT_EQ(run({"--version"}, {}), 0);
  EXPECT_EQ(testing::internal::GetCapturedStdout().compare(0, 10, "program 0."),
            0);
  testing::internal::CaptureStdout();
  EXPECT_EQ(run({"--help"}, {}), 0);
  EXPECT_NE(testing::internal::GetCapturedStdout().find("--backend"),
            std::string::npos);
}

TEST(Program, ASignalEndsTheRunWithItsRecord)
{
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    {
      const std::string path = folder();
      EXPECT_EQ(run({},
                    [&](const Options &, Record &record) {
                      record.open(path);
                      EXPECT_FALSE(interrupted());
                      std::raise(signal);
                      EXPECT_TRUE(interrupted());
                      throw_if_interrupted();
                      return ExitCode::done;
                    }),
                130);
      const Json json = load(path + "/record.json");
      EXPECT_EQ(json["status"], "interrupted");
      EXPECT_EQ(json["exit_code"], 130);
    }
}

TEST(Program, AnIgnoredHangupStaysIgnored)
{
  std::signal(SIGHUP, SIG_IGN);
  EXPECT_EQ(run({},
                [&](const Options &, Record &) {
                  std::raise(SIGHUP);
                  EXPECT_FALSE(interrupted());
                  return ExitCode::done;
                }),
            0);
  std::signal(SIGHUP, SIG_DFL);
}
