// Holds the vocabulary: names that were replaced by the field's own terms do not come back, and comments and types keep its form.
import { describe, expect, it } from 'vitest';
import { readSources } from './source-tree.ts';

/** Names that are gone, by what is said in their place. */
const REPLACED = {
  validate: /\b(?:judge|judges|judged|Judged|judging)(?:[A-Z]\w*)?\b|\bjudgement\b/g,
  Diagnostic: /\b\w*(?:Finding|Mistake)s?\b|\bFlowRefusal\b/g,
  'ServiceError, denied, rejected': /\bRefusal\b|\btoRefusal\b/g,
  'DecisionTrace, AuthorizerContext': /\b(?:Trail|openTrail|HandedOn|handedOn)\b/g,
  'updateSnapshot, needsWrite, reserveAll, release, preReserved':
    /\b(?:mustAsk|takeInTurn|giveBack|refuseCertain)\b/g,
  'exhausted limits': /\b(?:isCertain|KnownUse|knownUse|createKnownUse)\b/g,
  'CallState, attemptUntilDone, limitError, retryAfterMs': /\b(?:Asking|noRoom|askWaitMs)\b/g,
  estimate: /\bforesee\w*\b/g,
  UsageTotals: /\b(?:Tally|createTally)\b/g,
  'semantic search': /\b\w*(?:ByMeaning|Meaning[A-Z]\w*|NearMiss)\b|\bMeaning\w+\b/g,
  'CacheKey, InFlight, nearestFresh, refresh':
    /\b(?:CachePlace|Flights?|createFlights|nearestStanding|readAgain)\b/g,
  'TTL, max stale, backoff':
    /\b(?:settings|secrets|keySets)(?:Fresh|Stale|Failed)\w*\b|\b(?:fresh|stale|failed)Ms\b/g,
  'Edge, MonitoredService, grantKeyUse': /\b(?:FrontDoorProps|Watched|letUse|letFunctionsUse)\b/g,
  'supported properties, ignored types': /\b(?:honoured|Honoured|HONOURED)\w*\b/g,
  // Patterns, not names: `refused` and `refusal` alone are members of public shapes.
  'error, rejection, reject': /\b(?!(?:refused|refusal|limitRefusals)\b)\w*[Rr]efus\w*/g,
  'input, options, args, not in files': /\b\w*(?:[Gg]iven|GIVEN)\w*\b/g,
  'MAX_, MIN_': /\b(?:MOST|LONGEST|LARGEST|LEAST|SHORTEST|SMALLEST)_\w+/g,
} as const satisfies Record<string, RegExp>;

/** Where another trade owns the word (cdk-nag reports findings), and where a stage that still writes an old name is helped. */
const ALLOWED: ReadonlySet<string> = new Set([
  'lib/constructs/edge/api.ts: acknowledgeFindings',
  // The member of a tests document, and the neuron that it names.
  ...[
    'core/admin/validate/tests.ts',
    'core/settings/tests/tests-schema.ts',
    'core/tests/assertions/assertion.ts',
    'core/tests/assertions/assess.ts',
    'core/tests/suite/run-case.ts',
    'core/tests/suite/case-neurons.ts',
    'core/tests/suite/assertion-ports.ts',
    'cli/tests/open-sides.ts',
    'cli/tests/open-address.ts',
    'test/core/tests/assertions.test.ts',
    'test/cli/tests/live.test.ts',
    'test/e2e/promptfoo.test.ts',
  ].map((path) => `${path}: judge`),
  ...['settingsFresh', 'settingsStale', 'secretsFresh', 'keySetsFresh', 'keySetsStale', 'keySetsFailed'].map(
    (name) => `lib/config/config.ts: ${name}`,
  ),
]);

const sources = readSources([
  'bin',
  'lib',
  'lambdas',
  'core',
  'adapters',
  'client',
  'cli',
  'console',
  'local',
  'test',
  'bench',
]);

