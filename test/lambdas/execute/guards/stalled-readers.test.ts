// Readers that stand still until the deadline of their run: the run ends all the same, and nothing follows the error that they read then.
import type { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openGuarded, type Told } from './function.ts';

/** UTF-16 units that wait for a reader before a writer waits, too. */
const ROOM = 16_384;
const DEADLINE_MS = 10_000;

const flow = [
  {
    callModel: {
      ...{ provider: 'model', model: 'm', maxTokens: 500, retries: 0 },
      showReasoning: true,
      accepts: 'all',
    },
  },
];
/** So long that its frame leaves room for no other, and its writer goes on all the same; behind it a guard holds three characters back. */
const NEARLY_FULL = `${'x'.repeat(ROOM - 500)} fal`;
const tools = [{ type: 'function', function: { name: 'find', parameters: { type: 'object' } } }];
const CALLS = [{ name: 'find', arguments: '{"of":"hawk"}' }];

const library = { words: { type: 'patterns', deny: ['falcon'] } };
const guards = [{ use: 'words', on: ['output'], action: 'block' }];

/** A stream of which nothing is read until its deadline has passed; then all of it. */
async function readLate(neuron: Parameters<typeof openGuarded>[0], told: Told) {
  const model = openGuarded({ flow, settings: { deadline: '10s' }, ...neuron }, () => told);
  const json = { model: 'support', stream: true, tools, messages: [{ role: 'user', content: 'Hello' }] };
  const served = await model.begin(json, { surface: 'openai' }).served;
  const answer = served.answer();
  let isFinished = false;
  const finished = served.finish().then(() => {
    isFinished = true;
  });
  for (let turns = 0; turns < 50; turns += 1) await turn();
  await model.clock.advance(DEADLINE_MS);
  for (let turns = 0; turns < 50; turns += 1) await turn();
  const atDeadline = { isFinished, entries: model.entries.map(({ outcome, code }) => ({ outcome, code })) };
  const read = await readAll(answer.body as Readable);
  await finished;
  for (let turns = 0; turns < 50; turns += 1) await turn();
  return { atDeadline, read };
}

async function readAll(body: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of body) {
    pieces.push(piece as Buffer);
    // Whoever waited for room writes before the reader asks again.
    for (let turns = 0; turns < 5; turns += 1) await turn();
  }
  return Buffer.concat(pieces).toString();
}

const ENDED = {
  isFinished: true,
  entries: [{ outcome: 'failed', code: 'deadline_exceeded' }],
};
const LAST = /data: \{"error":\{[^\n]*"code":"deadline_exceeded"[^\n]*\}\n\n(data: \[DONE\]\n\n)?$/;

describe('a reader that stands still until the deadline', () => {
  it.each<[string, Parameters<typeof openGuarded>[0], Told]>([
    ['texts', {}, { text: 'x'.repeat(4 * ROOM), size: ROOM }],
    ['a text behind thoughts', {}, { thought: 'x'.repeat(ROOM), text: 'Behind them.', size: ROOM }],
    ['texts behind guards', { library, guards }, { text: 'hawk '.repeat(4 * ROOM), size: 2 * ROOM }],
    [
      'a text that guards hold back until the answer has ended',
      { library, guards },
      { text: NEARLY_FULL, size: 2 * ROOM },
    ],
    [
      'a call behind such a text',
      { library, guards },
      { text: NEARLY_FULL, toolCalls: CALLS, size: 2 * ROOM },
    ],
  ])('ends its run with an error, the last that it reads: %s', async (_what, neuron, told) => {
    const { atDeadline, read } = await readLate(neuron, told);
    expect(atDeadline).toEqual(ENDED);
    expect(read).toMatch(LAST);
    expect(read.match(/"error":/g)).toHaveLength(1);
  });
});
