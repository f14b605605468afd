#include <tessera/base/error.h>
#include <tessera/operators/descriptor.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/format_choice.h>
#include <tessera/operators/sell.h>

#include <algorithm>

#include "linked.h"
#include "test.h"

// Tests what operators say about themselves, and who accepts which option.
namespace tessera
{
  using namespace test;

  TEST(Descriptor, OptionsOfOthersAreRefused)
  {
    const auto another_value = [](const Option &option) {
      for (const std::string value : {"8", "64"})
        if (option.is_legal(value))
          return value;
      return option.words.front() == option.default_value
               ? option.words.back()
               : option.words.front();
    };
    for (const Backend backend : backends())
      for (const std::string &name : operator_choices())
        for (const OptionSet *const set : option_sets())
          for (const Option &option : set->options)
            {
              SCOPED_TRACE(name + ", " + option.name);
              AssemblyOptions options;
              const auto check = [&](const std::string &value) {
                options.storage = {{option.name, value}};
                check_options(name, backend, options);
              };
              EXPECT_NO_THROW(check(option.default_value));
              EXPECT_THROW(check("many"), ParameterError);
              if (descriptor(name).has(*set) &&
                  (!set->device_only || backend == Backend::cuda))
                EXPECT_NO_THROW(check(another_value(option)));
              else
                EXPECT_THROW(check(another_value(option)), ParameterError);
            }
    const auto refusal = [](const StorageOptions &storage) -> std::string {
      AssemblyOptions options;
      options.storage = storage;
      try
        {
          check_options("sell", Backend::host, options);
        }
      catch (const ParameterError &error)
        {
          return error.what();
        }
      return "";
    };
    if (is_linked("hybrid"))
      EXPECT_EQ(refusal({{"Hybrid width", "5"}}),
                "The option 'Hybrid width' was given as 5, which is for the "
                "operator hybrid; with the operator sell legal is auto.");
    EXPECT_EQ(refusal({{"Block size", "64"}}),
              "The option 'Block size' was given as 64, which is for the "
              "operator sell on the device; with the operator sell on the host "
              "legal is auto.");
    EXPECT_EQ(refusal({{"Slice lanes", "512"}}),
              "The option 'Slice lanes' was given as 512; legal is an integer "
              "n such that 1 <= n <= 256.");
    EXPECT_NE(refusal({{"Slice lanes", "24"}}).find("a power of two"),
              std::string::npos);
    EXPECT_EQ(refusal({{"Slices", "8"}})
                .find("The option of operators 'Slices' does not exist"),
              0u);
  }

  TEST(Descriptor, ListsOfOptionsAreReadAndWritten)
  {
    const OptionSet *const slices = &slice_options();
    EXPECT_EQ(slices->key(), "slices");
    EXPECT_EQ(slices->text({}), "32:1:1:0");
    EXPECT_EQ(slices->read("32:1"), StorageOptions());
    EXPECT_EQ(
      slices->read("8:1:02"),
      StorageOptions({{"Slice lanes", "8"}, {"Slice threads per row", "2"}}));
    EXPECT_EQ(slices->text(slices->read("8:1:2")), "8:1:2:0");
    for (const std::string text :
         {"", ":", "32:", "32:x", "32:1:1:0:0", "24:1", "8:1:16"})
      EXPECT_THROW(slices->read(text), ParameterError) << text;
  }

  TEST(Descriptor, DescribeThemselves)
  {
    for (const OperatorDescriptor &d : descriptors())
      {
        SCOPED_TRACE(d.name);
        EXPECT_EQ(&descriptor(d.name), &d);
        EXPECT_NE(d.sentence, "");
        EXPECT_NE(d.source, "");
        EXPECT_EQ(static_cast<bool>(d.memory), !d.stores_nothing);
        EXPECT_EQ(d.has_pattern() + d.is_appended() +
                    static_cast<bool>(d.maker<float>().from_cells),
                  1);
        const MemoryCounts q1 = {
          CellType::quadrilateral, 1, Geometry::vertices, 8, 4, 1, 9, 9, 4};
        if (d.memory)
          EXPECT_GE(d.memory(q1, {}), 6 * 8.);
      }
  }

  TEST(Descriptor, ThoseOfRowsAreMadeOfAPattern)
  {
    const auto rows = row_operator_names();
    for (const Backend backend : backends())
      for (const std::string &name : operator_names())
        {
          const auto make = [&]() {
            return make_row_operator<double>(
              name, CsrPattern(SparsityPattern{{0, 2, 2}, {0, 1}}, backend), 3);
          };
          if (std::count(rows.begin(), rows.end(), name) == 0 ||
              descriptor(name).is_appended())
            {
              EXPECT_THROW(make(), ParameterError) << name;
              continue;
            }
          const auto A = make();
          EXPECT_EQ(A->name(), name);
          EXPECT_EQ(A->n_owned(), 2);
          EXPECT_EQ(A->n_tail(), 3);
          EXPECT_EQ(A->matrix().n_nonzeros(), 2);
          EXPECT_EQ(A->matrix().max_row_length(), 2);
        }
  }
} // namespace tessera
