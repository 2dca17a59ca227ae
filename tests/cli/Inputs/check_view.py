"""What a page of acre view holds: its data, and that nothing of it ends the script or is fetched.

usage: check_view.py PAGE
"""

import json
import re
import sys

page = open(sys.argv[1], encoding="utf-8").read()
scripts = re.findall(r"<script[^>]*>(.*?)</script>", page, re.S)
assert len(scripts) == 2, len(scripts)
assert not re.search(r'(src|href)="(?!#)', page), "something is fetched"
assert "default-src 'none'" in page
data = json.loads(scripts[0])
shown = data["snapshots"][-1]
for region in shown["regions"]:
    print("region", region["label"], region["bytes"], region["growth"])
    for each in region["referrers"]:
        print("  why", each["count"], each["what"], each["from"])
for site in data["sites"]:
    print("site", site["type"], site["count"], site["growth"])
print("timeline", len(data["timeline"]), [band["label"] for band in data["bands"]])
print("gone", data["gone"], data["goneBytes"])
