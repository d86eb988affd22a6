"""Sessions of Anthropic's client for Python with a model that thinks between calls of a tool."""

import json
import sys

from anthropic import Anthropic

ASKED = json.load(sys.stdin)
CLIENT = Anthropic(base_url=ASKED["url"], api_key=ASKED["key"], max_retries=0)
TOOLS = [{"name": "look", "description": "Looks.", "input_schema": {"type": "object"}}]


def create(**asked):
    return CLIENT.messages.create(**asked)


def stream(**asked):
    with CLIENT.messages.stream(**asked) as events:
        return events.get_final_message()


def session(model, call):
    messages, rounds = [{"role": "user", "content": "Look around."}], []
    while True:
        answer = call(
            model=model, max_tokens=4_000, messages=messages, tools=TOOLS, thinking={"type": "adaptive"}
        )
        messages.append({"role": "assistant", "content": answer.content})
        rounds.append(" ".join(block.type for block in answer.content))
        calls = [block for block in answer.content if block.type == "tool_use"]
        if not calls:
            return {"rounds": rounds, "said": answer.content[-1].text}
        results = [{"type": "tool_result", "tool_use_id": one.id, "content": "a wall"} for one in calls]
        messages.append({"role": "user", "content": results})


def outcome(model, call):
    try:
        return session(model, call)
    except Exception as thrown:
        return {"failed": f"{type(thrown).__name__}: {thrown}"[:300]}


print(
    json.dumps(
        {
            f"python {model}{suffix}": outcome(model, call)
            for model in ASKED["models"]
            for suffix, call in (("", create), (" streamed", stream))
        }
    )
)
