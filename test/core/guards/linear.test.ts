// No text makes a guard slow: four times the text takes some four times the CPU, whatever rule it nearly matches, again and again.
import { describe, expect, it } from 'vitest';
import { isPhoneNumber } from '../../../adapters/phone/is-phone-number.ts';
import { drawMatching } from '../../../bench/guards/draw-matching.ts';
import { activeGuards } from '../../../core/guards/active-guards.ts';
import { withBothCases } from '../../../core/guards/secrets/both-cases.ts';
import { OWN_RULES } from '../../../core/guards/secrets/own-rules.ts';
import data from '../../../core/guards/secrets/rules.json' with { type: 'json' };
import type { Organization } from '../../../core/settings/organization-schema.ts';
import { isEveryCase, someOf } from '../../support/every-case.ts';

const LENGTH = 8_000;
const TIMES = 4;
/** Quadratic growth takes sixteen times as long, and linear growth four times. */
const MAX_GROWTH = 9;
/** Milliseconds that say nothing yet about growth. */
const QUICK_MS = 25;

const library = {
  pii: {
    type: 'pii',
    entities: ['email', 'card', 'iban', 'usSsn', 'ip', 'phone', 'nationalId'],
    regions: ['AU', 'BR', 'CH', 'DE', 'ES', 'FR', 'GB', 'IT', 'SE', 'US'],
  },
  secrets: { type: 'secrets' },
  tricks: { type: 'phrases' },
} as const satisfies Organization['guards'];
const neuron = {
  guards: Object.keys(library).map((use) => ({ use, on: ['input' as const], action: 'redact' as const })),
};
const active = activeGuards({ organization: { guards: library }, neuron }, { isPhoneNumber });

const repeat = (piece: string, length: number) =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** Milliseconds of this thread's CPU, the least of some runs. */
function cpuOf(text: string, guard: (typeof active)[number], count = 3): number {
  const runs = Array.from({ length: count }, () => {
    const before = process.threadCpuUsage();
    guard.find(text);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...runs);
}

/** Those of the texts, by length, that take too long. */
function slowOf(textOf: (length: number) => string, guards = active): readonly string[] {
  return guards.flatMap((guard) => {
    const text = textOf(TIMES * LENGTH);
    if (cpuOf(text, guard, 1) < QUICK_MS) return [];
    const [long, short] = [cpuOf(text, guard), cpuOf(textOf(LENGTH), guard)];
    return long > Math.max(QUICK_MS, MAX_GROWTH * short)
      ? [`${guard.name}: ${short} ms, then ${long} ms`]
      : [];
  });
}

/** Pieces that begin something, are it, or nearly are. */
const PIECES = [
  ...[
    'a@',
    'a.',
    'ann@example.com ',
    'a@b.',
    'a@b-',
    '@',
    '4',
    '4 ',
    '4111 1111 1111 1111 ',
    '41-',
    '1.',
    '1.2.3.4 ',
  ],
  ...[
    'DE89 3704 0044 0532 0130 00 ',
    'DE89',
    'AA11 ',
    '123-45-6789 ',
    '123-',
    ':',
    'a:',
    '::1 ',
    'fe80::1 ',
    '+1',
    '(',
  ],
  ...[
    'call 020 7946 0958 ',
    'call ',
    '+49 30 1234567 ',
    '1/',
    '1 x',
    '9912 ',
    '\u00ad',
    '\u200b',
    'pro\u00adject \u0430b ',
  ],
  ...[
    '\u{e0041}',
    '\u{1f3f4}',
    '\u202e',
    'ignore all of the ',
    'ignore ',
    'system prompt ',
    'are now ',
    ' ',
    '\n',
    '%41',
  ],
  ...[
    '4142',
    'QUJDREVG ',
    'QUJD',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
    'https://a:b',
    'https://a:bcde@',
    '://',
  ],
];

describe('a guard in the process', () => {
  it.each(PIECES)('takes time in proportion to a text of %j', (piece) => {
    expect(slowOf((length) => repeat(piece, length))).toEqual([]);
  });
});

const RULES = [...data.rules, ...OWN_RULES].map(({ id, pattern, keywords }) => ({ id, pattern, keywords }));
const ENDLESS = RULES.filter(({ id }) => id.startsWith('curl-auth'));

/** Look-around and edges are no characters of it. None for a pattern with what cannot be drawn. */
function sampleOf(pattern: string): string {
  const plain = withBothCases(pattern)
    .replaceAll(/\(\?<?[!=](?:[^()]|\([^()]*\))*\)/g, '')
    .replaceAll(/\\b|\$/g, '');
  try {
    return drawMatching(plain);
  } catch {
    return '';
  }
}

/** Each grows by what it repeats. */
function textsOf({ pattern, keywords: [keyword = ''] }: (typeof RULES)[number]) {
  const sample = sampleOf(pattern);
  const nearly = [
    sample,
    sample.slice(0, -1),
    `${sample.slice(0, -1)}!`,
    sample.slice(0, sample.length >> 1),
  ];
  const begun = ['', ' ', '=', `='`, ' = "', 'a', ' -H ', ' -u "', '.'.repeat(20)].map(
    (end) => keyword + end,
  );
  const pieces = [...nearly, ...begun].filter((piece) => piece !== '');
  const runs = ['a', '1', '-', ' ', '\n', '='].flatMap((one) =>
    [keyword, sample.slice(0, -1)].map((start) => (length: number) => start + repeat(one, length)),
  );
  return [...pieces.map((piece) => (length: number) => repeat(piece, length)), ...runs];
}

const secrets = active.filter(({ name }) => name === 'secrets');

it.each([...ENDLESS, ...someOf(RULES, 24)])('near-matches of $id take time in proportion', (rule) => {
  expect(textsOf(rule).flatMap((textOf) => slowOf(textOf, secrets))).toEqual([]);
});

it('draws near-matches of nearly all rules', () => {
  const drawn = RULES.filter(({ pattern }) => sampleOf(pattern) !== '');
  expect(drawn.length).toBeGreaterThan(isEveryCase ? 220 : 200);
});

it('would tell growth with the square', () => {
  const find = (text: string) => {
    let sum = 0;
    for (let step = 0; step < text.length ** 2 / 24; step += 1) sum += step % 7;
    return sum < 0 ? [{ entity: 'none', start: 0, end: 0 }] : [];
  };
  const [squared] = active.map((guard) => ({ ...guard, name: 'squared', find }));
  expect(slowOf((length) => repeat('a', length), squared === undefined ? [] : [squared])).toHaveLength(1);
});
