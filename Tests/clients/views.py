"""What the tests of the page's views look at beside what the server knows."""

from __future__ import annotations

from browser import Tab

# What lies in something that scrolls by itself, or is hidden from eyes, may be anywhere.
PARTS_BEYOND_SCREEN = """() => [...document.querySelectorAll("main *")]
    .filter((element) => element.checkVisibility() && !element.closest(".table-wrap, pre, .v-stack, .visually-hidden"))
    .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
    .map((element) => element.cloneNode(false).outerHTML)"""


def parts_beyond_screen(tab: Tab) -> list[str]:
    """Parts of the view whose right side lies outside of the window, where nobody sees it."""
    found: list[str] = tab.page.evaluate(PARTS_BEYOND_SCREEN)
    return found


def pale_texts(tab: Tab) -> list[str]:
    """Texts that are hard to read; the letter on an app's icon is a picture."""
    return [text for text in tab.pale_texts() if "(v-icon" not in text]
