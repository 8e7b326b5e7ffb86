"""Checks an experiment's config against its JSON schema and fills in the defaults; faults are one line each."""

import copy
import difflib
from collections.abc import Mapping, Sequence
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
        if sweep["dataset"] not in (None, *resolved["datasets"]):
            raise ConfigError(f"config: sweeps.dataset is {sweep['dataset']!r}; it must be one of the experiment's datasets")
    _check_language_model(resolved["attacks"], resolved["llm"])
    asked = [(resolved["methods"], p["gamma"]) for points in resolved["points"].values() for p in points]
    asked += [(sweep["methods"], gamma) for sweep in resolved["sweeps"] for gamma in sweep["gammas"]]
    for methods, gamma in asked:
        for method in {"watermod", "codeip"} & set(methods):
            if gamma != 0.5:
                raise ConfigError(f"config: gamma is {gamma} for {method}, whose bits are fair; it must be 0.5")
    return resolved


def _check_language_model(attacks: Sequence[str], llm: Mapping[str, Any] | None) -> None:
    asking = next((name for name in attacks if name.startswith("llm-")), None)
    if asking and llm is None:
        raise ConfigError(f"config: llm is missing; the attack {asking!r} needs llm.base_url and llm.model (config/README.md)")
    if llm and (llm["price_in"] is None) != (llm["price_out"] is None):
        raise ConfigError("config: llm.price_in and llm.price_out belong together; give both or none")
    if llm and llm["max_cost"] is not None and llm["price_in"] is None:
        raise ConfigError(f"config: llm.max_cost is {llm['max_cost']!r}; it needs llm.price_in and llm.price_out")


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
    secret = bool(error.schema.get("writeOnly"))  # where a key to an endpoint may stand by mistake
    if rule == "additionalProperties":
        known = list(error.schema.get("properties", {}))
        unknown = next(k for k in error.instance if k not in known)
        near = difflib.get_close_matches(unknown, known, n=1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        value = "" if secret else f", with value {error.instance[unknown]!r}"
        name = unknown if key == "the config" else f"{key}.{unknown}"
        return f"config: {name} is an unknown key{hint}{value}; allowed: {', '.join(known)}"
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
        "pattern": lambda: error.schema.get("description", "made of letters, digits, '_', '.' and '-'"),
    }.get(rule, lambda: error.message)()
    return f"config: {key} is {'not shown' if secret else repr(error.instance)}; it must be {allowed}"
