"""A streamed chat with OpenAI's own client: only its address and key are ours."""

import os

try:
    from openai import OpenAI
except ImportError:
    raise SystemExit("This example needs OpenAI's client: pip install openai")

url = os.environ.get("GENWAY_URL", "http://127.0.0.1:8787")
client = OpenAI(base_url=f"{url}/v1", api_key=os.environ.get("GENWAY_KEY", "none"))

stream = client.chat.completions.create(
    model="any",
    messages=[{"role": "user", "content": "Tell me about a boat."}],
    max_tokens=40,
    stream=True,
)
for chunk in stream:
    print(chunk.choices[0].delta.content or "" if chunk.choices else "", end="")
print()
