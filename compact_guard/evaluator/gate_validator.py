"""Great Expectations, held so that it leaves nothing behind and drops nothing in silence.

It is imported only where a gate runs: it costs seconds.
"""

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from compact_guard import quiet
from compact_guard.errors import UsageError
from compact_guard.evaluator import sparing_import

if TYPE_CHECKING:
    import pandas as pd

# What its import loads for expectations on distributions, their charts, and SQL back ends. It
# takes SQLAlchemy for an option, and asks too much of it at once to have it later.
_LATER = frozenset({"altair", "scipy.stats"})
_ABSENT = frozenset({"sqlalchemy"})


class BrokenSuite(Exception):
    """A suite file that Great Expectations would not run as written."""


class Validator:
    """Validates frames against suites in an ephemeral context.

    With `data_docs`, a folder, it also builds Great Expectations' pages about everything it
    validated. Those pages fetch style sheets from the web, so they look plain without it.
    """

    def __init__(self, data_docs: Path | None = None) -> None:
        quiet.telemetry_off()  # before the import: it reads the environment once
        with sparing_import.spared(_LATER, _ABSENT), warnings.catch_warnings():
            # Its own use of sre_constants and sre_parse, not ours to mend.
            warnings.filterwarnings("ignore", "module 'sre_", DeprecationWarning)
            import great_expectations as gx
            from great_expectations.data_context.types import base

        self._gx: Any = gx
        self._data_docs = data_docs
        if data_docs is not None:
            _make(data_docs)
        # In-memory stores and no docs site: the default context leaves a folder in /tmp.
        self._context = gx.get_context(
            project_config=base.DataContextConfig(
                store_backend_defaults=base.InMemoryStoreBackendDefaults(),
                progress_bars=base.ProgressBarsConfig(globally=False),
                data_docs_sites={} if data_docs is None else {"gate": _site(data_docs)},
            )
        )
        self._source = self._context.data_sources.add_pandas("warehouse")

    def validate(
        self, suite: dict[str, Any], frame: "pd.DataFrame", interface: str
    ) -> list[dict[str, Any]]:
        """Great Expectations' results as JSON, in the order of the suite's file.

        Raises BrokenSuite when the file names an expectation that does not exist.
        """
        # A file of its pages is named after it.
        name = f"{suite['name']} of {interface.replace('/', ' ')}"
        loaded = self._gx.ExpectationSuite(**suite | {"name": name})
        if len(loaded.expectations) != len(suite["expectations"]):
            raise BrokenSuite(f"expectations/{suite['name']}.json names a type that does not exist")
        asset = self._source.add_dataframe_asset(name)
        batch = asset.add_batch_definition_whole_dataframe("all")
        definition = self._gx.ValidationDefinition(
            name=name, data=batch, suite=self._context.suites.add(loaded)
        )
        outcome = self._context.validation_definitions.add(definition).run(
            batch_parameters={"dataframe": frame},
            result_format={"result_format": "COMPLETE", "include_unexpected_rows": False},
        )
        in_order = sorted(outcome.results, key=lambda result: _position(suite, result))
        return [result.to_json_dict() for result in in_order]

    def build_data_docs(self) -> None:
        """Write the pages, where a folder for them was given.

        Raises UsageError when they are not there afterwards: Great Expectations only logs why.
        """
        if self._data_docs is None:
            return
        self._context.build_data_docs()
        if not any(self._data_docs.glob("validations/**/*.html")):
            raise _unwritable(self._data_docs, "nothing was written")


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error) from error


def _unwritable(folder: Path, reason: object) -> UsageError:
    return UsageError(
        f"cannot write Great Expectations' pages below {folder} ({reason}): "
        "give --data-docs a folder that you may write to"
    )


def _site(folder: Path) -> dict[str, Any]:
    return {
        "class_name": "SiteBuilder",
        "show_how_to_buttons": False,
        "store_backend": {
            "class_name": "TupleFilesystemStoreBackend",
            "base_directory": str(folder.resolve()),
        },
        "site_index_builder": {"class_name": "DefaultSiteIndexBuilder"},
    }


def _position(suite: dict[str, Any], result: Any) -> int:
    """Where the suite's file has this expectation: results come back in an order of their own."""
    meta = result.expectation_config.meta
    return [expectation["meta"] for expectation in suite["expectations"]].index(meta)
