// The same variables on every surface: one run, and one mistake for each value of a wrong type.
import { describe, expect, it } from 'vitest';
import { variablesSchema } from '../../../../core/settings/variables/variables-schema.ts';
import { inputSchemaOf } from '../../../../core/surfaces/mcp/input-schema.ts';
import { openGuarded } from '../guards/function.ts';

const VARIABLES = {
  text: { type: 'string', maxLength: 20 },
  kind: { type: 'string', enum: ['a', 'b'] },
  days: { type: 'number', max: 30 },
  polite: { type: 'boolean' },
};
const FLOW = [
  {
    callModel: {
      ...{ provider: 'model', model: 'm', maxTokens: 50, retries: 0, accepts: ['parameters'] },
      prompt: '{{text}}|{{kind}}|{{days}}|{{polite}}|{{input}}',
    },
  },
];
const USER = { role: 'user', content: 'Hello' };
const metadataOf = (variables: unknown) => ({ metadata: { variables: JSON.stringify(variables) } });

/** Each surface with the body of a call, and where its variables are. */
const SURFACES = {
  native: { at: 'variables', body: (variables: unknown) => ({ input: 'Hello', variables }) },
  openai: {
    at: 'metadata.variables',
    body: (variables: unknown) => ({ model: 'support', messages: [USER], ...metadataOf(variables) }),
  },
  responses: {
    at: 'metadata.variables',
    body: (variables: unknown) => ({ model: 'support', input: 'Hello', ...metadataOf(variables) }),
  },
  anthropic: {
    at: 'metadata.variables',
    body: (variables: unknown) => ({
      ...{ model: 'support', max_tokens: 50, messages: [USER] },
      ...metadataOf(variables),
    }),
  },
} as const;
const surfaces = Object.keys(SURFACES) as (keyof typeof SURFACES)[];

const VALUES = ['a', '', 'x'.repeat(21), 3, 31, true, null, [], {}, ['a']] as const;
const isTaken = (name: string, value: unknown): boolean => {
  if (value === null) return true;
  if (name === 'text') return typeof value === 'string' && value.length <= 20;
  if (name === 'kind') return value === 'a';
  return name === 'days' ? value === 3 : value === true;
};

function open(neuron: Parameters<typeof openGuarded>[0] = {}) {
  const model = openGuarded({ variables: VARIABLES, flow: FLOW, ...neuron });
  const promptOf = () => JSON.parse(model.asked.at(-1) ?? '{}').messages.at(-1).content;
  return { ...model, promptOf };
}

describe.each(surfaces)('on %s', (surface) => {
  const { at, body } = SURFACES[surface];

  it('variables are filled in', async () => {
    const { call, promptOf } = open();
    const { status, headers } = await call(
      body({ text: 'é {{kind}}', kind: 'b', days: -2.5, polite: false }),
      { surface },
    );
    expect([status, promptOf()]).toEqual([200, 'é {{kind}}|b|-2.5|false|Hello']);
    expect(headers['X-Neuron-Left-Out']).toBeUndefined();
  });

  it('a value of each type is taken for each type, or refused with its path', async () => {
    const { call, asked } = open();
    let taken = 0;
    for (const name of Object.keys(VARIABLES)) {
      for (const value of VALUES) {
        const { status, text } = await call(body({ [name]: value }), { surface });
        const isGood = isTaken(name, value);
        if (isGood) taken += 1;
        expect([name, value, status < 300]).toEqual([name, value, isGood]);
        if (!isGood) expect(text).toContain(`${at}.${name}`);
      }
    }
    expect(asked).toHaveLength(taken);
  });

  it('a name that is not declared is refused with its path', async () => {
    const { call, asked } = open();
    const { status, text } = await call(body({ other: 'a' }), { surface });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).toContain(`${at}.other`);
    expect(text).toContain('is no variable of this neuron: it has text, kind, days, polite.');
    expect(asked).toEqual([]);
  });
});

describe('metadata.variables', () => {
  const surface = 'openai';
  const bodyOf = (variables: unknown) => ({ model: 'support', messages: [USER], metadata: { variables } });

  it.each(['', 'text', '[]', '"text"', '{', '1', 7, {}, '[{"text":"a"}]', `{${'"a":1,'.repeat(300)}"b":1}`])(
    'must be the text of an object: %j',
    async (variables) => {
      const { call } = open();
      const { status, text } = await call(bodyOf(variables), { surface });
      expect([status, text]).toEqual([
        400,
        expect.stringContaining('\\"metadata.variables\\" must be the text of a JSON object'),
      ]);
    },
  );

  it('names no prototype', async () => {
    const { call, promptOf } = open();
    const { text } = await call(bodyOf('{"__proto__":{"text":"a"}}'), { surface });
    expect(text).toContain('has a name that is no variable');
    expect((await call(bodyOf('{}'), { surface })).status).toBe(200);
    expect(promptOf()).toBe('||||Hello');
  });

  it('is a label of a neuron without variables, and left out by name', async () => {
    const flow = [{ callModel: { provider: 'model', model: 'm' } }];
    const { call } = open({ variables: {}, flow });
    const { status, headers } = await call(bodyOf('{"text":"a"}'), { surface });
    expect([status, headers['X-Neuron-Left-Out']]).toEqual([200, 'metadata']);
  });

  it('names only what else is in the metadata as left out', async () => {
    const { call } = open();
    const body = { model: 'support', messages: [USER], metadata: { variables: '{}', other: 'x' } };
    const { headers } = await call(body, { surface });
    expect(headers['X-Neuron-Left-Out']).toBe('metadata.other');
  });

  it('is masked where an answer repeats it, and whole for its caller', async () => {
    const library = { pii: { type: 'pii', entities: ['email'] } };
    const guards = [{ use: 'pii', on: ['input'], action: 'mask' }];
    const { call, asked, kept } = open({
      library,
      guards,
      variables: { text: { type: 'string' } },
      flow: [{ callModel: { provider: 'model', model: 'm', prompt: '{{text}}' } }],
    });
    const variables = JSON.stringify({ text: 'ann.lee@mail.example.com' });
    const body = { model: 'support', input: 'Hello', metadata: { variables } };
    const { text } = await call(body, { surface: 'responses', idempotencyKey: 'k' });
    expect(JSON.parse(text).metadata.variables).toBe(variables);
    expect(asked.join('') + kept()).not.toContain('ann.lee');
  });
});

describe('the parameters of a tool', () => {
  it('are the variables of its version, with the input', () => {
    const declared = variablesSchema.parse({
      ...VARIABLES,
      tone: { type: 'string', enum: ['x'], default: 'x', description: 'How to answer' },
      order: { type: 'number', required: true, min: 1 },
    });
    expect(inputSchemaOf(declared)).toEqual({
      type: 'object',
      properties: {
        input: { type: 'string', description: 'The text to send.' },
        text: { type: 'string', maxLength: 20 },
        kind: { type: 'string', enum: ['a', 'b'] },
        days: { type: 'number', maximum: 30 },
        polite: { type: 'boolean' },
        tone: { type: 'string', description: 'How to answer', enum: ['x'], default: 'x' },
        order: { type: 'number', minimum: 1 },
      },
      required: ['order'],
      additionalProperties: false,
    });
    expect(inputSchemaOf({})).toMatchObject({ required: ['input'] });
  });
});
