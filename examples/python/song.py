"""Lyrics, and a song that sings them, followed by server-sent events. Standard library only."""

import json
import os
import urllib.request
import uuid

URL = os.environ.get("GENWAY_URL", "http://127.0.0.1:8787")
KEY = os.environ.get("GENWAY_KEY")


def ask(method, path, body=None, headers=None):
    shown = {"Content-Type": "application/json", **(headers or {})}
    if KEY:
        shown["Authorization"] = f"Bearer {KEY}"
    data = None if body is None else json.dumps(body).encode()
    return urllib.request.urlopen(urllib.request.Request(URL + path, data, shown, method=method), timeout=60)


def create(path, body):
    """Accepts a task. With its own key, the same request sent again makes no second one."""
    with ask("POST", path, body, {"Idempotency-Key": str(uuid.uuid4())}) as reply:
        return json.load(reply)["data"]


def follow(task_id):
    """Yields the task as it is now, then each change, up to its end."""
    with ask("GET", f"/v1/tasks/{task_id}/events") as stream:
        for line in stream:
            if line.startswith(b"data: "):
                yield json.loads(line[len(b"data: "):])


def wait(task_id):
    task = None
    for task in follow(task_id):
        print(f"{task['kind']}: {task['status']} {task['progress']} %")
    if task is None or task["status"] != "SUCCESS":
        raise SystemExit(task["error"]["message"] if task else "The stream broke off.")
    return task


lyrics = wait(create("/musicA/submit/lyrics", {"prompt": "the first snow in the city"}))["result"]
print(lyrics["title"])

song = wait(create("/musicA/submit/music", {"prompt": lyrics["text"], "title": lyrics["title"], "tags": "folk, slow, piano"}))
for number, made in enumerate(song["result"]["songs"], start=1):
    name = f"snow-{number}.mp3"
    urllib.request.urlretrieve(made["audio_url"], name)
    print(f"{name}: {os.path.getsize(name)} bytes")
print(f"Done for {song['cost_usd']} USD.")
