#pragma once

#include <tessera/program/record.h>

#include <nlohmann/json.hpp>

#include <cmath>

// The parts of a record as JSON.
namespace tessera::program
{
  using Json = nlohmann::ordered_json;

  inline Json
  json(const double value)
  {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
  }

  /// Texts and optional values become null if they are empty.
  inline Json
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

  inline Json
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
  json(const Case &c);

  Json
  json(const Row &r);

  Json
  json(const Matrix &m);
} // namespace tessera::program
