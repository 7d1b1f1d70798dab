"""What a page must do. Each check has a fresh browser, and says what it saw or raises `Failed`."""

import json
import math

PHONE = dict(width=390, height=844, scale=2, phone=True)
DESK = dict(width=1100, height=900)
SMALLEST = 12.0
CONTRAST = 4.5
# Coordinates are written in hundredths of a pixel.
PIXEL = 0.011
NO_CONTROL = "no control on it"


class Failed(Exception):
    """A check that does not hold, and what was seen instead."""


def hold(condition, *seen):
    if not condition:
        raise Failed(" ".join(str(one) for one in seen)[:1000])


# Every text that is shown: its words, its size on the screen, its box, its colour and what lies behind it.
TEXTS = """
const shown = [];
const rgb = (colour) => colour.match(/[\\d.]+/g).map(Number);
const ground = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const colour = rgb(getComputedStyle(at).backgroundColor);
    if (colour.length === 3 || colour[3] === 1) return colour.slice(0, 3);
  }
  const paper = element.ownerSVGElement && element.ownerSVGElement.querySelector(".paper");
  return paper ? rgb(getComputedStyle(paper).fill) : [255, 255, 255];
};
const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const element = node.parentElement;
  if (!node.data.trim() || element.closest("script, style, title, desc, head")) continue;
  const range = document.createRange();
  range.selectNodeContents(node);
  const box = (element.closest("svg") ? element : range).getBoundingClientRect();
  if (!box.width || !element.checkVisibility()) continue;
  const style = getComputedStyle(element);
  const drawn = element.ownerSVGElement;
  const scale = drawn ? element.getScreenCTM().a || 1 : 1;
  const turned = drawn && element.hasAttribute("transform");
  shown.push({
    text: node.data.trim().slice(0, 60),
    size: parseFloat(style.fontSize) * (turned ? 1 : scale),
    colour: rgb(drawn ? style.fill : style.color).slice(0, 3),
    ground: ground(element),
    drawing: drawn ? [...document.querySelectorAll("svg")].indexOf(drawn) : null,
    turned,
    box: [box.left, box.top, box.right, box.bottom],
  });
}
return shown;
"""


def luminance(colour):
    channels = [one / 255 for one in colour]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def numbers(path):
    """The coordinates of a path of straight lines."""
    spaced = path.replace("M", " ").replace("L", " ").replace("Z", "").split()
    return list(zip(map(float, spaced[::2]), map(float, spaced[1::2])))


def formula(bands, rows, distinct):
    """How likely a share t of agreeing functions makes a candidate; of n distinct ones where n is given."""
    def probability(t):
        band = t**rows
        if distinct:
            band = math.prod(max(0, distinct * t - i) / (distinct - i) for i in range(rows))
        return 1 - (1 - band) ** bands

    return probability


def curves(page):
    """The curve and both areas of each drawing of the first control, with the edges of its plot."""
    return page.script("""
      return [...document.querySelector(".control").querySelectorAll("svg")].map((svg) => ({
        plot: svg.dataset.plot.split(" ").map(Number),
        curve: svg.querySelector('[data-series="0"]').getAttribute("d"),
        under: svg.querySelector('[data-area="0"]').getAttribute("d"),
        over: svg.querySelector('[data-area="1"]').getAttribute("d"),
        markers: [...svg.querySelectorAll("[data-marker]")].map((path) => path.getAttribute("d")),
      }));
    """)


def values(page):
    return page.script("""
      const control = document.querySelector(".control");
      return Object.fromEntries([...control.querySelectorAll("[data-value]")].map((one) => [one.dataset.value, one.textContent]));
    """)


def has_control(page):
    return page.script('return document.querySelector(".control") !== null')


