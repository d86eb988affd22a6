"""Runs frameworks of other people as their own documentation does, with the service as their base URL: outcomes come as JSON by name.

What a library hands out goes back as it is, in the next request."""
import asyncio
import json
import os
import sys
import tempfile
import traceback

os.environ.update(
    LITELLM_LOCAL_MODEL_COST_MAP="True",
    OPENAI_AGENTS_DISABLE_TRACING="1",
    MEM0_TELEMETRY="False",
    ANONYMIZED_TELEMETRY="False",
)
os.environ["MEM0_DIR"] = tempfile.mkdtemp(prefix="neuron-mem0-")

from pydantic import BaseModel  # noqa: E402

OPTIONS = json.load(sys.stdin)
URL, KEY, MODEL, VECTORS = OPTIONS["url"], OPTIONS["key"], "coder", "vectors"
ASK = "What is the weather in 'Bern', and add 21 and 2?"
CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


class City(BaseModel):
    """A city and its temperature."""

    city: str
    degrees: float


WEATHER = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "Tells the weather.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}


def litellm_loop(streamed):
    import litellm

    asked = {"model": f"openai/{MODEL}", "api_base": URL, "api_key": KEY, "tools": [WEATHER]}
    messages, said = [{"role": "user", "content": ASK}], []
    for _ in range(2):
        if streamed:
            chunks = list(litellm.completion(**asked, messages=messages, stream=True))
            answer = litellm.stream_chunk_builder(chunks, messages=messages)
        else:
            answer = litellm.completion(**asked, messages=messages)
        message = answer.choices[0].message
        messages.append(message)
        said.append(message.content)
        for call in message.tool_calls or []:
            city = json.loads(call.function.arguments)["city"]
            result = {"tool_call_id": call.id, "role": "tool", "name": call.function.name}
            messages.append({**result, "content": f"{city} is sunny"})
    return said[-1]


@case
def litellm_tools():
    return litellm_loop(False)


@case
def litellm_tools_streamed():
    return litellm_loop(True)


@case
def litellm_more():
    """Members that LiteLLM's callers send: marks for caches, members of other vendors, JSON mode."""
    import litellm

    content = [{"type": "text", "text": "Hello", "cache_control": {"type": "ephemeral"}}]
    answer = litellm.completion(
        model=f"openai/{MODEL}",
        api_base=URL,
        api_key=KEY,
        messages=[{"role": "user", "content": content}],
        response_format={"type": "json_object"},
        extra_body={"top_k": 5, "min_p": 0.1},
    )
    return json.loads(answer.choices[0].message.content)


@case
def litellm_errors():
    import litellm

    try:
        litellm.completion(
            model=f"openai/{MODEL}", api_base=URL, api_key="sk-wrong", messages=[{"role": "user", "content": "x"}]
        )
    except Exception as error:
        return type(error).__name__


@case
def litellm_embedding():
    import litellm

    answer = litellm.embedding(model=f"openai/{VECTORS}", api_base=URL, api_key=KEY, input=["tea", "coffee"])
    return [len(one["embedding"]) for one in answer.data]


@case
def litellm_responses():
    import litellm

    return litellm.responses(model=f"openai/{MODEL}", api_base=URL, api_key=KEY, input="Hello").output_text


@case
def litellm_messages():
    import litellm

    messages = [{"role": "user", "content": "Hello"}]
    answer = litellm.completion(
        model=f"anthropic/{MODEL}", api_base=URL, api_key=KEY, messages=messages, max_tokens=50
    )
    return answer.choices[0].message.content


def pydantic_agent(**options):
    from pydantic_ai import Agent
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    model = OpenAIChatModel(MODEL, provider=OpenAIProvider(base_url=URL, api_key=KEY))
    agent = Agent(model, instructions="Use the tools.", **options)

    @agent.tool_plain
    def weather(city: str) -> str:
        return f"{city} is sunny"

    return agent


@case
def pydantic_ai_tools():
    agent = pydantic_agent()
    first = agent.run_sync(ASK)
    return agent.run_sync("Again, 'Bern'?", message_history=first.all_messages()).output


