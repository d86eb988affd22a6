// Each mistake of a request is named by a path that stands in what the caller sent, on every surface and at every member.
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../core/contract/service-error.ts';
import { toAnthropicName } from '../../../core/surfaces/anthropic/errors.ts';
import { parseAnthropicInvocation } from '../../../core/surfaces/anthropic/parse.ts';
import { parseInvocation } from '../../../core/surfaces/native/parse.ts';
import { toOpenaiName } from '../../../core/surfaces/openai/errors.ts';
import { parseOpenaiInvocation } from '../../../core/surfaces/openai/parse.ts';
import { toResponsesName } from '../../../core/surfaces/responses/errors.ts';
import { parseResponsesInvocation } from '../../../core/surfaces/responses/parse.ts';
import { isJsonObject, type JsonObject } from '../../../core/text/json.ts';

const NEURON = { organization: 'acme', neuron: 'coder', maxInputBytes: 100_000 };
const PNG = Buffer.from('89504e470d0a1a0a0000000d', 'hex').toString('base64');
const PDF = Buffer.from('%PDF-1.7 x').toString('base64');
const IMAGE = `data:image/png;base64,${PNG}`;
const DOCUMENT = `data:application/pdf;base64,${PDF}`;
const SCHEMA = { type: 'object', properties: { a: { type: 'string' } } };

const callOf = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{"a":1}' } });
const chatMessages = [
  { role: 'system', content: 'S' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Hi' },
      { type: 'image_url', image_url: { url: IMAGE, detail: 'low' } },
      { type: 'file', file: { file_data: DOCUMENT, filename: 'a.pdf' } },
    ],
  },
  { role: 'assistant', content: 'A', tool_calls: [callOf('a'), callOf('b')] },
  { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: '1' }] },
  { role: 'tool', tool_call_id: 'b', content: '2' },
];

/** Of each surface: its parser, its names for the paths of errors, and a request that has every member. */
const SURFACES: Readonly<
  Record<string, readonly [(body: string) => unknown, (path: string) => string, JsonObject]>
> = {
  native: [
    (body) => parseInvocation(unparsed(body), NEURON.maxInputBytes),
    (path) => path,
    { messages: chatMessages, tools: [{ type: 'function', function: { name: 'f', parameters: SCHEMA } }] },
  ],
  openai: [
    (body) => parseOpenaiInvocation(unparsed(body), NEURON),
    (path) => toOpenaiName(path, true),
    {
      model: 'coder',
      messages: chatMessages,
      tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters: SCHEMA } }],
      tool_choice: { type: 'function', function: { name: 'f' } },
      response_format: { type: 'json_schema', json_schema: { name: 's', schema: SCHEMA } },
      temperature: 1,
      max_tokens: 5,
      stop: ['x'],
      stream: true,
      stream_options: { include_usage: true },
    },
  ],
  responses: [
    (body) => parseResponsesInvocation(unparsed(body), NEURON),
    (path) => toOpenaiName(toResponsesName(path)),
    {
      model: 'coder',
      instructions: 'I',
      input: [
        { role: 'developer', content: [{ type: 'input_text', text: 'S' }] },
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'Hi' },
            { type: 'input_image', image_url: IMAGE, detail: 'low' },
            { type: 'input_file', file_data: DOCUMENT, filename: 'a.pdf' },
          ],
        },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'A' }] },
        { type: 'function_call', call_id: 'a', name: 'f', arguments: '{"a":1}', namespace: 'n' },
        { type: 'function_call', call_id: 'b', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'a', output: [{ type: 'input_text', text: '1' }] },
        { type: 'function_call_output', call_id: 'b', output: '2' },
      ],
      tools: [{ type: 'function', name: 'f', description: 'd', parameters: SCHEMA, strict: false }],
      tool_choice: { type: 'function', name: 'f' },
      text: { format: { type: 'json_schema', name: 's', schema: SCHEMA, strict: true } },
      reasoning: { effort: 'low', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
      max_output_tokens: 20,
      parallel_tool_calls: true,
      temperature: 1,
      top_p: 1,
      stream: true,
    },
  ],
  anthropic: [
    (body) => parseAnthropicInvocation(unparsed(body), NEURON),
    toAnthropicName,
    {
      model: 'coder',
      max_tokens: 100,
      system: [{ type: 'text', text: 'S', cache_control: { type: 'ephemeral', ttl: '1h' } }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hi' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
            {
              type: 'document',
              title: 'a',
              source: { type: 'base64', media_type: 'application/pdf', data: PDF },
            },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'A' },
            { type: 'tool_use', id: 'a', name: 'f', input: { a: 1 } },
            { type: 'tool_use', id: 'b', name: 'f', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'then' },
            {
              type: 'tool_result',
              tool_use_id: 'a',
              content: [{ type: 'text', text: '1' }],
              is_error: false,
            },
            { type: 'tool_result', tool_use_id: 'b', content: '2' },
          ],
        },
      ],
      tools: [{ name: 'f', description: 'd', input_schema: SCHEMA }],
      tool_choice: { type: 'tool', name: 'f', disable_parallel_tool_use: true },
      output_config: { effort: 'low', format: { type: 'json_schema', schema: SCHEMA } },
      temperature: 1,
      stop_sequences: ['x'],
      stream: true,
    },
  ],
};

