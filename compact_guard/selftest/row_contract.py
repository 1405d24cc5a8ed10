"""Does a row keep the audit log's contract? For the base install, which has no schema library.

Knows exactly the keywords that the contract uses, and refuses a contract that uses others.
"""

import json
import re
from importlib.resources import files
from typing import Any

_KNOWN = {
    "$schema", "title", "description", "examples",  # said to people
    "type", "const", "enum", "pattern", "minimum", "anyOf", "allOf", "if", "then",
    "required", "properties", "additionalProperties",
}  # fmt: skip
_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}


def load() -> dict[str, Any]:
    """The contract that ships with the package."""
    contract = files("compact_guard") / "contracts" / "audit-event.schema.json"
    return dict(json.loads(contract.read_text("utf-8")))


def complaint(row: object, schema: dict[str, Any], name: str = "row") -> str:
    """The first thing wrong with the row, "" if nothing is. Raises ValueError for keywords
    that are not known here."""
    if unknown := set(schema) - _KNOWN:
        raise ValueError(f"the contract uses {', '.join(sorted(unknown))}")
    return (
        _of_value(row, schema, name)
        or _of_fields(row, schema, name)
        or _of_alternatives(row, schema, name)
    )


def _of_value(value: object, schema: dict[str, Any], name: str) -> str:
    if "type" in schema and not _is_a(value, schema["type"]):
        return f"{name} is no {schema['type']}"
    if "const" in schema and value != schema["const"]:
        return f"{name} is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{name} is {value!r}"
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        return f"{name} is written wrongly"
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_number and value < schema.get("minimum", value):
        return f"{name} is less than {schema['minimum']}"
    return ""


def _is_a(value: object, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    is_whole = kind == "integer" and isinstance(value, float) and value.is_integer()
    return is_whole or isinstance(value, _TYPES[kind])


def _of_fields(value: object, schema: dict[str, Any], name: str) -> str:
    if not isinstance(value, dict):
        return ""
    known = schema.get("properties", {})
    if missing := [field for field in schema.get("required", ()) if field not in value]:
        return f"{name} has no {missing[0]}"
    if schema.get("additionalProperties") is False and (strange := set(value) - set(known)):
        return f"{name} has {min(strange)}"
    found = (complaint(value[field], known[field], field) for field in known if field in value)
    return next(filter(None, found), "")


def _of_alternatives(value: object, schema: dict[str, Any], name: str) -> str:
    if "anyOf" in schema:
        found = [complaint(value, each, name) for each in schema["anyOf"]]
        if all(found):
            return found[0]
    if "if" in schema and not complaint(value, schema["if"], name):
        return complaint(value, schema.get("then", {}), name)
    together = (complaint(value, each, name) for each in schema.get("allOf", ()))
    return next(filter(None, together), "")
