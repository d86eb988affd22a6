"""The integration tests of langchain-tests, for chat models and embeddings, run against the service by its base URL."""
import os

import pytest
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from langchain_tests.integration_tests import ChatModelIntegrationTests, EmbeddingsIntegrationTests

URL, KEY = os.environ["NEURON_TEST_URL"], os.environ["NEURON_TEST_KEY"]


class TestChat(ChatModelIntegrationTests):
    @property
    def chat_model_class(self):
        return ChatOpenAI

    @property
    def chat_model_params(self):
        # LangChain asks for usage in streams by itself at OpenAI's own address only.
        return {"model": "coder", "base_url": URL, "api_key": KEY, "stream_usage": True}

    @property
    def supports_image_inputs(self):
        return True

    @property
    def supports_image_urls(self):
        return True

    @property
    def supports_pdf_inputs(self):
        return True

    @property
    def supports_image_tool_message(self):
        return True

    @property
    def supports_json_mode(self):
        return True

    @property
    def supports_anthropic_inputs(self):
        return True


class TestEmbeddings(EmbeddingsIntegrationTests):
    @property
    def embeddings_class(self):
        return OpenAIEmbeddings

    @property
    def embedding_model_params(self):
        # Texts, rather than tokens of a vocabulary of OpenAI's.
        return {"model": "vectors", "base_url": URL, "api_key": KEY, "check_embedding_ctx_length": False}
