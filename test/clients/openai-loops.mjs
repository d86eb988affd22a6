// Tool loops by hand through OpenAI's client: each gives back what the SDK handed out, whole, in the next request.
import { z } from 'zod';
import { ASK, ASK_TOOLS, TOOLS } from './cases.mjs';

const PARAMETERS = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const NAMES = ['weather', 'clock'];
const FUNCTIONS = NAMES.map((name) => ({
  ...{ name, description: `Tells the ${name}.`, parameters: PARAMETERS, strict: true },
}));

/** `open` gives a client for the options of a case; the kinds of cases come back. */
export function loops(open, { zodTextFormat }) {
  async function chat(options) {
    const client = open(options);
    const asked = [];
    const messages = [{ role: 'user', content: ASK_TOOLS }];
    const tools = FUNCTIONS.map((one) => ({ type: 'function', function: one }));
    for (;;) {
      const { choices } = await client.chat.completions.parse({ model: options.model, messages, tools });
      const [{ message }] = choices;
      messages.push(message);
      if (!message.tool_calls?.length) return { text: message.content, asked };
      for (const { id, function: called } of message.tool_calls) {
        asked.push(called.name);
        const content = TOOLS[called.name](called.parsed_arguments);
        messages.push({ role: 'tool', tool_call_id: id, content });
      }
    }
  }

  async function responses(options, answer) {
    const client = open(options);
    const asked = [];
    const input = [{ role: 'user', content: ASK_TOOLS }];
    const tools = FUNCTIONS.map((one) => ({ type: 'function', ...one }));
    for (;;) {
      const response = await answer(client.responses, { model: options.model, input, tools, store: false });
      input.push(...response.output);
      const calls = response.output.filter(({ type }) => type === 'function_call');
      if (calls.length === 0) return { text: response.output_text, asked };
      for (const call of calls) {
        asked.push(call.name);
        const output = TOOLS[call.name](JSON.parse(call.arguments));
        input.push({ type: 'function_call_output', call_id: call.call_id, output });
      }
    }
  }

  return {
    toolsParse: chat,
    responses: (options) => responses(options, (api, body) => api.create(body)),
    responsesStream: (options) => responses(options, (api, body) => api.stream(body).finalResponse()),
    responsesParse: (options) => responses(options, (api, body) => api.parse(body)),
    async responsesSchema(options) {
      const City = z.object({ city: z.string(), degrees: z.number() });
      const text = { format: zodTextFormat(City, 'city') };
      const body = { model: options.model, input: ASK, store: false, text };
      return (await open(options).responses.parse(body)).output_parsed;
    },
  };
}
