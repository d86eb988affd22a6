# OpenAI's client for Python: pip install openai
import os

from openai import OpenAI

client = OpenAI(
    base_url=os.environ.get("NEURON_OPENAI_URL", "http://127.0.0.1:3000/v1/acme/dialog"),
    api_key=os.environ.get("NEURON_API_KEY", "public"),
)

messages = [{"role": "user", "content": "Why is the sky blue?"}]
completion = client.chat.completions.create(model="acme/dialog", messages=messages)
print(completion.choices[0].message.content)
