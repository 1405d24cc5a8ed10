"""What a browser can measure of a page: JavaScript functions for `page.evaluate`."""

# The least contrast, as WCAG counts it, of any text to the background behind it.
LEAST_CONTRAST = """() => {
  const channels = colour => colour.match(/[\\d.]+/g).map(Number);
  const linear = value => value <= .04045 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4;
  const light = colour => {
    const [red, green, blue] = colour.map(value => linear(value / 255));
    return .2126 * red + .7152 * green + .0722 * blue;
  };
  const behind = element => {
    for (; element; element = element.parentElement) {
      const colour = channels(getComputedStyle(element).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    throw new Error("nothing is behind it");
  };
  const isText = node => node.nodeType === Node.TEXT_NODE && node.data.trim();
  const written = [...document.body.querySelectorAll("*")]
    .filter(one => one.checkVisibility() && [...one.childNodes].some(isText));
  return Math.min(...written.map(one => {
    const style = getComputedStyle(one);
    const colour = channels(one instanceof SVGElement ? style.fill : style.color);
    const [high, low] = [light(colour), light(behind(one))].sort((a, b) => b - a);
    return (high + .05) / (low + .05);
  }));
}"""

# The height of the smallest letters in a chart, in pixels of the screen; null without a chart.
SMALLEST_LETTERS = """() => {
  const letters = [...document.querySelectorAll("svg text")]
    .filter(one => one.checkVisibility())
    .map(one => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a);
  return letters.length ? Math.min(...letters) : null;
}"""

# By how many pixels a page, or whatever in it can be scrolled, is wider than what is seen of it.
OVERHANG = """() => Math.max(...[...document.querySelectorAll(":root, .table, figure")]
  .filter(one => one.checkVisibility())
  .map(one => one.scrollWidth - one.clientWidth))"""
