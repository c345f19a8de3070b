"""The extraction page in a browser: open it, select in it with keys or the mouse, and see what came of it."""

from __future__ import annotations

from otherwords.project import open_project
from otherwords.records import Document, Pair
from tests.annotate.reading import row
from tests.browser.conftest import Page, Served, Visit, until
from tests.browser.ledger import pairs

SAVED = '#saved[data-state="saved"]'
SCREENS = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}},
    "zoomed to 200 %": {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2},
}
# Where to drag for a passage, after it was scrolled to.
DRAG = """([id, text]) => {
  const element = document.getElementById(id), node = element.firstChild, start = node.data.indexOf(text);
  const [range, frame] = [document.createRange(), element.getBoundingClientRect()];
  range.setStart(node, start); range.setEnd(node, start + text.length);
  const { top, bottom } = range.getBoundingClientRect();
  if (top < frame.top || bottom > frame.bottom) element.scrollTop += top - frame.top - frame.height / 3;
  element.closest(".columns").scrollIntoView({ block: "nearest" });
  const boxes = [[start, start + 1], [start + text.length - 1, start + text.length]].map(([from, to]) => {
    const range = document.createRange();
    range.setStart(node, from); range.setEnd(node, to);
    return range.getBoundingClientRect();
  });
  const middle = (box) => box.top + box.height / 2;
  return [boxes[0].left + 0.5, middle(boxes[0]), boxes[1].right - 0.5, middle(boxes[1])];
}"""


def open_page(visit: Visit, name: str, document_pair: str, **options: object) -> Page:
    page = visit(name, f"/extract/{document_pair}", **options)
    page.wait_for_function("() => document.getElementById('text2').textContent !== ''")
    return page


def extracted(served: Served) -> list[tuple[str, str]]:
    """The texts of the pairs in the ledger, each of which is exactly what its documents have there."""
    stored: list[Pair] = pairs(served.folder, "extract")
    with open_project(served.folder) as project:
        for pair in stored:
            for passage, text in ((pair.doc1, pair.text1), (pair.doc2, pair.text2)):
                assert passage is not None
                assert row(project, Document, passage.id)["text"][passage.start : passage.end] == text
    return [(pair.text1, pair.text2) for pair in stored]


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def chosen(page: Page) -> tuple[str, str]:
    return page.locator("#chosen1").text_content() or "", page.locator("#chosen2").text_content() or ""


def chooses(page: Page, text1: str, text2: str) -> None:
    until(lambda: chosen(page) == (text1, text2))


def tab_to(page: Page, name: str) -> None:
    """Go to an element with the Tab key, as somebody without a mouse does."""
    for _ in range(40):
        if page.evaluate("document.activeElement.id") == name:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not reach {name}")


def drag(page: Page, side: str, text: str) -> None:
    left, top, right, bottom = page.evaluate(DRAG, [side, text])
    page.mouse.move(left, top)
    page.mouse.down()
    page.mouse.move((left + right) / 2, (top + bottom) / 2, steps=3)
    page.mouse.move(right, bottom, steps=3)
    page.mouse.up()


def selections_are_seen(page: Page) -> bool:
    """Whether the beginning of what is selected is on the screen in both texts, with nothing over it."""
    seen = """() => [...CSS.highlights.get("chosen")].filter((range) => {
      const first = document.createRange();
      first.setStart(range.startContainer, range.startOffset);
      first.setEnd(range.startContainer, range.startOffset + 1);
      const box = first.getBoundingClientRect();
      const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
      return top === range.startContainer.parentElement;
    }).length === 2"""
    return bool(page.evaluate(seen))


def is_seen(page: Page, selector: str) -> bool:
    """Whether an element is on the screen and nothing lies over it."""
    seen = """(selector) => {
      const element = document.querySelector(selector), box = element.getBoundingClientRect();
      const top = document.elementFromPoint(box.left + box.width / 2, box.top + Math.min(box.height / 2, 8));
      return box.height > 0 && box.bottom <= innerHeight && element.contains(top);
    }"""
    return bool(page.evaluate(seen, selector))
