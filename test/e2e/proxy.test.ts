// The neuron that `neuron init --proxy` writes: applied as it is, it takes everything that clients send on each surface.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Stack, startStack } from './support/stack.ts';

const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let stack: Stack;
let key: string;
beforeAll(async () => {
  const folder = join(temporaryFolder(), 'proxy');
  stack = await startStack({});
  await stack.operate(['init', folder, '--proxy']);
  await stack.operate(['apply', folder]);
  key = (await stack.operate(['keys', 'create', 'my-organization', '--name', 'laptop'])).trim();
});
afterAll(() => stack?.stop());

const call = (
  route: string,
  json: object,
  headers: Record<string, string> = { authorization: `Bearer ${key}` },
) => stack.call(`/v1/my-organization/proxy/${route}`, { json: { model: 'proxy', ...json }, headers });

const TOOL = { name: 'look_up', parameters: { type: 'object', properties: {} } };

it('takes every part of a chat completion', async () => {
  const answer = await call('chat/completions', {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Earlier' },
      {
        role: 'assistant',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look_up', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'Found' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hello' },
          { type: 'image_url', image_url: { url: PNG } },
          { type: 'image_url', image_url: { url: 'https://images.example.com/a.png' } },
        ],
      },
    ],
    tools: [{ type: 'function', function: TOOL }],
    ...{ temperature: 0.5, top_p: 0.9, seed: 1, stop: ['END'], max_completion_tokens: 5_000 },
    ...{ reasoning_effort: 'low', parallel_tool_calls: true, presence_penalty: 0.5 },
  });
  expect(answer.text).toContain('You said: Hello');
  expect(answer.status).toBe(200);
});

it('takes a schema', async () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } } };
  const { status, text } = await call('chat/completions', {
    messages: [{ role: 'user', content: '{"city":"Bern"}' }],
    response_format: { type: 'json_schema', json_schema: { name: 'place', schema } },
  });
  expect(text).not.toContain('not_accepted');
  expect(status).toBe(200);
});

it('takes what agents send in Responses and Messages', async () => {
  const response = await call('responses', {
    instructions: 'Be brief.',
    input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }],
    tools: [{ type: 'function', ...TOOL, strict: false }],
    ...{ reasoning: { summary: 'auto' }, include: ['reasoning.encrypted_content'], store: false },
  });
  expect(response.text).toContain('You said: Hello');
  const message = await call(
    'v1/messages?beta=true',
    {
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      messages: [{ role: 'user', content: 'Hello' }],
      tools: [{ name: 'look_up', input_schema: TOOL.parameters }],
      ...{ max_tokens: 32_000, thinking: { type: 'adaptive' } },
    },
    { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
  );
  expect(message.text).toContain('You said: Hello');
  expect([response.status, message.status]).toEqual([200, 200]);
});

it('lets nobody in without a key', async () => {
  const answer = await call('chat/completions', { messages: [{ role: 'user', content: 'Hello' }] }, {});
  expect(answer.status).toBe(401);
});
