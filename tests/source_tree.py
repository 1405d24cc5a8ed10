"""What stands in the checkout, for the tests that read it instead of running it."""

import ast
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "compact_guard"

_SUFFIXES_OF_TEXT = {".py", ".sql", ".md", ".j2", ".json", ".jsonl", ".toml", ".txt", ".typed", ""}


def python_files(*folders: str) -> list[Path]:
    """All modules below these folders of the checkout, in order."""
    return sorted(file for folder in folders for file in (ROOT / folder).rglob("*.py"))


def text_files() -> list[Path]:
    """Every text file that git would keep, whether git is here or not."""
    return [file for file in _kept(ROOT) if file.suffix in _SUFFIXES_OF_TEXT]


def _kept(folder: Path) -> Iterator[Path]:
    ignored = {".git", *re.findall(r"^(.+)/$", (ROOT / ".gitignore").read_text("utf-8"), re.M)}
    for entry in sorted(folder.iterdir()):
        if entry.is_dir() and entry.name not in ignored and not entry.is_symlink():
            yield from _kept(entry)
        elif entry.is_file():
            yield entry


def copy_checkout(to: Path) -> Path:
    """A copy to work in: without environments, caches and git."""
    left_out = (".git", ".venv", ".cache", ".*_cache", ".hypothesis", "__pycache__", "dist")
    return Path(shutil.copytree(ROOT, to, ignore=shutil.ignore_patterns(*left_out)))


def name_of(file: Path) -> str:
    """The path as a reader of a failure knows it."""
    return file.relative_to(ROOT).as_posix()


def tree_of(file: Path) -> ast.Module:
    """One module, parsed."""
    return ast.parse(file.read_text(encoding="utf-8"), filename=str(file))


def functions_of(file: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function of a module, methods and nested ones included."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [node for node in ast.walk(tree_of(file)) if isinstance(node, kinds)]


def words_of(file: Path) -> Iterator[tuple[int, str]]:
    """Line and text of each identifier and string of a module; docstrings are left out."""
    yield from names_of(file)
    tree = tree_of(file)
    prose = {id(node.body[0].value) for node in ast.walk(tree) if _has_docstring(node)}
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str() as text) if id(node) not in prose:
                yield node.lineno, text
            case ast.Constant(value=bytes() as raw):
                yield node.lineno, raw.decode("latin-1")


def names_of(file: Path) -> Iterator[tuple[int, str]]:
    """Line and text of each identifier of a module."""
    for node in ast.walk(tree_of(file)):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield node.lineno, name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name


def _has_docstring(node: ast.AST) -> bool:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return isinstance(node, kinds) and ast.get_docstring(node, clean=False) is not None
