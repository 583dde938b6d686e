"""Random regular expressions of the supported subset, each beside the same one in the syntax of Google's RE2."""

from __future__ import annotations

import random
from dataclasses import dataclass

import re2

# What Unicode calls the ends of a line, and the classes that backslashes name; RE2's own know only ASCII.
ANY_BUT_LINE_END = r"[^\n\v\f\r\x{85}\x{2028}\x{2029}]"
CLASSES = {
    r"\d": r"\p{Nd}",
    r"\w": r"\p{L}\p{M}\p{N}\p{Pc}",
    r"\s": r"\p{Z}\t\n\v\f\r\x{85}",
}
LETTERS = "abcABC01_ -/.é\n😀"
ASCII_LETTERS = "".join(letter for letter in LETTERS if letter.isascii())
# In both syntaxes these stand for something else, or escape nothing.
ESCAPED = set(".-/ ")
DEPTH_MAX = 3
TEXT_LENGTH_MAX = 8


@dataclass(frozen=True)
class Pattern:
    """One regular expression in Mynah's syntax and in that of RE2."""

    mynah: str
    re2: str

    def matches(self, text: str) -> bool:
        return re2.search(self.re2, text) is not None


class Patterns:
    """Makes patterns and texts, the same ones from the same seed.

    RE2's `\\b` knows the letters of ASCII alone. A maker of ASCII makes it, and only such texts.
    """

    def __init__(self, seed: int, *, is_ascii: bool) -> None:
        self.choices = random.Random(seed)
        self.is_ascii = is_ascii
        self.letters = ASCII_LETTERS if is_ascii else LETTERS

    def text(self) -> str:
        return "".join(self.choices.choices(self.letters, k=self.choices.randint(0, TEXT_LENGTH_MAX)))

    def pattern(self) -> Pattern:
        made = self._alternatives(0)
        return Pattern("(?i)" + made.mynah, "(?i)" + made.re2) if self.choices.random() < 0.2 else made

    def _alternatives(self, depth: int) -> Pattern:
        parts = [self._sequence(depth) for _ in range(self.choices.choice([1, 1, 1, 2, 3]))]
        return Pattern("|".join(part.mynah for part in parts), "|".join(part.re2 for part in parts))

    def _sequence(self, depth: int) -> Pattern:
        parts = [self._repeated(depth) for _ in range(self.choices.randint(0 if depth else 1, 3))]
        return Pattern("".join(part.mynah for part in parts), "".join(part.re2 for part in parts))

    def _repeated(self, depth: int) -> Pattern:
        if self.choices.random() < 0.15:
            return self._place()
        atom = self._atom(depth)
        quantifiers = [("", "")] * 4 + [
            ("*", "*"),
            ("+", "+"),
            ("?", "?"),
            ("*?", "*?"),
            ("{2}", "{2}"),
            ("{,2}", "{0,2}"),
            ("{1,3}?", "{1,3}?"),
            ("{2,}", "{2,}"),
        ]
        mynah, other = self.choices.choice(quantifiers)
        return Pattern(atom.mynah + mynah, atom.re2 + other)

    def _place(self) -> Pattern:
        places = ["^", "$"] + ([r"\b", r"\B"] if self.is_ascii else [])
        place = self.choices.choice(places)
        # A text has one beginning and one end, whatever ends of lines are in it.
        return Pattern(place, {"^": r"\A", "$": r"\z"}.get(place, place))

    def _atom(self, depth: int) -> Pattern:
        if depth < DEPTH_MAX and self.choices.random() < 0.25:
            inner = self._alternatives(depth + 1)
            opening = self.choices.choice(["(", "(?:"])
            return Pattern(f"{opening}{inner.mynah})", f"{opening}{inner.re2})")
        kind = self.choices.random()
        if kind < 0.55:
            return self._letter()
        if kind < 0.65:
            return Pattern(".", ANY_BUT_LINE_END)
        if kind < 0.8:
            name = self.choices.choice(list(CLASSES))
            if self.choices.random() < 0.5:
                return Pattern(name, f"[{CLASSES[name]}]")
            return Pattern(name.upper(), f"[^{CLASSES[name]}]")
        return self._class()

    def _letter(self) -> Pattern:
        letter = self.choices.choice(self.letters)
        code = f"\\x{{{ord(letter):x}}}"
        forms = [code, f"\\u{{{ord(letter):X}}}"]
        if ord(letter) < 0x100:
            forms.append(f"\\x{ord(letter):02x}")
        if letter in ESCAPED:
            forms.append("\\" + letter)
        elif letter != "\n":
            forms += [letter] * 4
        else:
            forms.append(r"\n")
        return Pattern(self.choices.choice(forms), code)

    def _class(self) -> Pattern:
        mynah, other = "", ""
        for _ in range(self.choices.randint(1, 3)):
            if self.choices.random() < 0.2:
                name = self.choices.choice(list(CLASSES))
                mynah += name
                other += CLASSES[name]
            elif self.choices.random() < 0.3:
                low, high = sorted(self.choices.sample("abcdxyz", 2))
                mynah += f"{low}-{high}"
                other += f"{low}-{high}"
            else:
                letter = self._letter()
                mynah += letter.mynah
                other += letter.re2
        negation = self.choices.choice(["", "", "^"])
        return Pattern(f"[{negation}{mynah}]", f"[{negation}{other}]")
