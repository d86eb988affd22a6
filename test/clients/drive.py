"""Runs cases through OpenAI's own client for Python: cases come as JSON by the name of the client, and so do their outcomes."""
import json
import sys
from concurrent.futures import ThreadPoolExecutor

import openai
from pydantic import BaseModel

PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
ASK = "Hello there my friend"
ASK_TOOLS = "weather and clock please"


class City(BaseModel):
    city: str
    degrees: float


def open_client(options):
    more = {} if "maxRetries" not in options else {"max_retries": options["maxRetries"]}
    headers = options.get("headers", {})
    return openai.OpenAI(base_url=options["baseURL"], api_key=options["apiKey"], default_headers=headers, **more)


def ask(options):
    messages = [{"role": "user", "content": options.get("ask", ASK)}]
    return {"model": options["model"], "messages": messages, **options.get("more", {})}


def text(options):
    completion = open_client(options).chat.completions.create(**ask(options))
    return {"text": completion.choices[0].message.content, "requestId": completion._request_id}


def read(options, **more):
    said, usage = "", None
    for chunk in open_client(options).chat.completions.create(**ask(options), stream=True, **more):
        said += (chunk.choices[0].delta.content or "") if chunk.choices else ""
        usage = chunk.usage.model_dump() if chunk.usage else usage
    return {"text": said, "usage": usage}


def stream(options):
    return read(options)


def stream_usage(options):
    return read(options, stream_options={"include_usage": True})


def stream_final(options):
    with open_client(options).chat.completions.stream(**ask(options)) as events:
        return {"text": events.get_final_completion().choices[0].message.content}


def tool(name):
    parameters = {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": False,
    }
    function = {"name": name, "description": f"Tells the {name}.", "parameters": parameters, "strict": True}
    return {"type": "function", "function": function}


def complete(client, **asked):
    return client.chat.completions.create(**asked)


def complete_streamed(client, **asked):
    with client.chat.completions.stream(**asked) as events:
        return events.get_final_completion()


def complete_parsed(client, **asked):
    return client.chat.completions.parse(**asked)


def tell(name, arguments):
    return f"{json.loads(arguments)['city']} {'is sunny' if name == 'weather' else 'has noon'}"


def run_tools(options, answer):
    asked, messages = [], [{"role": "user", "content": ASK_TOOLS}]
    client = open_client(options)
    while True:
        completion = answer(
            client, model=options["model"], messages=messages, tools=[tool("weather"), tool("clock")]
        )
        message = completion.choices[0].message
        if not message.tool_calls:
            return {"text": message.content, "asked": asked}
        # The SDK's own object, with all that it adds.
        messages.append(message)
        for call in message.tool_calls:
            asked.append(call.function.name)
            content = tell(call.function.name, call.function.arguments)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": content})


def respond(client, **asked):
    return client.responses.create(**asked)


def respond_streamed(client, **asked):
    with client.responses.stream(**asked) as events:
        return events.get_final_response()


def respond_parsed(client, **asked):
    return client.responses.parse(**asked)


def run_response_tools(options, answer):
    asked, items = [], [{"role": "user", "content": ASK_TOOLS}]
    client = open_client(options)
    both = [{"type": "function", **tool(name)["function"]} for name in ("weather", "clock")]
    while True:
        response = answer(client, model=options["model"], input=items, tools=both, store=False)
        items += response.output
        calls = [item for item in response.output if item.type == "function_call"]
        if not calls:
            return {"text": response.output_text, "asked": asked}
        for call in calls:
            asked.append(call.name)
            output = tell(call.name, call.arguments)
            items.append({"type": "function_call_output", "call_id": call.call_id, "output": output})


def tools(options):
    return run_tools(options, complete)


def tools_stream(options):
    return run_tools(options, complete_streamed)


def tools_parse(options):
    return run_tools(options, complete_parsed)


def responses(options):
    return run_response_tools(options, respond)


def responses_stream(options):
    return run_response_tools(options, respond_streamed)


def responses_parse(options):
    return run_response_tools(options, respond_parsed)


def responses_schema(options):
    asked = {"model": options["model"], "input": ASK, "store": False}
    return open_client(options).responses.parse(**asked, text_format=City).output_parsed.model_dump()


def schema(options):
    completion = open_client(options).chat.completions.parse(**ask(options), response_format=City)
    return completion.choices[0].message.parsed.model_dump()


def image(options):
    content = [{"type": "text", "text": ASK}, {"type": "image_url", "image_url": {"url": PIXEL}}]
    messages = [{"role": "user", "content": content}]
    completion = open_client(options).chat.completions.create(model=options["model"], messages=messages)
    return {"text": completion.choices[0].message.content, "input": completion.usage.prompt_tokens}


def models(options):
    client = open_client(options)
    listed = [model.id for model in client.models.list()]
    return {"listed": listed, "one": client.models.retrieve(listed[0]).id}


KINDS = {
    "text": text,
    "stream": stream,
    "streamUsage": stream_usage,
    "streamFinal": stream_final,
    "tools": tools,
    "toolsStream": tools_stream,
    "toolsParse": tools_parse,
    "responses": responses,
    "responsesStream": responses_stream,
    "responsesParse": responses_parse,
    "responsesSchema": responses_schema,
    "schema": schema,
    "image": image,
    "models": models,
}


def run(case):
    try:
        return case["name"], {"ok": KINDS[case["kind"]](case)}
    except Exception as error:  # Whatever the client throws is the outcome.
        return case["name"], {
            "error": {
                "class": type(error).__name__,
                "status": getattr(error, "status_code", None),
                "code": getattr(error, "code", None),
                "requestId": getattr(error, "request_id", None),
                "param": getattr(error, "param", None),
                "message": str(error),
            }
        }


with ThreadPoolExecutor(8) as pool:
    asked = json.load(sys.stdin)
    json.dump({client: dict(pool.map(run, cases)) for client, cases in asked.items()}, sys.stdout)
