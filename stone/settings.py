"""Checks an experiment's config against its JSON schema and fills in the defaults; faults are one line each."""

import copy
import difflib
from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match


class ConfigError(ValueError):
    """A config key is unknown or its value is not allowed; the message is one line that names key, value and what is allowed."""


def resolve(config: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """The config with all defaults. Raises ConfigError."""
    error = best_match(Draft202012Validator(dict(schema)).iter_errors(dict(config)))
    if error:
        raise ConfigError(_line(error))
    resolved = _filled(copy.deepcopy(dict(config)), schema, schema)
    for sweep in resolved["sweeps"]:
        if sweep["dataset"] not in resolved["datasets"]:
            raise ConfigError(f"config: sweeps.dataset is {sweep['dataset']!r}; it must be one of the experiment's datasets")
    asked = [(resolved["methods"], p["gamma"]) for points in resolved["points"].values() for p in points]
    asked += [(sweep["methods"], gamma) for sweep in resolved["sweeps"] for gamma in sweep["gammas"]]
    for methods, gamma in asked:
        if "watermod" in methods and gamma != 0.5:
            raise ConfigError(f"config: gamma is {gamma} for watermod, which splits ranks by parity; it must be 0.5")
    return resolved


def _filled(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    """Fill defaults of nested objects, following references."""
    while "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    if isinstance(value, dict):
        inner = schema.get("properties", {})
        for key, part in inner.items():
            if key not in value and "default" in part:
                value[key] = copy.deepcopy(part["default"])
        extra = schema.get("additionalProperties")
        return {k: _filled(v, inner.get(k) or (extra if isinstance(extra, dict) else {}), root) for k, v in value.items()}
    if isinstance(value, list):
        return [_filled(v, schema.get("items", {}), root) for v in value]
    return value


def _line(error: ValidationError) -> str:
    """key, value, what is allowed."""
    key = ".".join(str(part) for part in error.absolute_path) or "the config"
    rule, wanted = error.validator, error.validator_value
    if rule == "additionalProperties":
        known = list(error.schema.get("properties", {}))
        unknown = next(k for k in error.instance if k not in known)
        near = difflib.get_close_matches(unknown, known, n=1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        name = unknown if key == "the config" else f"{key}.{unknown}"
        return f"config: {name} is an unknown key{hint}, with value {error.instance[unknown]!r}; allowed: {', '.join(known)}"
    if rule == "required":
        missing = next(k for k in wanted if k not in error.instance)
        return f"config: {key} lacks the key {missing!r}; see config/README.md"
    allowed = {
        "enum": lambda: "one of " + ", ".join(map(str, wanted)),
        "exclusiveMinimum": lambda: f"more than {wanted}",
        "exclusiveMaximum": lambda: f"less than {wanted}",
        "minimum": lambda: f"at least {wanted}",
        "type": lambda: f"of type {wanted if isinstance(wanted, str) else ' or '.join(wanted)}",
        "minItems": lambda: f"a list of at least {wanted} entries",
        "uniqueItems": lambda: "a list without repeats",
        "pattern": lambda: "made of letters, digits, '_', '.' and '-'",
    }.get(rule, lambda: error.message)()
    return f"config: {key} is {error.instance!r}; it must be {allowed}"
