// Figures of guards through a configuration: what counts as found, what is in no ratio, what it costs, and what is drawn.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../adapters/platform/clock.ts';
import { createDraw } from '../../bench/guards/config/draw.ts';
import { measurePersonal, measurePrompts } from '../../bench/guards/config/figures.ts';
import { openConfig, variableOf } from '../../bench/guards/config/open-config.ts';
import { readOptions, toConfigRun } from '../../bench/guards/config/options.ts';
import { type GuardRecord, renderSection } from '../../bench/guards/config/records.ts';
import { activeGuards } from '../../core/guards/active-guards.ts';
import { GuardFailure } from '../../core/ports/guards.ts';
import type { Guard } from '../../core/settings/guards/guards-schema.ts';
import { organizationSchema } from '../../core/settings/organization-schema.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const OURS = {
  type: 'webhook',
  endpoint: 'https://guard.example.com',
  secret: { secret: 'hmac' },
  prices: { call: 0.001 },
};
const { guards } = organizationSchema.parse({ organization: 'acme', guards: { ours: OURS } });
const [ours] = activeGuards(
  {
    organization: { guards: guards as Record<string, Guard> },
    neuron: { guards: [{ use: 'ours', on: ['input', 'toolResults'], action: 'block' }] },
  },
  { isPhoneNumber: () => false },
);
if (ours === undefined) throw new Error('there is no guard');

/** Blocks what has the word, and fails for what has the other. */
const ports = {
  clock: systemClock,
  atOnce: 2,
  costOfModel: () => null,
  open: async () => ({
    inspect: async ({ texts }: { readonly texts: readonly { readonly text: string }[] }) => {
      const [{ text } = { text: '' }] = texts;
      if (text.includes('broken')) throw new GuardFailure('unreadable', 200);
      const start = text.indexOf('Ann');
      const finds = start < 0 ? [] : [{ entity: 'PERSON', text: 0, span: { start, end: start + 3 } }];
      const isFound = text.includes('attack') || finds.length > 0;
      return {
        verdict: isFound ? ('block' as const) : ('none' as const),
        finds,
        usage: { units: { call: 1 } },
      };
    },
  }),
};

describe('figures of a guard', () => {
  it('count attacks and harmless prompts, and leave those without a verdict out of the ratios', async () => {
    const prompts = [
      { text: 'an attack', isBad: true },
      { text: 'a hidden one', isBad: true },
      { text: 'about an attack', isBad: false },
      ...['a', 'b', 'c'].map((text) => ({ text, isBad: false })),
      { text: 'broken attack', isBad: true },
    ];
    const figures = await measurePrompts(ours, { name: 'a set', stage: 'toolResults', prompts }, ports);
    expect(figures).toMatchObject({
      texts: 7,
      wanted: 3,
      recall: 1 / 2,
      precision: 1 / 2,
      falseAlarms: 1 / 4,
    });
    // An unreadable answer is booked as a request books it: in full.
    expect(figures).toMatchObject({ notJudged: 1, dollarsPer1000: 1 });
  });

  it('say nothing of what a set has none of', async () => {
    const benign = { name: 'benign', stage: 'input' as const, prompts: [{ text: 'a', isBad: false }] };
    expect(await measurePrompts(ours, benign, ports)).toMatchObject({
      recall: null,
      precision: null,
      falseAlarms: 0,
    });
  });

  it('count a find of personal data where it overlaps a mark of its kind', async () => {
    const mark = (kind: string, start: number, end: number) => ({ kind, start, end });
    const texts = [
      { text: 'I am Ann Lee.', marks: [mark('PERSON', 5, 12)] },
      { text: 'Ann is a place.', marks: [mark('GPE', 0, 3)] },
      { text: 'Bob.', marks: [mark('PERSON', 0, 3)] },
    ];
    const rows = await measurePersonal(ours, ['PERSON', 'NOT_IN_THE_SET'], texts, ports);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      set: 'presidio-research: PERSON',
      wanted: 2,
      recall: 1 / 2,
      precision: 1 / 2,
    });
  });
});

describe('a configuration', () => {
  it('is the library of one organization of a settings file', async () => {
    const path = join(temporaryFolder(), 'guards.yaml');
    const library = 'guards: { words: { type: patterns, deny: [falcon] } }';
    writeFileSync(path, `organization: acme\n${library}\n---\norganization: other\n`);
    await expect(openConfig(path, undefined)).rejects.toThrow('has 2 organizations');
    await expect(openConfig(path, 'nobody')).rejects.toThrow('has 0 organizations nobody');
    expect([...(await openConfig(path, 'acme')).guards.keys()]).toEqual(['words']);
    writeFileSync(path, 'organization: acme\nguards: { words: { type: patterns } }\n');
    await expect(openConfig(path, undefined)).rejects.toThrow(/is invalid:\n.*deny/);
  });

  it('has its secrets in variables', () => {
    expect(variableOf('azure-cs')).toBe('GUARDS_SECRET_AZURE_CS');
  });

  it('is run by options that are whole', () => {
    const run = toConfigRun(readOptions(['--config', 'a.yaml', '--texts', '20', '--version', 'a=b=c']));
    expect(run).toMatchObject({ config: 'a.yaml', texts: 20, seed: 1, atOnce: 1, versions: { a: 'b=c' } });
    expect(toConfigRun(readOptions([]))).toBeUndefined();
    for (const wrong of [
      ['--texts', '0'],
      ['--seed', 'x'],
      ['--version', 'a'],
      ['--at-once', '-1'],
    ])
      expect(() => toConfigRun(readOptions(['--config', 'a', ...wrong]))).toThrow();
  });
});

it('the same seed draws the same', () => {
  const drawn = (seed: number) => {
    const draw = createDraw(seed);
    return Array.from({ length: 50 }, () => draw(1_000));
  };
  expect(drawn(7)).toEqual(drawn(7));
  expect(drawn(7)).not.toEqual(drawn(8));
  expect(drawn(7).every((one) => one >= 0 && one < 1_000)).toBe(true);
});

describe('the section of the page', () => {
  const record: GuardRecord = {
    guard: 'ours',
    type: 'webhook',
    version: '1.0',
    isFake: false,
    date: '2026-11-28',
    node: '24',
    machine: 'm',
    seed: 1,
    texts: null,
    atOnce: 1,
    rows: [
      {
        set: 'a set',
        stage: 'input',
        texts: 3,
        wanted: 1,
        recall: 0.5,
        precision: null,
        falseAlarms: 0,
        notJudged: 1,
        p50Ms: 2,
        p95Ms: 3,
        dollarsPer1000: null,
      },
    ],
  };

  it('has a row for what was measured, and an empty one for each type that needs an account', () => {
    const section = renderSection([record]);
    expect(section).toContain(
      '| `webhook` ours | a set | `input` | 3 | 1 | 0.500 | – | 0.000 | 1 | 2.0 | 3.0 | no price |',
    );
    expect(section).toContain('| `bedrock` | an AWS account with a guardrail |  |  |  |  |  |');
    expect(section).not.toContain('| `webhook` | a service of your own |');
  });

  it('marks stand-ins, which are no measurement of their type', () => {
    const section = renderSection([{ ...record, isFake: true }]);
    expect(section).toContain('`webhook` ours (stand-in)');
    expect(section).toContain('| `webhook` | a service of your own |  |  |  |  |  |');
    expect(section).not.toContain('| a set |');
  });
});
