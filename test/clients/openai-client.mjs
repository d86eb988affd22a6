// OpenAI's own client for Node and browsers.
import { z } from 'zod';
import { ASK, ASK_TOOLS, PIXEL, TOOLS } from './cases.mjs';
import { loops } from './openai-loops.mjs';

/**
 * `openai` is the package in one of its major versions, `helpers` its helpers for zod; `more` is what the client is opened with besides,
 * `each` what each request is sent with.
 */
export function openaiClient({ default: OpenAI }, helpers, more = {}, each = {}) {
  const open = ({ baseURL, apiKey, maxRetries, headers }) =>
    new OpenAI({
      ...{ baseURL, apiKey, ...more, defaultHeaders: headers ?? {} },
      ...(maxRetries === undefined ? {} : { maxRetries }),
    });
  const ask = ({ model, ask = ASK, more = {} }) => ({
    model,
    messages: [{ role: 'user', content: ask }],
    ...more,
  });

  async function read(options, more) {
    const stream = await open(options).chat.completions.create({ ...ask(options), stream: true, ...more });
    let text = '';
    let usage = null;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      usage = chunk.usage ?? usage;
    }
    return { text, usage };
  }

  async function runTools(options, stream) {
    const asked = [];
    const tool = (name) => ({
      type: 'function',
      function: {
        name,
        description: `Tells the ${name}.`,
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        parse: JSON.parse,
        function(input) {
          asked.push(name);
          return TOOLS[name](input);
        },
      },
    });
    const runner = open(options).chat.completions.runTools({
      ...ask({ ...options, ask: ASK_TOOLS }),
      tools: [tool('weather'), tool('clock')],
      stream,
    });
    return { text: await runner.finalContent(), asked };
  }

  const kinds = {
    ...loops(open, helpers),
    async text(options) {
      const completion = await open(options).chat.completions.create(ask(options), each);
      return { text: completion.choices[0].message.content, requestId: completion._request_id };
    },
    stream: (options) => read(options, {}),
    streamUsage: (options) => read(options, { stream_options: { include_usage: true } }),
    async streamFinal(options) {
      const final = await open(options).chat.completions.stream(ask(options)).finalChatCompletion();
      return { text: final.choices[0].message.content };
    },
    tools: (options) => runTools(options, false),
    toolsStream: (options) => runTools(options, true),
    async schema(options) {
      const City = z.object({ city: z.string(), degrees: z.number() });
      const completion = await open(options).chat.completions.parse({
        ...ask(options),
        response_format: helpers.zodResponseFormat(City, 'city'),
      });
      return completion.choices[0].message.parsed;
    },
    async image(options) {
      const content = [
        { type: 'text', text: ASK },
        { type: 'image_url', image_url: { url: PIXEL } },
      ];
      const messages = [{ role: 'user', content }];
      const completion = await open(options).chat.completions.create({ model: options.model, messages });
      return { text: completion.choices[0].message.content, input: completion.usage.prompt_tokens };
    },
    async models(options) {
      const client = open(options);
      const listed = [];
      for await (const model of client.models.list()) listed.push(model.id);
      return { listed, one: (await client.models.retrieve(listed[0])).id };
    },
  };
  return { kinds, describe };
}

export function describe(error) {
  const { status, code, requestID, param, message } = error;
  return { class: error.constructor.name, status, code, requestId: requestID, param, message };
}
