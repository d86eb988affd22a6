// A value at each place of an answer as Anthropic, Bedrock and OpenAI's Responses write it: it reaches no caller, and nothing that is kept.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Told } from '../function.ts';
import { anthropic } from './anthropic.ts';
import { bedrock } from './bedrock.ts';
import { CANARIES, callOf, SURFACES, WAYS } from './call.ts';
import { responses } from './responses.ts';

beforeAll(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY');
});
afterAll(() => void vi.unstubAllEnvs());

const VENDORS = { anthropic, bedrock, responses };
const SHAPES = Object.entries(VENDORS).flatMap(([vendor, { shapes, ...rest }]) =>
  Object.entries(shapes).map(([name, shape]) => ({ vendor, name, ...rest, ...shape })),
);

/** A stream with an error within is not begun where its answer is one. */
const toldFor = (told: Told, stream: boolean): Told => {
  if (!stream || (told.chunks ?? told.frames) === undefined) return told;
  return { ...told, status: 200 };
};

describe.each(SHAPES)('$name of $vendor', ({ told, reach, fails = false, provider, model: name }) => {
  it.each(WAYS)('shows nothing by $surface to $action, streamed: $stream', async (way) => {
    const { model, answer, found } = await callOf(toldFor(told, way.stream), way, { provider, model: name });
    expect(found).toEqual([]);
    expect(model.asked).toHaveLength(1);
    expect(model.entries[0]?.code !== undefined).toBe(fails);
    if (!fails) expect(answer.status).toBe(200);
  });

  it.each([false, true])('would be found, streamed: %s', async (stream) => {
    const ways = SURFACES.map((surface) => ({ surface, action: 'flag', stream }));
    const tried = await Promise.all(
      ways.map((way) => callOf(toldFor(told, stream), way, { provider, model: name })),
    );
    const isShown = tried.some(({ answer }) => CANARIES.some((one) => answer.text.includes(one)));
    const isFound = tried.some(({ found }) => found.length > 0);
    expect([isShown, isFound]).toEqual([reach === 'answer', reach !== 'nowhere']);
  });
});
