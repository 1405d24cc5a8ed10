"""The report as one HTML file: the same content, charts inside, nothing fetched from anywhere."""

import html
import re
from collections.abc import Mapping

_IMAGE = re.compile(r'<p>\s*<img src="([^"]+)" alt="[^"]*" />\s*</p>')
_SIZE = re.compile(r'\bwidth="\d+" height="\d+"')

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
figure { margin: 1.5rem 0; overflow-x: auto; }
figure svg { width: 100%; min-width: 34rem; height: auto; }
"""


def page(title: str, markdown: str, charts: Mapping[str, str]) -> str:
    """The markdown as a page; `charts` holds the SVG of each file that it shows."""
    from markdown_it import MarkdownIt

    # Raw HTML stays text: what stands in a log or a policy must not become part of the page.
    renderer = MarkdownIt("commonmark", {"html": False}).enable("table")
    body = _IMAGE.sub(
        lambda image: f"<figure>{_inline(charts[html.unescape(image[1])])}</figure>",
        renderer.render(markdown),
    )
    body = body.replace("<table>", '<div class="table"><table>')
    body = body.replace("</table>", "</table></div>")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"{body}</body>\n</html>\n"
    )


def _inline(svg: str) -> str:
    """Without a size of its own, so that the page's width decides."""
    return _SIZE.sub("", svg, count=1).strip()
