// Fingerprints of what guards find: equal values can be told from others in the log, and none can be guessed.
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { keysOf } from '../../../../lambdas/execute/guards/load-guards.ts';
import { openGuarded } from './function.ts';

const ANN = 'ann.lee@mail.example.com';
const library = {
  pii: { type: 'pii', entities: ['email', 'card'] },
  secrets: { type: 'secrets' },
};
const use = { use: 'pii', on: ['input', 'output'], action: 'redact', fingerprints: true };

async function findsOf(guards: readonly object[], input: string, answer = 'Hi.', key?: string) {
  const model = openGuarded({ library, guards }, () => ({ text: answer }));
  const secrets = { read: async () => key ?? 'log-key', readAll: async () => ({}) };
  const ports = { ...model.ports, ...(key === undefined ? {} : { secrets }) };
  Object.assign(model.ports, ports);
  await model.call({ input });
  return model.entries[0]?.guards?.flatMap(({ finds }) => finds) ?? [];
}

describe('fingerprints', () => {
  it('tell equal values from others, in every neuron of an organization', async () => {
    const [finds] = await findsOf([use], `${ANN}, bob@mail.example.com and ${ANN}`);
    expect(finds).toEqual({
      type: 'email',
      count: 3,
      fingerprints: [expect.stringMatching(/^[0-9a-f]{16}$/), expect.stringMatching(/^[0-9a-f]{16}$/)],
    });
    const [again] = await findsOf([use], `It is ${ANN}`);
    expect(again?.fingerprints).toEqual(finds?.fingerprints?.slice(0, 1));
    expect(finds?.fingerprints?.[1]).not.toBe(finds?.fingerprints?.[0]);
  });

  it('are the same in an answer', async () => {
    const [inInput, inAnswer] = await findsOf([use], `It is ${ANN}`, `Was it ${ANN}?`);
    expect(inAnswer).toEqual(inInput);
  });

  it('are not there unless they are asked for', async () => {
    const { fingerprints: _asked, ...plain } = use;
    expect(await findsOf([plain], ANN)).toEqual([{ type: 'email', count: 1 }]);
  });

  it('are at most ten of a kind', async () => {
    const many = Array.from({ length: 30 }, (_, index) => `user${index}@mail.example.com`).join(' ');
    const [finds] = await findsOf([use], many);
    expect([finds?.count, finds?.fingerprints?.length]).toEqual([30, 10]);
  });

  it('are at most 200 of a request, and finds are counted all the same', async () => {
    const model = openGuarded({ library, guards: [use] });
    const messages = Array.from({ length: 40 }, (_, turn) => ({
      role: turn % 2 === 0 ? 'user' : 'assistant',
      content: Array.from({ length: 8 }, (_, index) => `user${turn}x${index}@mail.example.com`).join(' '),
    }));
    await model.call({ messages: [...messages, { role: 'user', content: 'Hi' }] });
    const finds = model.entries[0]?.guards?.flatMap((guard) => guard.finds) ?? [];
    expect(finds.reduce((sum, { count }) => sum + count, 0)).toBe(320);
    expect(finds.flatMap(({ fingerprints = [] }) => fingerprints)).toHaveLength(200);
  });

  it('are keyed: without the key of the organization no value can be tried', async () => {
    const [finds] = await findsOf([use], ANN);
    const [elsewhere] = await findsOf([use], ANN, 'Hi.', 'another-key');
    expect(elsewhere?.fingerprints).toHaveLength(1);
    expect(elsewhere?.fingerprints).not.toEqual(finds?.fingerprints);
    const ofNeuron = async (neuronId: string, read: () => Promise<string>) => {
      const settings = { organizationId: 'org-1', neuronId } as Parameters<typeof keysOf>[0];
      const guards = [{ action: 'flag', hasFingerprints: true }] as unknown as Parameters<typeof keysOf>[1];
      return keysOf(settings, guards, { secrets: { read } } as unknown as Parameters<typeof keysOf>[2]);
    };
    const [one, other] = await Promise.all(['a', 'b'].map((id) => ofNeuron(id, async () => 'k')));
    expect(one?.finds).toBe(other?.finds);
    expect([one?.masks === other?.masks, one?.masks === one?.finds]).toEqual([false, false]);
    await expect(ofNeuron('a', () => Promise.reject(new Error('down')))).rejects.toMatchObject({
      code: 'dependency_unavailable',
    });
    const open = createHmac('sha256', 'finds undefined').update(`email\n${ANN}`).digest('hex');
    const empty = createHmac('sha256', '').update(`email\n${ANN}`).digest('hex');
    expect([open.slice(0, 16), empty.slice(0, 16)]).not.toContain(finds?.fingerprints?.[0]);
  });
});