/** Source without comments and without what strings and templates hold: prose may use any word. */
function identifiersOf(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
    .replaceAll(/`(?:[^`\\]|\\.)*`/g, (template) => [...template.matchAll(/\$\{([^}]*)\}/g)].join(' '));
}

describe('the vocabulary', () => {
  it.each(Object.entries(REPLACED))('says %s', (_instead, replaced) => {
    const found = sources.flatMap(({ path, text }) => {
      if (path === 'test/words.test.ts') return [];
      return (identifiersOf(text).match(replaced) ?? []).map((name) => `${path}: ${name}`);
    });
    expect([...new Set(found)].filter((one) => !ALLOWED.has(one))).toEqual([]);
  });
});

/** Source of the product and its benchmarks; tests may use other words. */
const productSources = sources.filter(({ path }) => !/^(?:local\/)?test\//.test(path));

/** `path: match` of each match; `select` gives the text to search. */
function findIn(
  select: (text: string) => string,
  pattern: RegExp,
  isAllowed: (path: string, match: string) => boolean = () => false,
): string[] {
  return productSources.flatMap(({ path, text }) =>
    [...select(text).matchAll(pattern)]
      .map(([whole, match = whole]) => match.trim())
      .filter((match) => !isAllowed(path, match))
      .map((match) => `${path}: ${match}`),
  );
}

/** A comment's first line: what follows `//` after a line that is no such comment, or `/*`. */
const COMMENT_START = String.raw`(?<!^[ \t]*//.*\n)^[ \t]*//[ \t]*|/\*\*?\s*(?:\*[ \t]*)?`;

/** JSON Web Tokens have claims. */
const TOKEN_FILES =
  /^(?:core\/access|core\/admin\/explain|core\/admin\/validate\/access)\/|^cli\/settings\/explanation-view\.ts$|^(?:core\/settings\/access-schema|cli\/json\/limits)\.ts$/;

const PARTICIPLE =
  /^export (?:declare |abstract )*(?:interface|type|class|enum) (\w*(?:[a-df-z]ed|Begun|Found|Given|Got|Held|Kept|Known|Left|Made|Said|Seen|Sent|Taken|Unknown|Unsent|Written|Apart|Look|Since|Way))\b/gm;

describe('the form', () => {
  it('has no literal that is spread only to steer the formatter', () => {
    expect(findIn(identifiersOf, /\.\.\.\{.{0,40}/g)).toEqual([]);
  });

  it('says claim of tokens alone: others hold records and leases', () => {
    const found = findIn(identifiersOf, /\b\w*[Cc]laim\w*/g, (path) => TOKEN_FILES.test(path));
    expect([...new Set(found)]).toEqual([]);
  });

  it('begins no comment with What, Whoever or Of', () => {
    const pattern = new RegExp(`(?:${COMMENT_START})((?:What|Whoever|Of)\\b.{0,60})`, 'gm');
    expect(findIn((text) => text, pattern)).toEqual([]);
  });

  it('names no exported type by a participle or a pronoun', () => {
    expect(findIn((text) => text, PARTICIPLE)).toEqual([]);
  });

  it.each([
    '// What it is.',
    '\n  // Of each.',
    'const a = 1;\n// Whoever asks.',
    '/** What it is. */',
    '/**\n * Of many.\n */',
  ])('finds the beginning of a comment in %j', (text) => {
    expect(text).toMatch(new RegExp(`(?:${COMMENT_START})(?:What|Whoever|Of)\\b`, 'm'));
  });

  it('takes the second line of a comment for no beginning', () => {
    expect('// One line, and\n// Of another.').not.toMatch(
      new RegExp(`(?:${COMMENT_START})(?:What|Whoever|Of)\\b`, 'm'),
    );
  });

  it.each([
    'export interface Begun {',
    'export type StoredKept = 1',
    'export class SecretRejected extends Error {',
  ])('finds a participle in %j', (text) => {
    expect([...text.matchAll(PARTICIPLE)]).toHaveLength(1);
  });

  it.each(['export interface Seed {', 'export type StoredKey = 1', 'export interface KnownKey {'])(
    'finds none in %j',
    (text) => {
      expect([...text.matchAll(PARTICIPLE)]).toEqual([]);
    },
  );
});
