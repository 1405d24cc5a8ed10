"""The pictures of docs/: small, and each shown with words for those who cannot see it."""

import re

from PIL import Image

from tests.browser.screenshots import FOLDER, PICTURES
from tests.source_tree import ROOT

BYTES_MAX = 80_000
SHOWN = re.compile(r"!\[([^\]]+)\]\(screenshots/([\w-]+)\.png\)")


def test_every_picture_is_there_small_and_as_large_as_its_screen():
    assert sorted(file.stem for file in FOLDER.iterdir()) == sorted(one.name for one in PICTURES)
    for picture in PICTURES:
        file = FOLDER / f"{picture.name}.png"
        assert file.stat().st_size <= BYTES_MAX
        with Image.open(file) as image:
            assert image.size == picture.screen[:2]


def test_the_tour_shows_every_picture_and_says_what_it_shows():
    tour = (ROOT / "docs" / "tour.md").read_text("utf-8")

    shown = {name: words for words, name in SHOWN.findall(tour)}
    assert set(shown) == {picture.name for picture in PICTURES}
    assert min(len(words) for words in shown.values()) > 30