@case
def pydantic_ai_streamed():
    async def read():
        async with pydantic_agent().run_stream(ASK) as result:
            return "".join([piece async for piece in result.stream_text(delta=True)])

    return asyncio.run(read())


def pydantic_form(kind):
    output = pydantic_agent(output_type=kind(City)).run_sync("It is 21 in 'Bern'").output
    return output.model_dump()


@case
def pydantic_ai_tool_output():
    from pydantic_ai import ToolOutput

    return pydantic_form(ToolOutput)


@case
def pydantic_ai_native_output():
    from pydantic_ai import NativeOutput

    return pydantic_form(NativeOutput)


@case
def pydantic_ai_prompted_output():
    from pydantic_ai import PromptedOutput

    return pydantic_form(PromptedOutput)


@case
def pydantic_ai_settings():
    from pydantic_ai.settings import ModelSettings

    settings = ModelSettings(parallel_tool_calls=False, presence_penalty=0.5, temperature=0.1, seed=-1)
    return pydantic_agent().run_sync(ASK, model_settings=settings).output


@case
def langchain_anthropic_tools():
    from langchain_anthropic import ChatAnthropic
    from langchain_core.messages import HumanMessage, ToolMessage

    model = ChatAnthropic(model=MODEL, base_url=URL, api_key=KEY, max_tokens=100).bind_tools([WEATHER])
    first = model.invoke(messages := [HumanMessage(ASK)])
    results = [ToolMessage(f"{call['args']['city']} is sunny", tool_call_id=call["id"]) for call in first.tool_calls]
    return model.invoke([*messages, first, *results]).text


def agents_run(model, **settings):
    from agents import Agent, ModelSettings, Runner, function_tool

    @function_tool
    def weather(city: str) -> str:
        """Tells the weather."""
        return f"{city} is sunny"

    agent = Agent(
        name="a",
        instructions="Use the tools.",
        model=model,
        tools=[weather],
        model_settings=ModelSettings(**settings),
    )
    first = Runner.run_sync(agent, ASK)
    again = first.to_input_list() + [{"role": "user", "content": "Again, 'Bern'?"}]
    return Runner.run_sync(agent, again).final_output


def agents_client():
    from openai import AsyncOpenAI

    return AsyncOpenAI(base_url=URL, api_key=KEY)


@case
def openai_agents_chat():
    from agents import OpenAIChatCompletionsModel

    return agents_run(OpenAIChatCompletionsModel(model=MODEL, openai_client=agents_client()))


@case
def openai_agents_settings():
    from agents import OpenAIChatCompletionsModel

    model = OpenAIChatCompletionsModel(model=MODEL, openai_client=agents_client())
    return agents_run(model, parallel_tool_calls=False, verbosity="low", temperature=0.1)


@case
def openai_agents_default():
    """Responses, which is what its agents speak when nothing is said."""
    from agents import set_default_openai_client

    set_default_openai_client(agents_client(), use_for_tracing=False)
    return agents_run(MODEL, store=False)


def llama_index(**options):
    from llama_index.llms.openai_like import OpenAILike

    common = {"is_chat_model": True, "is_function_calling_model": True, "context_window": 32_000}
    return OpenAILike(model=MODEL, api_base=URL, api_key=KEY, **common, **options)


@case
def llama_index_chat():
    return str(llama_index().complete("Hello"))


@case
def llama_index_streamed():
    return "".join(piece.delta for piece in llama_index().stream_complete("Hello there"))


@case
def llama_index_structured():
    return llama_index().as_structured_llm(City).complete("It is 21 in 'Bern'").raw.model_dump()


@case
def llama_index_native_structured():
    llm = llama_index(should_use_structured_outputs=True)
    return llm.as_structured_llm(City).complete("It is 21 in 'Bern'").raw.model_dump()


def llama_index_tool():
    from llama_index.core.tools import FunctionTool

    def weather(city: str) -> str:
        """Tells the weather."""
        return f"{city} is sunny"

    return FunctionTool.from_defaults(weather)


@case
def llama_index_tools():
    return str(llama_index().predict_and_call([llama_index_tool()], ASK).response)