def expect_curve(page, bands, rows, threshold):
    """Fails unless curve, areas, markers and numbers are those of the formula."""
    distinct = page.script('return +document.querySelector(".control").dataset.distinct || 0')
    probability = formula(bands, rows, distinct)
    for drawing in curves(page):
        left, right, top, bottom = drawing["plot"]
        across = lambda t: left + t * (right - left)
        height = lambda t: bottom - probability(t) * (bottom - top)
        points = numbers(drawing["curve"])
        hold(len(points) > 100, "the curve has", len(points), "points")
        for x, y in points:
            t = (x - left) / (right - left)
            slope = abs(height(min(t + 0.001, 1)) - height(max(t - 0.001, 0)))
            hold(abs(y - height(t)) <= PIXEL + slope * 0.05, f"at t = {t:.4f} the curve is at {y}, not {height(t)}")
        hold(points[0][0] == left and points[-1][0] == right, "the curve does not reach from edge to edge")
        under, over = numbers(drawing["under"]), numbers(drawing["over"])
        for x, y in under[:-2]:
            hold(x <= across(threshold) + PIXEL, "the false positives reach beyond the threshold, to", x)
        for x, y in over[:-2]:
            hold(x >= across(threshold) - PIXEL, "the false negatives begin before the threshold, at", x)
        hold({y for _, y in under[-2:]} == {bottom} and {y for _, y in over[-2:]} == {top}, "the areas do not close")
        at = [float(path[1:].split()[0]) for path in drawing["markers"]]
        rule = (1 / bands) ** (1 / rows)
        hold(abs(at[0] - across(threshold)) <= PIXEL, "the marker of the threshold is at", at[0])
        hold(abs(at[1] - across(rule)) <= PIXEL, "the marker of (1/b)^(1/r) is at", at[1])
    said = values(page)
    steps = 20000
    integral = lambda a, b: sum(probability(a + (b - a) * (i + 0.5) / steps) for i in range(steps)) * (b - a) / steps
    expected = {
        "functions": bands * rows,
        "rule": (1 / bands) ** (1 / rows),
        "at": probability(threshold),
        "positives": integral(0, threshold),
        "negatives": 1 - threshold - integral(threshold, 1),
    }
    for name, value in expected.items():
        hold(abs(float(said[name]) - value) <= 0.000051, f"{name} is {said[name]}, not {value:.5f}")


def control_moves_the_curve(page, path):
    """the control moved, the curve is that of the formula"""
    page.size(**DESK)
    page.open(path)
    if not has_control(page):
        return NO_CONTROL
    now = page.script('const d = document.querySelector(".control").dataset; return [+d.bands, +d.rows, +d.threshold]')
    expect_curve(page, *now)
    written = curves(page)
    page.script("""document.querySelector('.control input[data-name="rows"]').dispatchEvent(new Event("input", { bubbles: true }))""")
    for before, after in zip(written, curves(page)):
        other = [part for part in before if before[part] != after[part]]
        hold(not other, "the script draws otherwise than the page was written:", [(before[one], after[one]) for one in other])

    right, home, end, clear = "\ue014", "\ue011", "\ue010", "\ue010" + "\ue003" * 12
    slider = lambda name: f'.control input[type="range"][data-name="{name}"]'
    number = lambda name: f'.control input[type="number"][data-name="{name}"]'
    page.type(slider("bands"), home + right * 4)
    expect_curve(page, 5, now[1], now[2])
    hold(curves(page) != written, "the curve has not changed")
    page.type(number("rows"), clear + "2")
    expect_curve(page, 5, 2, now[2])
    page.type(number("threshold"), clear + "0.8")
    expect_curve(page, 5, 2, 0.8)
    for wrong in ["0", "-3", "2.5"]:
        page.type(number("rows"), clear + wrong)
        # The curve of the last right number stays; on the way to 2.5 stands 2.
        expect_curve(page, 5, 2, 0.8)
    page.type(slider("threshold"), end)
    expect_curve(page, 5, 2, 1.0)
    page.type(slider("threshold"), home)
    expect_curve(page, 5, 2, 0.0)
    return "moved by keys seven times"


def works_without_scripts(page, path):
    """without scripts there is the curve, and no control that does nothing"""
    page.size(**DESK)
    page.scripts(allowed=False)
    page.open(path)
    if not has_control(page):
        return NO_CONTROL
    hold(page.script('return document.querySelector(".control form").hidden'), "the inputs are shown")
    now = page.script('const d = document.querySelector(".control").dataset; return [+d.bands, +d.rows, +d.threshold]')
    expect_curve(page, *now)


