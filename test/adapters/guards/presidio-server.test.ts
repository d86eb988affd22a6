// The guard beside Presidio's own server, by what that answered to the same bytes (record-presidio.ts).
import { expect, it } from 'vitest';
import fixture from './fixtures/presidio.json' with { type: 'json' };
import { answerWith, inspect, received, useServer } from './service-server.ts';

useServer();

/** Values as a reader in Python would cut them: by code points. */
function valuesOf(text: string, answer: string): readonly (readonly [string, string])[] {
  const points = [...text];
  const finds = JSON.parse(answer) as { entity_type: string; start: number; end: number }[];
  return finds.map(({ entity_type, start, end }) => [entity_type, points.slice(start, end).join('')]);
}

it.each(fixture.recorded.map((one) => [one.text, one] as const))(
  'is asked, and understood, about %s',
  async (text, { settings, request, status, answer }) => {
    answerWith({ status, headers: { 'content-type': 'application/json' }, stream: answer });
    const guard = (endpoint: string) => ({ type: 'presidio', endpoint, ...settings });
    const inspected = inspect(guard, { texts: [{ role: 'user', text }] }).catch((thrown) => thrown);
    const got = await inspected;
    expect(received().at(-1)).toMatchObject({ path: '/analyze', body: request });
    if (status !== 200) {
      expect(got).toMatchObject({ name: 'GuardFailure', kind: 'server_error', status: 500 });
      return;
    }
    const wanted = valuesOf(text, answer);
    expect(got.verdict).toBe(wanted.length === 0 ? 'none' : 'block');
    expect(
      got.finds.map(({ entity, span }: { entity: string; span: { start: number; end: number } }) => [
        entity,
        text.slice(span.start, span.end),
      ]),
    ).toEqual(wanted);
  },
);

it('is recorded with finds behind characters of two code units, with none, and with an error', () => {
  const { recorded } = fixture;
  expect(recorded.filter(({ status }) => status === 500)).toHaveLength(2);
  expect(recorded.filter(({ answer }) => answer === '[]')).toHaveLength(1);
  const values = recorded.flatMap(({ text, status, answer }) =>
    status === 200 ? valuesOf(text, answer) : [],
  );
  expect(values).toContainEqual(['EMAIL_ADDRESS', 'bob@example.org']);
  expect(values).toContainEqual(['US_DRIVER_LICENSE', 'AC432223']);
});
