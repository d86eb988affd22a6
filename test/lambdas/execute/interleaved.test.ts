// Many calls in one process: each answer, entry, line, key and limit belongs to its own call, whatever runs beside it.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  LIMIT,
  type ManyCall,
  NEURONS,
  ORGANIZATIONS,
  openEnvironment,
  SURFACES,
} from './many-organizations.ts';

const CALLS = 64;
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 100) / 10;

const anyCall: fc.Arbitrary<ManyCall> = fc.record({
  organization: fc.constantFrom(...ORGANIZATIONS),
  neuron: fc.constantFrom(...NEURONS),
  surface: fc.constantFrom(...SURFACES),
  stream: fc.boolean(),
  isKilled: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
});

/** In words that no event cuts in a way that JSON would write otherwise. */
const markOf = (index: number) => `mark${index}end`;
const MARKS = /mark\d+end/g;

it(
  '64 calls of eight organizations beside each other, on all surfaces, stay apart',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyCall, { minLength: CALLS, maxLength: CALLS }), async (calls) => {
        const environment = openEnvironment();
        const answers = await Promise.all(
          calls.map((one, index) =>
            environment.call(one, `I am ${markOf(index)}@mail.example.com`, `call-${index}`),
          ),
        );
        const { entries, lines, asked } = environment;
        for (const [index, one] of calls.entries()) {
          const { status, text } = answers[index] ?? { status: 0, text: '' };
          const others = [...textOf(text).matchAll(MARKS)].filter(([mark]) => mark !== markOf(index));
          expect(others, `answer ${index}`).toEqual([]);
          if (one.isKilled) expect([200, 429, 503]).toContain(status);
          else expect(one.neuron === 'limited' ? [200, 429] : [200]).toContain(status);
          if (status === 200 && !one.isKilled) expect(textOf(text)).toContain(markOf(index));
          const own = entries.filter(({ executionId }) => executionId === `call-${index}`);
          expect(own).toHaveLength(1);
          expect(own[0]).toMatchObject({ organization: one.organization, neuron: one.neuron, status });
          const written = lines.filter((line) => line.includes(`"executionId":"call-${index}"`));
          expect(written.length).toBeGreaterThan(0);
          expect(written.every((line) => line.includes(`"organization":"${one.organization}"`))).toBe(true);
          const marks = JSON.stringify(own).match(MARKS) ?? [];
          expect(marks.filter((mark) => mark !== markOf(index))).toEqual([]);
          if (one.neuron === 'guarded') expect(marks).toEqual([]);
        }
        for (const { key, body } of asked) {
          const [mark] = body.match(MARKS) ?? [];
          if (mark === undefined) continue;
          const { organization } = calls[Number(/\d+/.exec(mark)?.[0])] ?? {};
          expect(key).toBe(`Bearer sk-${organization}`);
        }
        for (const organization of ORGANIZATIONS) {
          const limited = calls.flatMap((one, index) =>
            one.organization === organization && one.neuron === 'limited' ? [answers[index]?.status] : [],
          );
          const admitted = limited.filter((status) => status !== 429).length;
          expect(admitted).toBe(Math.min(LIMIT, limited.length));
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  },
  60_000 + RUNS * 1_000,
);

/** The texts of all events as one: a mark may be cut between two of them. */
function textOf(answer: string): string {
  if (!answer.includes('data: ')) return answer;
  const pieces = answer.split('\n').flatMap((line) => {
    if (!line.startsWith('data: {')) return [];
    const { text, delta, choices } = JSON.parse(line.slice(6));
    return [text ?? choices?.[0]?.delta?.content ?? (typeof delta === 'string' ? delta : delta?.text) ?? ''];
  });
  return `${pieces.join('')} ${answer}`;
}
