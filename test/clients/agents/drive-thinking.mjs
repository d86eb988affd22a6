// Sessions of released clients with a model that thinks between calls of a tool: blocks go back as the client handed them out.
import { text } from 'node:stream/consumers';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { generateText, stepCountIs, streamText, tool } from 'ai';
import OlderAnthropic from 'anthropic-0';
import { z } from 'zod';

const { url, key, models } = JSON.parse(await text(process.stdin));

/** The blocks of each answer by their types, and the last words. */
async function anthropicSession(Client, model, isStream) {
  const client = new Client({ baseURL: url, apiKey: key, maxRetries: 0 });
  const tools = [{ name: 'look', description: 'Looks.', input_schema: { type: 'object' } }];
  const messages = [{ role: 'user', content: 'Look around.' }];
  const rounds = [];
  for (;;) {
    const body = { model, max_tokens: 4_000, messages, tools, thinking: { type: 'adaptive' } };
    const answer = isStream
      ? await client.messages.stream(body).finalMessage()
      : await client.messages.create(body);
    messages.push({ role: 'assistant', content: answer.content });
    rounds.push(answer.content.map(({ type }) => type).join(' '));
    const calls = answer.content.filter(({ type }) => type === 'tool_use');
    if (calls.length === 0) return { rounds, said: answer.content.at(-1).text };
    messages.push({
      role: 'user',
      content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'a wall' })),
    });
  }
}

async function aiSession(model, providerOptions, isStream) {
  const tools = {
    look: tool({ description: 'Looks.', inputSchema: z.object({}).loose(), execute: async () => 'a wall' }),
  };
  const options = {
    model,
    prompt: 'Look around.',
    tools,
    stopWhen: stepCountIs(5),
    maxRetries: 0,
    providerOptions,
  };
  const result = isStream
    ? streamText({ ...options, onError: () => undefined })
    : await generateText(options);
  if (isStream) for await (const part of result.fullStream) if (part.type === 'error') throw part.error;
  const steps = await result.steps;
  const rounds = steps.map(({ content }) =>
    content
      .map(({ type }) => type)
      .filter((type) => ['reasoning', 'text', 'tool-call'].includes(type))
      .join(' '),
  );
  return { rounds, said: await result.text };
}

const claude = (model) => createAnthropic({ baseURL: url, apiKey: key })(model);
const gpt = (model) => createOpenAI({ baseURL: url, apiKey: key })(model);
const ANTHROPIC = { anthropic: { thinking: { type: 'adaptive' } } };
const OPENAI = {
  openai: {
    store: false,
    include: ['reasoning.encrypted_content'],
    reasoningEffort: 'high',
    reasoningSummary: 'auto',
    forceReasoning: true,
  },
};

const CASES = models.flatMap((model) => [
  [`anthropic ${model}`, () => anthropicSession(Anthropic, model, false)],
  [`anthropic ${model} streamed`, () => anthropicSession(Anthropic, model, true)],
  [`older anthropic ${model}`, () => anthropicSession(OlderAnthropic, model, false)],
  [`older anthropic ${model} streamed`, () => anthropicSession(OlderAnthropic, model, true)],
  [`ai anthropic ${model}`, () => aiSession(claude(model), ANTHROPIC, false)],
  [`ai anthropic ${model} streamed`, () => aiSession(claude(model), ANTHROPIC, true)],
  ...(model.startsWith('passed')
    ? []
    : [
        [`ai responses ${model}`, () => aiSession(gpt(model), OPENAI, false)],
        [`ai responses ${model} streamed`, () => aiSession(gpt(model), OPENAI, true)],
      ]),
]);

const outcomes = {};
for (const [name, run] of CASES) {
  outcomes[name] = await run().catch((thrown) => ({
    failed: `${thrown?.name}: ${thrown?.lastError?.message ?? thrown?.message}`.slice(0, 300),
  }));
}
process.stdout.write(JSON.stringify(outcomes));
