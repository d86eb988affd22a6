// Runs released clients of Responses, Messages and Chat Completions as their own documentation does: outcomes come as JSON by name. What a
// client hands out goes back as it is, in the next request.
import { text } from 'node:stream/consumers';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { ChatAnthropic } from '@langchain/anthropic';
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool as langchainTool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { Agent, tool as agentsTool, OpenAIProvider, Runner } from '@openai/agents';
import { generateText, Output, stepCountIs, streamText, tool } from 'ai';
import OlderAnthropic from 'anthropic-0';
import { z } from 'zod';

const { url, key } = JSON.parse(await text(process.stdin));
const MODEL = 'coder';
/** Both tools are called at once, in each of three rounds. */
const QUESTIONS = ['weather and clock in Bern?', 'clock and weather in Rome?', 'weather and clock in Oslo?'];
const CITY = z.object({ city: z.string() });
const TOLD = { weather: 'sunny', clock: 'noon' };

/** Each call by its tool, over all rounds. */
function countCalls() {
  const asked = [];
  const run = (name) => () => {
    asked.push(name);
    return TOLD[name];
  };
  return { asked, run };
}

const openAi = (options = {}) => createOpenAI({ baseURL: url, apiKey: key, ...options });
const compatible = () => createOpenAICompatible({ name: 'neuron', baseURL: url, apiKey: key });
const claude = () => createAnthropic({ baseURL: url, apiKey: key });
const STORELESS = { providerOptions: { openai: { store: false } } };

/** Three rounds by AI SDK, each with the messages that it made of the one before. */
async function aiRounds(model, more, isStream) {
  const { asked, run } = countCalls();
  const make = (name) => tool({ description: name, inputSchema: CITY, execute: async () => run(name)() });
  const tools = { weather: make('weather'), clock: make('clock') };
  const messages = [];
  let said = '';
  for (const content of QUESTIONS) {
    messages.push({ role: 'user', content });
    const options = { model, messages, tools, stopWhen: stepCountIs(5), maxRetries: 0, ...more };
    if (isStream) {
      const result = streamText({ ...options, onError: () => undefined });
      for await (const part of result.fullStream) if (part.type === 'error') throw part.error;
      said = await result.text;
      messages.push(...(await result.response).messages);
    } else {
      const result = await generateText(options);
      said = result.text;
      messages.push(...result.response.messages);
    }
  }
  return { calls: asked.length, said };
}

async function aiObject(model, more) {
  const schema = z.object({ city: z.string(), degrees: z.number() });
  const prompt = 'Bern has 21 degrees.';
  return (await generateText({ model, prompt, output: Output.object({ schema }), maxRetries: 0, ...more }))
    .output;
}

/** Three rounds by Anthropic's client; its blocks go back as they came. */
async function anthropicRounds(Client, isStream) {
  const client = new Client({ baseURL: url, apiKey: key, maxRetries: 0 });
  const { asked, run } = countCalls();
  const input_schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
  const tools = Object.keys(TOLD).map((name) => ({ name, description: name, input_schema }));
  const messages = [];
  let said = '';
  for (const content of QUESTIONS) {
    messages.push({ role: 'user', content });
    for (;;) {
      const body = { model: MODEL, max_tokens: 1_000, messages, tools };
      const answer = isStream
        ? await client.messages.stream(body).finalMessage()
        : await client.messages.create(body);
      messages.push({ role: 'assistant', content: answer.content });
      const calls = answer.content.filter(({ type }) => type === 'tool_use');
      if (calls.length === 0) {
        said = answer.content.map((block) => block.text).join('');
        break;
      }
      const results = calls.map(({ id, name }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: run(name)(),
      }));
      messages.push({ role: 'user', content: results });
    }
  }
  return { calls: asked.length, said };
}

async function langchainRounds(model) {
  const { asked, run } = countCalls();
  const tools = Object.keys(TOLD).map((name) =>
    langchainTool(async () => run(name)(), { name, description: name, schema: CITY }),
  );
  const bound = model.bindTools(tools);
  const messages = [];
  for (const question of QUESTIONS) {
    messages.push(new HumanMessage(question));
    for (;;) {
      const answer = await bound.invoke(messages);
      messages.push(answer);
      if (!answer.tool_calls?.length) break;
      for (const { id, name } of answer.tool_calls) {
        messages.push(new ToolMessage({ tool_call_id: id, content: run(name)() }));
      }
    }
  }
  return { calls: asked.length, said: messages.at(-1).text };
}

/** The outcome where a client's defaults count on what is not kept here. */
async function rejectionOf(work) {
  try {
    await work();
  } catch (thrown) {
    const { statusCode, message } = thrown.lastError ?? thrown;
    return { status: statusCode, saysStore: message.includes('"store": false') };
  }
  return 'answered';
}

const CASES = {
  ai_compatible: () => aiRounds(compatible()(MODEL), {}, false),
  ai_compatible_streamed: () => aiRounds(compatible()(MODEL), {}, true),
  ai_compatible_object: () => aiObject(compatible()(MODEL), {}),
  ai_responses: () => aiRounds(openAi()(MODEL), STORELESS, false),
  ai_responses_streamed: () => aiRounds(openAi()(MODEL), STORELESS, true),
  ai_responses_object: () => aiObject(openAi()(MODEL), STORELESS),
  ai_responses_default: () => rejectionOf(() => aiRounds(openAi()(MODEL), {}, false)),
  ai_anthropic: () => aiRounds(claude()(MODEL), {}, false),
  ai_anthropic_streamed: () => aiRounds(claude()(MODEL), {}, true),
  ai_anthropic_object: () => aiObject(claude()(MODEL), {}),
  anthropic: () => anthropicRounds(Anthropic, false),
  anthropic_streamed: () => anthropicRounds(Anthropic, true),
  anthropic_older: () => anthropicRounds(OlderAnthropic, false),
  anthropic_older_streamed: () => anthropicRounds(OlderAnthropic, true),
  langchain_anthropic: () =>
    langchainRounds(new ChatAnthropic({ model: MODEL, apiKey: key, anthropicApiUrl: url, maxRetries: 0 })),
  langchain_responses: () =>
    langchainRounds(
      new ChatOpenAI({
        ...{ model: MODEL, apiKey: key, useResponsesApi: true, maxRetries: 0, zdrEnabled: true },
        configuration: { baseURL: url },
      }),
    ),
  async openai_agents() {
    const { asked, run } = countCalls();
    const make = (name) =>
      agentsTool({ name, description: name, parameters: CITY, execute: async () => run(name)() });
    const agent = new Agent({ name: 'a', model: MODEL, tools: [make('weather'), make('clock')] });
    const modelProvider = new OpenAIProvider({ baseURL: url, apiKey: key });
    const runner = new Runner({ modelProvider, tracingDisabled: true });
    let [input, said] = [[], ''];
    for (const content of QUESTIONS) {
      const result = await runner.run(agent, [...input, { role: 'user', content }]);
      [input, said] = [result.history, result.finalOutput];
    }
    return { calls: asked.length, said };
  },
};

const outcomes = {};
for (const [name, run] of Object.entries(CASES)) {
  outcomes[name] = await run().then(
    (ok) => ({ ok }),
    (thrown) => ({
      failed: `${thrown?.name}: ${thrown?.lastError?.message ?? thrown?.message}`.slice(0, 300),
    }),
  );
}
process.stdout.write(JSON.stringify(outcomes));