def says_nothing_to_the_console(page, path):
    """no error or warning on the console"""
    page.size(**DESK)
    page.open(path)
    if has_control(page):
        page.type('.control input[type="range"][data-name="bands"]', "\ue014\ue014")
    seen = page.messages("browser")
    hold(seen == [], seen)


def requests(page):
    """The addresses that a page of files has asked for, without what its own policy has refused."""
    asked = {}
    for entry in page.messages("performance"):
        message = json.loads(entry["message"])["message"]
        about = message["params"]
        if message["method"] == "Network.requestWillBeSent" and about["documentURL"].startswith("file:"):
            asked[about["requestId"]] = about["request"]["url"]
        if message["method"] == "Network.loadingFailed" and about.get("blockedReason") == "csp":
            asked.pop(about["requestId"], None)
    return list(asked.values())


def asks_for_nothing(page, path):
    """no request leaves the page"""
    page.messages("performance")
    page.open(path)
    if path.suffix != ".svg" and has_control(page):
        page.type('.control input[type="range"][data-name="bands"]', "\ue014")
    own = "file://" + str(path.resolve())
    asked = requests(page)
    hold(asked == [own], "asked for", asked)
    loaded = page.script('return performance.getEntriesByType("resource").map((entry) => entry.name)')
    hold(loaded == [], "loaded", loaded)


def forbids_what_is_put_in(page, path):
    """an image, a script or a request that was put in is refused"""
    page.open(path)
    page.messages("performance")
    blocked = page.script("""
      const blocked = [];
      document.addEventListener("securitypolicyviolation", (event) => blocked.push(event.effectiveDirective));
      const image = new Image();
      image.src = "http://127.0.0.1:9/x.png";
      document.body.append(image);
      const script = document.createElement("script");
      script.textContent = "window.reached = true";
      document.body.append(script);
      const button = document.createElement("button");
      button.setAttribute("onclick", "window.reached = true");
      document.body.append(button);
      button.click();
      return fetch("http://127.0.0.1:9/").catch(() => 0)
        .then(() => new Promise((done) => setTimeout(done, 200)))
        .then(() => [blocked.sort(), window.reached === true]);
    """)
    expected = ["connect-src", "img-src", "script-src-attr", "script-src-elem"]
    hold(blocked == [expected, False], blocked)
    sent = [one for one in requests(page) if not one.startswith("file:")]
    hold(sent == [], "asked for", sent)


def fits_a_phone(page, path):
    """390 pixels wide: nothing to scroll sideways, nothing too small or outside"""
    page.size(**PHONE)
    page.open(path)
    width = page.script("return [document.documentElement.scrollWidth, innerWidth]")
    hold(width == [390, 390], "the page is", width)
    # Readers have other fonts, and wider ones.
    page.script("document.body.style.fontFamily = 'DejaVu Sans'")
    width = page.script("return [document.documentElement.scrollWidth, innerWidth]")
    hold(width == [390, 390], "in a wide font the page is", width)
    page.script("document.body.style.fontFamily = ''")
    texts = page.script(TEXTS)
    small = [one for one in texts if one["size"] < SMALLEST]
    hold(not small, "too small:", [(one["text"], one["size"]) for one in small])
    outside = page.script("""
      const wide = [];
      for (const one of document.body.querySelectorAll("*")) {
        const box = one.getBoundingClientRect();
        if (box.right > 390.5 && !one.closest(".scroll table") && !one.closest("svg")) wide.push(one.outerHTML.slice(0, 80));
      }
      return wide;
    """)
    hold(not outside, "beyond the edge:", outside)
    if has_control(page):
        touch = page.script("return Math.min(...[...document.querySelectorAll('.control input')].map((one) => one.getBoundingClientRect().height))")
        hold(touch >= 24, "an input is only", touch, "pixels high")
    return f"{len(texts)} texts, the smallest {min(one['size'] for one in texts):.0f} px"


