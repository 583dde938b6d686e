"""The forms in which editors, word processors, shells and variables leave a PEM file."""

from __future__ import annotations

import base64
import json
import urllib.parse

BOM = b"\xef\xbb\xbf"


def forms(pem: bytes) -> dict[str, bytes]:
    """One PEM block in many forms, by a name for each."""
    text = pem.decode()
    first, *body, last = text.splitlines()
    lines = [first, *body, last]
    return {
        "as it is": pem,
        "CR LF": pem.replace(b"\n", b"\r\n"),
        "CR": pem.replace(b"\n", b"\r"),
        "BOM": BOM + pem,
        "BOM and CR LF": BOM + pem.replace(b"\n", b"\r\n"),
        "literal line breaks": text.replace("\n", "\\n").encode(),
        "literal Windows line breaks": text.replace("\n", "\\r\\n").encode(),
        "literal line breaks, escaped again": text.replace("\n", "\\\\n").encode(),
        "literal line breaks, escaped twice more": text.replace("\n", "\\\\\\\\n").encode(),
        "escaped slashes": text.replace("/", "\\/").encode(),
        "escaped slashes and line breaks": text.replace("/", "\\/").replace("\n", "\\n").encode(),
        "a JSON document": json.dumps({"id": "ABC123DEFG", "key": text}).encode(),
        "a JSON document in JSON": json.dumps(json.dumps({"key": text})).encode(),
        "a JSON document of .NET": json.dumps({"key": text}).replace("+", "\\u002B").replace("/", "\\u002F").encode(),
        "line breaks as numbers": text.replace("\n", "\\u000a").encode(),
        "literal line breaks at the ends": f"{first}\\n{''.join(body)}\\n{last}".encode(),
        "a JSON string": f'"{text}"'.replace("\n", "\\n").encode(),
        "double quotes": f'"{text.strip()}"'.encode(),
        "single quotes": f"'{text.strip()}'".encode(),
        "typographic quotes": f"“{text.strip()}”".encode(),
        "quotes on lines of their own": f'"\n{text}"\n'.encode(),
        "no line breaks": "".join(lines).encode(),
        "spaces for line breaks": " ".join(lines).encode(),
        "tabs for line breaks": "\t".join(lines).encode(),
        "vertical tabs for line breaks": "\x0b".join(lines).encode(),
        "U+2028 for line breaks": "\u2028".join(lines).encode(),
        "spaces in the body": f"{first}\n{' '.join(body)}\n{last}\n".encode(),
        "one line of base64": f"{first}\n{''.join(body)}\n{last}\n".encode(),
        "blank lines": "\n\n".join(lines).encode(),
        "indented": "".join(f"    {line}\n" for line in lines).encode(),
        "trailing spaces": "".join(f"{line}   \n" for line in lines).encode(),
        "no last line break": text.strip().encode(),
        "text around": f"Bag Attributes\n    friendlyName: x\n{text}bye\n".encode(),
        "no-break spaces": text.replace("\n", "\u00a0\n").encode(),
        "a zero-width space first": f"\u200b{text}".encode(),
        "underscores for line breaks": "_".join(lines).encode(),
        "without BEGIN": "\n".join(lines[1:]).encode(),
        "without END": "\n".join(lines[:-1]).encode(),
        "cut in the middle": pem[: len(pem) // 2],
        "dashes for hyphens": text.replace("-----", "—–—–").encode(),
        "four hyphens": text.replace("-----", "----").encode(),
        "in small letters": text.replace(first, first.lower()).encode(),
        "UTF-16": text.encode("utf-16"),
        "UTF-16 without a mark": text.encode("utf-16-le"),
        "UTF-16 of another byte order": text.encode("utf-16-be"),
        "UTF-32": text.encode("utf-32"),
        "UTF-32 without a mark": text.encode("utf-32-le"),
        "UTF-32 of another byte order": text.encode("utf-32-be"),
        "RTF": ("{\\rtf1\\ansi\n" + text.replace("\n", "\\\n") + "}").encode(),
        "base64 of it": base64.b64encode(pem),
        "its base64 alone": "\n".join(body).encode(),
        "quoted in a mail": "".join(f"> {line}\n" for line in lines).encode(),
        "quoted line by line in PHP": "".join(f'"{line}\\n" .\r\n' for line in lines).encode(),
        "quoted line by line in C": "".join(f'    "{line}\\n"\n' for line in lines).rstrip().encode() + b";\n",
        "quoted line by line": "".join(f'"{line}\\n" +\n' for line in lines).encode(),
        # In front, since a hyphen behind the data is the end of it for OpenSSL, and some keys have no + and no /.
        "base64url": f"{first}\n__--{''.join(body).replace('+', '-').replace('/', '_')}\n{last}\n".encode(),
        "percent-encoded": urllib.parse.quote(text).encode(),
        "nothing": b"",
        "blanks": b" \r\n\r\n",
    }


# What is said of the forms that nobody reads: the words, and those of the cure.
DAMAGE = {
    name: ("\\n, a backslash and a letter", "awk '")
    for name in (
        "literal line breaks",
        "literal Windows line breaks",
        "literal line breaks at the ends",
        "literal line breaks, escaped again",
        "literal line breaks, escaped twice more",
        "a JSON string",
        "a JSON document",
        "a JSON document in JSON",
        "a JSON document of .NET",
        "escaped slashes and line breaks",
        "quoted line by line",
        "quoted line by line in PHP",
        "quoted line by line in C",
    )
} | {
    "escaped slashes": ("has backslashes, as text of JSON has before a slash", "awk '"),
    "line breaks as numbers": ("has backslashes, as text of JSON has before a slash", "awk '"),
    "underscores for line breaks": ('it has the character "_"', ""),
    "without BEGIN": ("has an END line without a BEGIN line before it", ""),
    "without END": ("is cut off", ""),
    "cut in the middle": ("is cut off", ""),
    "dashes for hyphens": ("its BEGIN line is not -----BEGIN", "word processors"),
    "four hyphens": ("its BEGIN line is not -----BEGIN", "five hyphens"),
    "in small letters": ("has an END line without a BEGIN line before it", ""),
    "UTF-16": ("UTF-16", "iconv -f UTF-16 -t UTF-8"),
    "UTF-16 without a mark": ("UTF-16", "iconv -f UTF-16LE -t UTF-8"),
    "UTF-16 of another byte order": ("UTF-16", "iconv -f UTF-16BE -t UTF-8"),
    "UTF-32": ("UTF-32", "iconv -f UTF-32 -t UTF-8"),
    "UTF-32 without a mark": ("UTF-32", "iconv -f UTF-32LE -t UTF-8"),
    "UTF-32 of another byte order": ("UTF-32", "iconv -f UTF-32BE -t UTF-8"),
    "RTF": ("RTF", "plain text"),
    "base64 of it": ("is PEM in base64", "base64 -d"),
    "its base64 alone": ("base64 without a BEGIN and an END line", "base64 -d"),
    "quoted in a mail": ('it has the character ">"', ""),
    "base64url": ('it has the character "', ""),
    "percent-encoded": ("percent-encoded", ""),
    "nothing": ("is empty", ""),
    "blanks": ("is empty", ""),
}
# Read by Mynah, which is no reason to refuse them, but not by the others.
ONLY_HERE = {"blank lines"}
