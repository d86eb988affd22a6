// LangChain for JavaScript.
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';
import { ASK, ASK_TOOLS, PIXEL, TOOLS } from './cases.mjs';
import { describe } from './openai-client.mjs';

/** A stream as one message. */
async function gather(model, messages) {
  let gathered;
  for await (const chunk of await model.stream(messages)) {
    gathered = gathered === undefined ? chunk : gathered.concat(chunk);
  }
  return gathered;
}

export function langchain() {
  const open = ({ baseURL, apiKey, model, maxRetries, headers, more = {} }) =>
    new ChatOpenAI({
      model,
      apiKey,
      configuration: { baseURL, defaultHeaders: headers ?? {} },
      ...(maxRetries === undefined ? {} : { maxRetries }),
      ...more,
    });

  async function stream(options) {
    let text = '';
    let usage = null;
    for await (const chunk of await open(options).stream(options.ask ?? ASK)) {
      text += chunk.content;
      usage = chunk.usage_metadata ?? usage;
    }
    return {
      text,
      usage: usage && { prompt_tokens: usage.input_tokens, completion_tokens: usage.output_tokens },
    };
  }

  async function runTools(options, answerOf) {
    const asked = [];
    const make = (name) =>
      tool(
        (input) => {
          asked.push(name);
          return TOOLS[name](input);
        },
        { name, description: `Tells the ${name}.`, schema: z.object({ city: z.string() }) },
      );
    const tools = { weather: make('weather'), clock: make('clock') };
    const model = open(options).bindTools(Object.values(tools));
    const messages = [new HumanMessage(ASK_TOOLS)];
    for (;;) {
      const answer = await answerOf(model, messages);
      if (answer.tool_calls.length === 0) return { text: answer.content, asked };
      messages.push(answer);
      for (const call of answer.tool_calls) {
        const content = await tools[call.name].invoke(call.args);
        messages.push(new ToolMessage({ content, tool_call_id: call.id }));
      }
    }
  }

  const kinds = {
    async text(options) {
      return { text: (await open(options).invoke(options.ask ?? ASK)).content };
    },
    stream,
    streamUsage: stream,
    tools: (options) => runTools(options, (model, messages) => model.invoke(messages)),
    toolsStream: (options) => runTools(options, gather),
    async schema(options) {
      const schema = z.object({ city: z.string(), degrees: z.number() });
      return open(options).withStructuredOutput(schema, { name: 'city', method: 'jsonSchema' }).invoke(ASK);
    },
    async image(options) {
      const content = [
        { type: 'text', text: ASK },
        { type: 'image_url', image_url: { url: PIXEL } },
      ];
      const answer = await open(options).invoke([new HumanMessage({ content })]);
      return { text: answer.content, input: answer.usage_metadata.input_tokens };
    },
  };
  return { kinds, describe };
}