def inside(page):
    """The texts of drawings that stick out of them or lie on one another."""
    boxes = page.script("return [...document.querySelectorAll('svg')].map((svg) => { const b = svg.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; })")
    texts = [one for one in page.script(TEXTS) if one["drawing"] is not None]
    wrong = []
    for one in texts:
        left, top, right, bottom = boxes[one["drawing"]]
        a = one["box"]
        if a[0] < left - 1 or a[1] < top - 1 or a[2] > right + 1 or a[3] > bottom + 1:
            wrong.append(f"{one['text']!r} sticks out of its drawing")
    for i, one in enumerate(texts):
        for other in texts[:i]:
            if one["drawing"] != other["drawing"] or one["turned"] or other["turned"]:
                continue
            a, b = one["box"], other["box"]
            if min(a[2], b[2]) - max(a[0], b[0]) > 1 and min(a[3], b[3]) - max(a[1], b[1]) > 3:
                wrong.append(f"{other['text']!r} and {one['text']!r} lie on one another")
    return wrong


def labels_have_room(page, path):
    """no label of a chart sticks out or lies on another, wide or narrow"""
    for size in (DESK, PHONE):
        page.size(**size)
        page.open(path)
        wrong = inside(page)
        hold(not wrong, wrong)


def can_be_read(page, path):
    """light, dark and printed: every text has a contrast of 4.5 or more"""
    worst = []
    grounds = set()
    for scheme, medium in (("light", ""), ("dark", ""), ("dark", "print")):
        page.media(scheme, medium)
        page.size(**DESK)
        page.open(path)
        texts = page.script(TEXTS)
        faint = [(one["text"], round(contrast(one["colour"], one["ground"]), 2)) for one in texts]
        faint.sort(key=lambda one: one[1])
        hold(faint[0][1] >= CONTRAST, f"{scheme} {medium}:", [one for one in faint if one[1] < CONTRAST][:5])
        worst.append(f"{scheme} {medium}".strip() + f" {faint[0][1]}")
        grounds.add(luminance(texts[0]["ground"]) > 0.5)
        if medium == "print":
            hold(luminance(texts[0]["ground"]) > 0.9, "paper is printed dark")
    hold(grounds == {True, False}, "light and dark have the same ground")
    return ", ".join(worst)


SHEETS = 20
"""The most that a page of the command may take on paper."""


def can_be_printed(page, path):
    """printing gives a PDF of as many pages as it is long, with the controls left out"""
    page.open(path, unfold=False)
    pdf = page.pdf()
    hold(pdf.startswith(b"%PDF-") and b"%%EOF" in pdf[-32:], "this is no PDF:", pdf[:16])
    pages = pdf.count(b"/Type /Page\n") or pdf.count(b"/Type/Page/") or pdf.count(b"/Type /Page")
    page.media("light", "print")
    shown = page.script("return [...document.querySelectorAll('form, nav')].filter((one) => one.checkVisibility()).length")
    hold(shown == 0, shown, "controls are printed")
    # A4 less its margins: what is wider would be cut off.
    page.size(width=680, height=960)
    wide, high = page.script("const root = document.documentElement; return [root.scrollWidth, root.scrollHeight]")
    hold(wide <= 680, "the print is", wide, "pixels wide")
    # What must not be broken leaves some sheets half empty.
    hold(1 <= pages <= 3 + 2 * high / 960, pages, "pages for", high, "pixels")
    hold(pages <= SHEETS, pages, "pages, which nobody prints")
    return f"{pages} pages, {len(pdf) // 1000} kB"


def is_a_drawing(page, path):
    """a file of its own: well-formed, with a title and a text"""
    page.open(path)
    seen = page.script("""
      const root = document.documentElement;
      const named = (root.getAttribute("aria-labelledby") || "").split(" ").map((id) => document.getElementById(id));
      return [root.localName, document.querySelector("parsererror") === null, named.every((one) => one && one.textContent.length > 3)];
    """)
    hold(seen == ["svg", True, True], seen)
    wrong = inside(page)
    hold(not wrong, wrong)


PAGE = [
    control_moves_the_curve,
    works_without_scripts,
    says_nothing_to_the_console,
    asks_for_nothing,
    forbids_what_is_put_in,
    fits_a_phone,
    labels_have_room,
    can_be_read,
    can_be_printed,
]
DRAWING = [is_a_drawing, asks_for_nothing, can_be_read]
