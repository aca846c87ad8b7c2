"""The compressed form: keys "class;text" and below them the bounds and the children."""

import json
from xml.etree import ElementTree


class UIXMLTree:
    def process(self, xml, level=1, str_type="json"):
        tree = {"page": self._children(ElementTree.fromstring(xml))}
        return json.dumps(tree) if str_type == "json" else str(tree)

    def _children(self, node):
        told = {}
        for number, child in enumerate(node):
            attributes = child.attrib
            key = (
                f"[{number}] {attributes['class']} ;{attributes['checked']};"
                f"{attributes['resource-id']};{attributes['text']}"
            )
            told[key] = {"bounds": attributes["bounds"], **self._children(child)}
        return told
