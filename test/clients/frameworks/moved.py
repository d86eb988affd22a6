"""The same calls through LiteLLM's router with its own configuration, and by OpenAI's client and LangChain through one base URL."""

import json
import os
import sys

import yaml
from langchain_openai import ChatOpenAI
from litellm import Router
from openai import OpenAI

config_path, base_url, key = sys.argv[1:4]
for name in ("OPENAI", "ANTHROPIC", "GROQ"):
    os.environ[name] = "sk-vendor"
with open(config_path) as file:
    config = yaml.safe_load(file)
models = [one["model_name"] for one in config["model_list"]]
messages = [{"role": "user", "content": "Hello"}]

router = Router(
    model_list=config["model_list"],
    fallbacks=config["litellm_settings"]["fallbacks"],
    num_retries=0,
)
client = OpenAI(api_key=key, base_url=base_url, max_retries=0)


def by_langchain(model):
    chat = ChatOpenAI(model=model, api_key=key, base_url=base_url, max_retries=0)
    return chat.invoke("Hello").content


def by_openai(model):
    return client.chat.completions.create(model=model, messages=messages).choices[0].message.content


def by_litellm(model):
    return router.completion(model=model, messages=messages).choices[0].message.content


print(
    json.dumps(
        {
            "litellm": {model: by_litellm(model) for model in models},
            "openai": {model: by_openai(model) for model in models},
            "langchain": {model: by_langchain(model) for model in models},
        }
    )
)
