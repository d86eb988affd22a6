// What comes of each failure of each type of guard by a service, on each surface, whole and streamed, on the way in and on the way out.
import { describe, expect, it } from 'vitest';
import { someOf } from '../../../support/every-case.ts';
import { codeOf, ELSEWHERE, FAILURES, type Failure, throughFailure } from './every-failure.ts';
import { ANSWER, KINDS, openKind } from './every-service.ts';
import {
  type AnyForm,
  answerWith,
  anyBodyOf,
  EVERY_FORM,
  received,
  settingsOf,
  unavailableIn,
} from './one-service.ts';

interface Case extends AnyForm {
  readonly kind: string;
  readonly failure: Failure;
  readonly on: 'input' | 'output';
  readonly onFailure: 'closed' | 'open';
}

const USES = (['input', 'output'] as const).flatMap((on) =>
  (['closed', 'open'] as const).map((onFailure) => ({ on, onFailure })),
);
const CASES: readonly Case[] = Object.keys(KINDS).flatMap((kind) =>
  FAILURES.flatMap((failure) =>
    EVERY_FORM.flatMap((form) => USES.map((use) => ({ kind, failure, ...form, ...use }))),
  ),
);

async function tryCase({ kind: name, failure, on, onFailure, ...form }: Case) {
  const kind = KINDS[name];
  if (kind === undefined) throw new Error(`no service ${name}`);
  answerWith(() => failure.answer);
  const guarded = openKind(kind, { on: [on], onFailure }, { settings: settingsOf(form) });
  const got = await throughFailure(failure, guarded.call(anyBodyOf(form), form), guarded.clock);
  return { ...guarded, got };
}

describe('the table of failures', () => {
  it.each(someOf(CASES, 41))(
    'of $kind that answers $failure.name, $onFailure on $on of $surface, streamed: $stream, of an organization: $isOfOrganization',
    async (one) => {
      const { failure, on, onFailure } = one;
      const { got, asked, entries, lines } = await tryCase(one);
      const passes = onFailure === 'open' && failure.fate === 'passes';
      const isAsked = on === 'output' || passes;
      expect(asked).toHaveLength(isAsked ? 1 : 0);
      expect(got.status).toBe(passes ? 200 : failure.status);
      expect(got.text.includes(ANSWER)).toBe(passes);
      expect(got.text).not.toMatch(/ours|ServerError|down/);
      expect(entries).toHaveLength(1);
      expect(entries[0]?.code).toBe(passes ? undefined : codeOf(failure));
      expect(entries[0]?.guards).toMatchObject([
        { guard: 'ours', stage: on, action: 'block', finds: [], notJudged: failure.notJudged },
      ]);
      expect(entries[0]?.modelCalls.map(({ model }) => model).sort()).toEqual(
        isAsked ? ['m', 'ours'] : ['ours'],
      );
      expect(unavailableIn(lines)).toBe(1);
    },
  );

  it('has sent nothing on by a redirect', () => {
    expect(received().length).toBeGreaterThan(0);
    expect(received().some(({ path }) => path === ELSEWHERE)).toBe(false);
  });
});
