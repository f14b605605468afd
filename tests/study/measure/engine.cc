#include "engine.h"
#include "peer_descriptor.h"

#include <gtest/gtest.h>

// Tests variants and levels of programs that measure.
namespace
{
  using namespace tessera;
  using namespace tessera::benchmarks;

  struct EngineTest : testing::Test
  {
    const Factors factors = {
      factor("Degrees", "1, 2"),
      factor_of_names("Colours", "red, blue", {"red", "blue"}, "of rows"),
      factor_of_names("Shades", "light, dark", {"light", "dark"}, "of red")};
    Parameters parameters;

    EngineTest()
    {
      declare_study(parameters, factors, "7");
      declare_sweep(parameters, factors, "full");
    }

    /// Only red has shades.
    Variants
    all() const
    {
      return Study(parameters, factors).variants([](Variant &v) {
        if (v["Colours"] == "blue")
          v["Shades"].clear();
      });
    }
  };

  std::string
  name(const Variant &v)
  {
    return v["Degrees"] + v["Colours"] + v["Shades"];
  }

  TEST_F(EngineTest, VariantsThatAreTheSameOccurOnce)
  {
    Names names;
    for (const Variant &v : all())
      names.push_back(name(v));
    EXPECT_EQ(names, (Names{"1redlight", "1reddark", "1blue", "2redlight",
                            "2reddark", "2blue"}));
    EXPECT_EQ(values_of(all(), "Shades"), (Names{"light", "dark"}));
    EXPECT_EQ(group_by(all(), {"Colours", "Shades"}).size(), 3u);
    EXPECT_THROW(all().front()["Shade"], std::logic_error);

    const Study study(parameters, factors);
    EXPECT_EQ(study.n_samples, 7);
    EXPECT_EQ(study["Degrees"], (Names{"1", "2"}));
    EXPECT_EQ(study.variants_of({"Colours", "Degrees"}).size(), 4u);
    EXPECT_EQ(study.variants([](Variant &) {}, {"a", "b"}).size(), 16u);
  }

  TEST_F(EngineTest, LevelsAreMadeOnceAndThoseThatFailAreGivenUp)
  {
    Names log;
    const std::vector<Level> levels = {
      {{"Degrees"},
       [&](Variants &group) {
         log.push_back(group.front()["Degrees"]);
         if (group.front()["Degrees"] == "2")
           group.clear();
       },
       [&](const Variants &) { log.emplace_back("end"); }},
      {{"Colours"}, [&](Variants &group) {
         if (group.front()["Colours"] == "blue")
           throw ParameterError("There is no blue.");
         for (const Variant &v : group)
           log.push_back(name(v));
       }}};
    run_levels(all(), levels,
               [&](const Variants &group, const std::exception_ptr &failure) {
                 EXPECT_THROW(std::rethrow_exception(failure), ParameterError);
                 log.push_back("without " + name(group.front()));
               });
    EXPECT_EQ(
      log, (Names{"1", "1redlight", "1reddark", "without 1blue", "end", "2"}));
    EXPECT_THROW(run_levels(all(), levels), ParameterError);
  }

  TEST(Peers, WorkOnOneBackend)
  {
    EXPECT_FALSE(Registry<PeerDescriptor>::all().empty());
    for (const PeerDescriptor &peer : Registry<PeerDescriptor>::all())
      EXPECT_NE(peer.works_with.host, peer.works_with.device) << peer.name;
  }
} // namespace
