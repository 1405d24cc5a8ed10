"""The report as one HTML file: the same content, charts inside, nothing fetched from anywhere.

On a phone each chart is one drawn for it, and a table that would not fit becomes a list of records.
"""

import html
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it.token import Token

_IMAGE = re.compile(r'<p>\s*<img src="([^"]+)" alt="[^"]*" />\s*</p>')
_SIZE = re.compile(r'\bwidth="\d+" height="\d+"')
_CELL = re.compile(r"(<td[^>]*>)(.*?)</td>")
_BREAK = re.compile(r"(?<=[_(])(?=\w)")  # where a long name may go on in the next line
_FIGURE = re.compile(r"[-+$]?\d[\d.,:%+-]*( \d\d:\d\d(:\d\d)?)?( UTC)?")  # a number, a date, a time

_CELLS = ("th_open", "td_open")
_PHONE_PIXELS = 358
_CELL_PIXELS = 14  # its padding and a border, there
_LETTER_PIXELS = 6.7

_STYLE = """
:root { color-scheme: light dark; --text: #1f2328; --quiet: #59636e; --line: #d1d9e0;
        --page: #ffffff; --shade: #f6f8fa; }
@media (prefers-color-scheme: dark) {
  :root { --text: #f0f6fc; --quiet: #9198a1; --line: #3d444d; --page: #0d1117; --shade: #151b23; }
}
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 60rem; color: var(--text);
       background: var(--page); font: 1rem/1.55 -apple-system, "Segoe UI", "Noto Sans", Helvetica,
       Arial, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.7rem; line-height: 1.25; }
h2 { margin-top: 2.5rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
h3 { margin-top: 2rem; }
.table { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .875rem; }
th, td { padding: .35rem .7rem; border: 1px solid var(--line); text-align: left;
         vertical-align: top; min-width: 3rem; overflow-wrap: normal; }
th { background: var(--shade); }
code { padding: .1em .35em; border-radius: 4px; background: var(--shade); font-size: .875em; }
blockquote { margin: 1rem 0; padding: .1rem 1rem; border-left: .3rem solid #c69026;
             background: var(--shade); }
figure { margin: 1.5rem 0; }
figure svg { display: block; width: 100%; height: auto; }
.phone { display: none; }
@media (max-width: 40rem) {
  .page { display: none; }
  .phone { display: block; }
  table { font-size: .8rem; }
  th, td { padding: .3rem .4rem; min-width: 0; }
  .figure { white-space: nowrap; }
  .records, .records tbody { display: block; }
  .records thead { display: none; }
  .records tr { display: block; margin-bottom: 1rem; border: 1px solid var(--line); }
  .records td { display: grid; grid-template-columns: 7.5rem 1fr; gap: .7rem; border: 0;
                text-align: left !important; overflow-wrap: anywhere; }
  .records td::before { content: attr(data-label); color: var(--quiet); white-space: normal; }
  .records td:first-child { background: var(--shade); font-weight: 600; }
  .records .empty { display: none; }
  .records td[data-label=""] { display: block; }
}
"""


def page(title: str, markdown: str, charts: Mapping[str, tuple[str, str]]) -> str:
    """The markdown as a page; `charts` has two SVGs of each file that it shows: page and phone."""
    from markdown_it import MarkdownIt

    # Raw HTML stays text: what stands in a log or a policy must not become part of the page.
    renderer = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = renderer.parse(markdown)
    _fit_tables(tokens)
    body = renderer.renderer.render(tokens, renderer.options, {})
    body = body.replace("<table", '<div class="table"><table').replace("</table>", "</table></div>")
    body = _CELL.sub(
        lambda cell: f"{cell[1]}<span>{_BREAK.sub('<wbr>', cell[2])}</span></td>", body
    )
    body = _IMAGE.sub(lambda image: _figure(*charts[html.unescape(image[1])]), body)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"{body}</body>\n</html>\n"
    )


def _figure(for_page: str, for_phone: str) -> str:
    return (
        f'<figure><div class="page">{_inline(for_page)}</div>'
        f'<div class="phone">{_inline(for_phone)}</div></figure>'
    )


def _inline(svg: str) -> str:
    """Without a size of its own, so that the page's width decides."""
    return _SIZE.sub("", svg, count=1).strip()


def _fit_tables(tokens: "list[Token]") -> None:
    """Label every cell by its column, mark those that stay on one line, and tables too wide."""
    places = range(len(tokens))
    starts = [place for place in places if tokens[place].type == "table_open"]
    ends = [place for place in places if tokens[place].type == "table_close"]
    for start, end in zip(starts, ends, strict=True):
        cells = [place for place in places[start:end] if tokens[place].type in _CELLS]
        heads = [tokens[place + 1].content for place in cells if tokens[place].tag == "th"]
        columns: list[list[str]] = [[] for _ in heads]
        for number, place in enumerate(cells):
            text, column = tokens[place + 1].content, number % len(heads)
            columns[column].append(text)
            _mark(tokens[place], text, heads[column])
        if sum(map(_pixels_at_least, columns)) > _PHONE_PIXELS:
            tokens[start].attrSet("class", "records")


def _mark(cell: "Token", text: str, head: str) -> None:
    if cell.tag == "td":
        cell.attrSet("data-label", head)
    if not text:
        cell.attrSet("class", "empty")
    elif _FIGURE.fullmatch(text):
        cell.attrSet("class", "figure")


def _pixels_at_least(column: list[str]) -> float:
    """How wide a column stays on a phone, however its texts are broken into lines."""
    pieces = (
        piece
        for text in column
        for piece in ([text] if _FIGURE.fullmatch(text) else re.split(r"\s|(?<=[-_(])", text))
    )
    return _CELL_PIXELS + _LETTER_PIXELS * max(map(len, pieces))
