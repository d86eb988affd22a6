// Vercel's AI SDK with one of its two providers for this interface.
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, Output, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';
import { ASK, ASK_TOOLS, PIXEL, TOOLS } from './cases.mjs';

const PROVIDERS = {
  openai: ({ baseURL, apiKey, model, headers }) => createOpenAI({ baseURL, apiKey, headers }).chat(model),
  compatible: ({ baseURL, apiKey, model, headers }) =>
    createOpenAICompatible({
      name: 'neuron',
      baseURL,
      apiKey,
      headers,
      includeUsage: true,
      supportsStructuredOutputs: true,
    })(model),
};

/** Two tools, and by whom they were called. */
function recordingTools() {
  const asked = [];
  const make = (name) =>
    tool({
      description: `Tells the ${name}.`,
      inputSchema: z.object({ city: z.string() }),
      async execute(input) {
        asked.push(name);
        return TOOLS[name](input);
      },
    });
  const stopWhen = (isStepCount ?? stepCountIs)(5);
  return { asked, tools: { tools: { weather: make('weather'), clock: make('clock') }, stopWhen } };
}

export function aiSdk(provider) {
  const ask = (options) => ({
    model: PROVIDERS[provider](options),
    prompt: options.ask ?? ASK,
    ...(options.maxRetries === undefined ? {} : { maxRetries: options.maxRetries }),
    ...(options.more?.temperature === undefined ? {} : { temperature: options.more.temperature }),
  });

  async function stream(options, more = {}) {
    // Errors come as parts of the stream; without this they are printed besides.
    const result = streamText({ ...ask(options), ...more, onError: () => undefined });
    let text = '';
    for await (const part of result.fullStream) {
      if (part.type === 'text-delta') text += part.text;
      if (part.type === 'error') throw part.error;
    }
    const usage = await result.usage;
    return { text, usage: { prompt_tokens: usage.inputTokens, completion_tokens: usage.outputTokens } };
  }

  const kinds = {
    async text(options) {
      const { text, response } = await generateText(ask(options));
      return { text, requestId: response.headers?.['x-request-id'] };
    },
    stream: (options) => stream(options),
    streamUsage: (options) => stream(options),
    async tools(options) {
      const { asked, tools } = recordingTools();
      const { text } = await generateText({ ...ask({ ...options, ask: ASK_TOOLS }), ...tools });
      return { text, asked };
    },
    async toolsStream(options) {
      const { asked, tools } = recordingTools();
      const { text } = await stream({ ...options, ask: ASK_TOOLS }, tools);
      return { text, asked };
    },
    async schema(options) {
      const schema = z.object({ city: z.string(), degrees: z.number() });
      const { output } = await generateText({ ...ask(options), output: Output.object({ schema }) });
      return output;
    },
    async image(options) {
      const { prompt: _prompt, ...rest } = ask(options);
      const content = [
        { type: 'text', text: ASK },
        { type: 'image', image: PIXEL },
      ];
      const { text, usage } = await generateText({ ...rest, messages: [{ role: 'user', content }] });
      return { text, input: usage.inputTokens };
    },
  };
  return { kinds, describe };
}

function describe(thrown) {
  // With retries the last error is within another.
  const error = thrown.lastError ?? thrown;
  const { statusCode, responseHeaders, data, message } = error;
  return {
    class: error.name ?? typeof error,
    status: statusCode,
    code: data?.error?.code ?? error.code,
    requestId: responseHeaders?.['x-request-id'],
    param: data?.error?.param,
    message: message ?? String(error),
  };
}