function unparsed(body: string) {
  return { body, bypassCache: [], rawOutput: [], accept: [] };
}

/** What is put in the place of each value; undefined takes it out. */
const WRONG = [undefined, 5, '', 'x y\u0000', [], [5], {}, { type: 'x' }, '\ud800', true];

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): readonly Path[] {
  const entries = Array.isArray(value)
    ? value.map((item, index) => [index, item] as const)
    : Object.entries(isJsonObject(value) ? value : {});
  return [path, ...entries.flatMap(([name, item]) => pathsOf(item, [...path, name]))].filter(
    ({ length }) => length > 0,
  );
}

function withValueAt(body: unknown, path: Path, value: unknown): unknown {
  // As text and back: a schema that stands at two places is two.
  const copy = JSON.parse(JSON.stringify(body));
  const parent = path.slice(0, -1).reduce((at, name) => at[name], copy);
  const name = path.at(-1) ?? '';
  if (value !== undefined) parent[name] = value;
  else if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else delete parent[name];
  return copy;
}

/** The path that an error names, as names and indexes. */
function toPath(param: string): Path {
  return param.split(/\.|\[(\d+)\]/).flatMap((name) => (name === undefined || name === '' ? [] : [name]));
}

function standsIn(body: unknown, path: Path): boolean {
  let at: unknown = body;
  for (const name of path) {
    // Errors hold no name that a caller gave to a property.
    if (name === '*') return isJsonObject(at);
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return false;
    at = (at as Record<string, unknown>)[name];
  }
  return true;
}

describe.each(Object.keys(SURFACES))('a mistake on the surface %s', (surface) => {
  const [parse, nameOf, body] = SURFACES[surface] ?? [() => undefined, String, {}];

  it('is none in the request itself', () => {
    expect(parse(JSON.stringify(body))).toBeDefined();
  });

  it('is named by a path of the request, or of what it lacks', () => {
    // A native request without messages has an input.
    const names = new Set([...pathsOf(body).map((path) => path.at(-1)), 'input']);
    const foreign = new Set<string>();
    let mistakes = 0;
    for (const path of pathsOf(body)) {
      for (const wrong of WRONG) {
        const sent = withValueAt(body, path, wrong);
        try {
          parse(JSON.stringify(sent));
        } catch (thrown) {
          if (!(thrown instanceof ServiceError)) throw thrown;
          mistakes += 1;
          if (thrown.param === undefined) continue;
          expect(thrown.detail).toContain(`"${thrown.param}" `);
          const named = toPath(nameOf(thrown.param));
          const isOwn =
            standsIn(sent, named) || (standsIn(sent, named.slice(0, -1)) && names.has(named.at(-1) ?? ''));
          if (!isOwn)
            foreign.add(
              `${path.join('.')} = ${JSON.stringify(wrong)}: ${nameOf(thrown.param)} ${thrown.detail}`,
            );
        }
      }
    }
    expect(mistakes).toBeGreaterThan(100);
    expect([...foreign]).toEqual([]);
  });
});
