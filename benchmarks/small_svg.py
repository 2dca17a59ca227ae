# SPDX-License-Identifier: MIT
"""Saves figures of matplotlib as small SVG that is the same whenever the data is."""

import re
import xml.etree.ElementTree as ElementTree

SVG = "{http://www.w3.org/2000/svg}"
REFERENCE = re.compile(r"#([\w-]+)")
DIGITS = re.compile(r"(\d+\.\d)\d+")
ElementTree.register_namespace("", SVG[1:-1])
ElementTree.register_namespace("xlink", "http://www.w3.org/1999/xlink")


def references(root):
    """The names that some attribute refers to."""
    return {
        name
        for element in root.iter()
        for value in element.attrib.values()
        for name in REFERENCE.findall(value)
    }


def shorten(attributes, used):
    """The attributes without names that nobody refers to, with a tenth of a point as the finest
    measure."""
    kept = {}
    for name, value in attributes.items():
        if name == "id" and value not in used:
            continue
        value = re.sub(r"font-family: [^;]*", "font-family: sans-serif", " ".join(value.split()))
        kept[name] = value if name == "id" or value.startswith("#") else DIGITS.sub(r"\1", value)
    return kept


def flatten(element):
    """Replaces each group without attributes by what it holds."""
    children = []
    for child in element:
        flatten(child)
        children += list(child) if child.tag == SVG + "g" and not child.attrib else [child]
    element[:] = children


def compact(text):
    """The same picture, an element a line."""
    root = ElementTree.fromstring(text)
    for metadata in root.findall(SVG + "metadata"):
        root.remove(metadata)
    used = references(root)
    for element in root.iter():
        kept = shorten(element.attrib, used)
        element.attrib.clear()
        element.attrib.update(kept)
        element.tail = "\n"
        element.text = (element.text or "").strip() or None
    flatten(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def save(canvas, path, **how):
    """Writes the canvas to path."""
    canvas.savefig(path, format="svg", metadata={"Date": None, "Creator": None}, **how)
    with open(path, encoding="utf-8") as file:
        text = compact(file.read())
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
