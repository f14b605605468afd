#pragma once

#include <tessera/study/record.h>

#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <variant>

// The values of records as JSON.
namespace tessera::study
{
  using Json = nlohmann::ordered_json;

  namespace
  {

    Json
    json(const double value)
    {
      return std::isfinite(value) ? Json(value) : Json(nullptr);
    }

    /// Texts and optional values become null if they are empty.
    Json
    json(const std::string &text)
    {
      return text.empty() ? Json(nullptr) : Json(text);
    }

    template <class T>
    Json
    json(const std::optional<T> &value)
    {
      return value ? Json(*value) : Json(nullptr);
    }

    Json
    json(const Value &value)
    {
      return std::visit(
        [](const auto &held) {
          if constexpr (std::is_same_v<decltype(held), const double &>)
            return json(held);
          else
            return Json(held);
        },
        value);
    }

    Json
    json(const std::map<std::string, Value> &parameters)
    {
      Json result = Json::object();
      for (const auto &[name, value] : parameters)
        result[name] = json(value);
      return result;
    }

    Json
    json(const std::optional<Counters> &counters)
    {
      if (!counters)
        return nullptr;
      Json result = Json::object();
      for (const auto &[name, value] : *counters)
        result[name] = json(value);
      return result;
    }
  } // namespace
} // namespace tessera::study
