"""A picture, and what went wrong where it did. Standard library only."""

import json
import os
import urllib.error
import urllib.request

URL = os.environ.get("GENWAY_URL", "http://127.0.0.1:8787")
KEY = os.environ.get("GENWAY_KEY")


def generate(wish):
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {KEY}"} if KEY else {})}
    request = urllib.request.Request(f"{URL}/v1/images/generations", json.dumps(wish).encode(), headers)
    with urllib.request.urlopen(request, timeout=300) as reply:
        return json.load(reply), reply.headers["x-genway-cost"]


try:
    images, cost = generate({"prompt": "a red fox in the snow", "size": "256x256", "response_format": "url"})
    urllib.request.urlretrieve(images["data"][0]["url"], "fox.png")
    print(f"fox.png: {os.path.getsize('fox.png')} bytes for {cost} USD")
    generate({"prompt": " "})
except urllib.error.HTTPError as refused:
    error = json.load(refused)["error"]
    print(f"{refused.code} {error['code']}: {error['message']}")