@case
def llama_index_agent():
    from llama_index.core.agent.workflow import FunctionAgent

    async def ask():
        agent = FunctionAgent(tools=[llama_index_tool()], llm=llama_index(), system_prompt="Use the tools.")
        return str(await agent.run(ASK))

    return asyncio.run(ask())


@case
def llama_index_embedding():
    from llama_index.embeddings.openai_like import OpenAILikeEmbedding

    embedding = OpenAILikeEmbedding(model_name=VECTORS, api_base=URL, api_key=KEY)
    return [len(one) for one in embedding.get_text_embedding_batch(["tea", "coffee"])]


@case
def mem0_add():
    from mem0 import Memory

    llm = {"provider": "openai", "config": {"model": MODEL, "openai_base_url": URL, "api_key": KEY}}
    embedder = {
        "provider": "openai",
        "config": {"model": VECTORS, "openai_base_url": URL, "api_key": KEY, "embedding_dims": 256},
    }
    folder = tempfile.mkdtemp(prefix="neuron-mem0-")
    store = {"provider": "qdrant", "config": {"path": folder, "embedding_model_dims": 256, "on_disk": False}}
    memory = Memory.from_config({"llm": llm, "embedder": embedder, "vector_store": store})
    added = memory.add([{"role": "user", "content": "I like 'green tea'"}], user_id="ann")
    return {"results": len(added["results"])}


def instructor_mode(name):
    import instructor
    from openai import OpenAI

    client = instructor.from_openai(OpenAI(base_url=URL, api_key=KEY), mode=getattr(instructor.Mode, name))
    messages = [{"role": "user", "content": "It is 21 in 'Bern'"}]
    return client.chat.completions.create(model=MODEL, messages=messages, response_model=City).model_dump()


@case
def instructor_modes():
    return {name: instructor_mode(name) for name in ["TOOLS", "TOOLS_STRICT", "JSON", "JSON_SCHEMA", "MD_JSON"]}


@case
def instructor_partial():
    import instructor
    from openai import OpenAI

    client = instructor.from_openai(OpenAI(base_url=URL, api_key=KEY))
    messages = [{"role": "user", "content": "It is 21 in 'Bern'"}]
    pieces = client.chat.completions.create_partial(model=MODEL, messages=messages, response_model=City)
    return list(pieces)[-1].model_dump()


def anthropic_client():
    from anthropic import Anthropic

    return Anthropic(base_url=URL, api_key=KEY)


def anthropic_loop(answer):
    client, messages = anthropic_client(), [{"role": "user", "content": ASK}]
    function = WEATHER["function"]
    tool = {"name": function["name"], "description": "d", "input_schema": function["parameters"]}
    for _ in range(2):
        message = answer(client, model=MODEL, max_tokens=100, messages=messages, tools=[tool])
        # The SDK's own blocks.
        messages.append({"role": "assistant", "content": message.content})
        results = [
            {"type": "tool_result", "tool_use_id": block.id, "content": f"{block.input['city']} is sunny"}
            for block in message.content
            if block.type == "tool_use"
        ]
        if not results:
            return message.content[0].text
        messages.append({"role": "user", "content": results})


@case
def anthropic_tools():
    return anthropic_loop(lambda client, **asked: client.messages.create(**asked))


@case
def anthropic_tools_streamed():
    def answer(client, **asked):
        with client.messages.stream(**asked) as stream:
            return stream.get_final_message()

    return anthropic_loop(answer)


@case
def anthropic_counts():
    messages = [{"role": "user", "content": "Hello"}]
    return anthropic_client().messages.count_tokens(model=MODEL, messages=messages).input_tokens > 0


@case
def anthropic_models():
    return [model.id for model in anthropic_client().models.list()]


def run(name, function):
    try:
        return {"ok": function()}
    except BaseException as error:
        return {"error": f"{type(error).__name__}: {error}", "at": traceback.format_exc()[-1500:]}


only = sys.argv[1:]
outcomes = {name: run(name, function) for name, function in CASES.items() if not only or name in only}
print("\n" + json.dumps(outcomes))
