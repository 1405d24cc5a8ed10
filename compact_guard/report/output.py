"""What every report shares: its template's environment, and how its files come into a folder."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from compact_guard import assets
from compact_guard.errors import UsageError
from compact_guard.report.phrases import cell

if TYPE_CHECKING:
    import jinja2


def template(
    name: str, filters: Mapping[str, Callable[..., str]] | None = None
) -> "jinja2.Template":
    """A template of reports/templates, with the filter `cell` and those given."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(assets.folder("reports", "templates")),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # markdown; `cell` keeps what others wrote within its cell
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"cell": cell, **(filters or {})}
    return environment.get_template(name)


def put_all(folder: Path, files: Mapping[str, str], put: Callable[[Path, str], None]) -> None:
    """Put each file into `folder`, in their order. Raises UsageError where that cannot be done."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file, text in files.items():
            put(folder / file, text)
    except OSError as error:
        raise UsageError(
            f"cannot write the report into {folder} ({error}): give --reports a folder that you "
            "may write to"
        ) from error
