// Holds the vocabulary: names that were replaced by the field's own terms do not come back as identifiers.
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
