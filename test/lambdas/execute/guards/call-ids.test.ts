// Ids of calls, which clients and providers make: one that holds a value is exchanged on its way to a model and back, and the call stays one.
import { describe, expect, it } from 'vitest';
import { openGuarded } from './function.ts';

const SSN = '123-45-6789';
const TOKEN = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
const library = { pii: { type: 'pii', entities: ['usSsn'] }, secrets: { type: 'secrets' } };
const parameters = { type: 'object', properties: {} };
const tools = [{ type: 'function', function: { name: 'find', parameters } }];

function messagesWith(ids: readonly string[]) {
  const call = (id: string) => ({ id, type: 'function', function: { name: 'find', arguments: '{}' } });
  return [
    { role: 'user', content: 'Go on.' },
    { role: 'assistant', content: null, tool_calls: ids.map(call) },
    ...ids.map((id) => ({ role: 'tool', tool_call_id: id, content: 'Found.' })),
  ];
}

const openFor = (action: string, told: Parameters<typeof openGuarded>[1] = () => ({ text: 'Yes.' })) =>
  openGuarded(
    {
      library,
      guards: Object.keys(library).map((use) => ({ use, on: ['input', 'output'], action })),
      settings: { caching: { exact: true } },
    },
    told,
  );

describe('ids of calls that a caller sends', () => {
  it.each(['redact', 'block'])('reach no model with a value, and stay in pairs (%s)', async (action) => {
    const model = openFor(action);
    const messages = messagesWith([SSN, 'call00001', TOKEN]);
    const { status } = await model.call({ messages, tools });
    expect(status).toBe(200);
    const sent = JSON.parse(model.asked[0] ?? '').messages;
    const called = sent[1].tool_calls.map(({ id }: { readonly id: string }) => id);
    expect(called).toEqual(['call00002', 'call00001', 'call00003']);
    expect(sent.slice(2).map((one: { readonly tool_call_id: string }) => one.tool_call_id)).toEqual(called);
    expect(model.asked[0] + model.kept()).not.toMatch(/6789|ghp_/);
  });

  it('stay where guards only flag, and where they hold nothing', async () => {
    const flagging = openFor('flag');
    await flagging.call({ messages: messagesWith([SSN]), tools });
    expect(flagging.asked[0]).toContain(SSN);
    const acting = openFor('redact');
    await acting.call({ messages: messagesWith(['call_9f3b', 'toolu_01']), tools });
    expect(acting.asked[0]).toContain('call_9f3b');
  });

  it('are one request to the cache as long as they are the same', async () => {
    const model = openFor('redact');
    const json = { messages: messagesWith([SSN]), tools };
    await model.call(json);
    expect(JSON.parse((await model.call(json)).text).fromCache).toBe(true);
  });
});

describe('ids of calls of an answer', () => {
  const chunk = (delta: object) => ({ choices: [{ index: 0, delta }] });
  const calls = [SSN, 'call_9f3b'].map((id, index) => ({
    ...{ index, id, type: 'function' },
    function: { name: 'find', arguments: '{}' },
  }));
  const told = {
    body: { choices: [{ message: { content: null, tool_calls: calls }, finish_reason: 'tool_calls' }] },
    chunks: [
      ...calls.map((call) => chunk({ tool_calls: [call] })),
      { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
    ],
  };

  it.each([false, true])('are the same in every part of it (streamed: %s)', async (stream) => {
    const model = openFor('redact', () => told);
    const messages = messagesWith(['call00001']);
    const { text } = await model.call({ messages, tools }, { stream });
    const ids = [...text.matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id);
    expect([...new Set(ids)]).toEqual(['call00002', 'call_9f3b']);
    expect(text + model.kept()).not.toContain('6789');
  });
});
