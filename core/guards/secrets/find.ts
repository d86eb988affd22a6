// Finds secrets by the rules of gitleaks (github.com/gitleaks/gitleaks, MIT), which ask for a keyword before any pattern runs.
import { findCoded, isVisible } from '../coded.ts';
import type { Find, Recognizer } from '../find.ts';
import { withBothCases } from './both-cases.ts';
import { isEncryptedAwsKey, saysWordOf } from './harmless.ts';
import { OWN_RULES } from './own-rules.ts';
import data from './rules.json' with { type: 'json' };

interface Allowed {
  readonly patterns?: readonly string[];
  readonly target?: string;
  readonly stopwords?: readonly string[];
}

interface Rule {
  readonly id: string;
  readonly pattern: string;
  readonly keywords: readonly string[];
  /** Bits of a character, as Shannon counts them: less is no secret. */
  readonly entropy?: number;
  /** The group that is the secret; else the first that matched. */
  readonly group?: number;
  readonly allow?: readonly Allowed[];
  /** True for a rule that the lists of gitleaks do not concern. */
  readonly isOwn?: boolean;
}

const rules: readonly Rule[] = [...data.rules, ...OWN_RULES.map((one) => ({ ...one, isOwn: true }))];
const compiled = new Map<string, RegExp>();

function patternOf(text: string, flags = ''): RegExp {
  const name = `${flags}/${text}`;
  const known = compiled.get(name) ?? new RegExp(withBothCases(text), flags);
  compiled.set(name, known);
  return known;
}

/** A key in PEM (RFC 7468), by the rule for it: whole, and as far as its first line. */
const WHOLE_KEY = /^-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----[\s\S]{64,}?KEY(?: BLOCK)?-----/i;
const OPEN_KEY = /^-----BEGIN(?:[ A-Z0-9_-]{0,130}$|[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----)/i;

const BEGINNING = /-----BEGIN/gi;

/** Longest secret, in characters; what is longer is no secret to these rules. */
const MAX_LENGTH = 8_192;

/** Entities are the rules. A secret is open as long as no blank has followed it. */
export const secretRecognizer: Recognizer = {
  find(text, from = 0) {
    const finds = findSecrets(text, from);
    return [...finds, ...findCoded(text, from, finds, findSecrets)];
  },
  sign: /[\x21-\x7e]{8}/,
  openFrom(text, from = 0) {
    BEGINNING.lastIndex = from;
    const key = [...text.matchAll(BEGINNING)].find(({ index }) => isOpenKey(text.slice(index)));
    let start = text.length;
    const earliest = Math.max(from, text.length - 2 * MAX_LENGTH);
    while (start > earliest && isVisible(text.charCodeAt(start - 1))) start -= 1;
    // Half of a longer run leaves at once: to look at all of it after each piece would take its length squared.
    if (start === earliest && start > from) start = text.length - MAX_LENGTH;
    return Math.min(start, key?.index ?? start);
  },
};

function isOpenKey(text: string): boolean {
  return text.length <= MAX_LENGTH && OPEN_KEY.test(text) && !WHOLE_KEY.test(text);
}

/** The words by which a secret is known may stand before `from`. */
function findSecrets(text: string, from = 0): readonly Find[] {
  return [...rulesFor(text.toLowerCase())].flatMap((rule) => {
    const { source, isNamed } = withoutName(rule.pattern);
    return [...text.matchAll(patternOf(source, 'dg'))].flatMap((match) => {
      const group =
        rule.group ??
        Math.max(
          0,
          match.findIndex((one, index) => index > 0 && one),
        );
      const secret = match[group] ?? match[0];
      const [start = match.index, end = match.index + match[0].length] = match.indices?.[group] ?? [];
      if (start < from || end - start > MAX_LENGTH) return [];
      if (rule.entropy !== undefined && entropyOf(secret) <= rule.entropy) return [];
      const whole = (isNamed ? nameBefore(text, match.index) : '') + match[0];
      if (isAllowed(rule, secret, whole, lineUntil(text, match.index + match[0].length))) return [];
      return [{ entity: rule.id, start, end }];
    });
  });
}

/** Two letters of ASCII as the number of a list. */
const pairOf = (text: string, at: number): number => text.charCodeAt(at) * 128 + text.charCodeAt(at + 1);

/** Keywords by their first two letters: one pass over a text finds all of them. */
const keywordsByPair = Map.groupBy(new Set(rules.flatMap(({ keywords }) => keywords)), (one) =>
  pairOf(one, 0),
);
/** 1 for two letters with which a keyword begins; nearly no place of a text has them. */
const BEGINS = new Uint8Array(128 * 128);
for (const pair of keywordsByPair.keys()) BEGINS[pair] = 1;
const rulesByKeyword = new Map<string, readonly Rule[]>();
for (const keyword of [...keywordsByPair.values()].flat())
  rulesByKeyword.set(
    keyword,
    rules.filter(({ keywords }) => keywords.includes(keyword)),
  );

/** The rules with a keyword in the text, in their order. */
function rulesFor(lower: string): readonly Rule[] {
  const found = new Set<string>();
  let before = lower.charCodeAt(0);
  for (let at = 1; at < lower.length; at += 1) {
    const code = lower.charCodeAt(at);
    const pair = before * 128 + code;
    before = code;
    if (BEGINS[pair] !== 1) continue;
    for (const keyword of keywordsByPair.get(pair) ?? [])
      if (lower.startsWith(keyword, at - 1)) found.add(keyword);
  }
  if (found.size === 0) return [];
  const named = new Set([...found].flatMap((keyword) => rulesByKeyword.get(keyword) ?? []));
  return rules.filter((rule) => named.has(rule));
}

/** The beginning of rules for a value with a name: up to 50 characters, tried at every place of a text. */
const NAME = /^(?:\[\\w\.-\]\{0,50\}\?)?\(\?i:\[\\w\.-\]\{0,50\}\?/;

/** Between `curl` and its option: all lines up to the fifth, which takes the square of their length. */
const AFTER_CURL = /(?<=^\\bcurl\\b)\(\?:\.\*\??\|\.\*\??\(\?:\[\\r\\n\]\{1,2\}\.\*\??\)\{1,5\}\)/;

/** A secret is so near to its `curl` that a stream has both (`LOOK_BEHIND`). */
const NEAR_CURL = '[\\s\\S]{0,270}?';

/** A rule with a name from its keyword on, which finds the same; and one of `curl` with its option near. */
function withoutName(pattern: string): { readonly source: string; readonly isNamed: boolean } {
  const source = pattern.replace(NAME, '(?i:');
  return { source: source.replace(AFTER_CURL, NEAR_CURL), isNamed: source !== pattern };
}

/** The characters of a name before its keyword. */
function nameBefore(text: string, at: number): string {
  return /[\w.-]{0,50}$/.exec(text.slice(Math.max(0, at - 50), at))?.[0] ?? '';
}

function isAllowed(rule: Rule, secret: string, match: string, line: string): boolean {
  if (rule.isOwn === true) return false;
  if (isEncryptedAwsKey(secret, match)) return true;
  const lists: readonly Allowed[] = [data.allow, ...(rule.allow ?? [])];
  const lower = secret.toLowerCase();
  return lists.some(({ patterns = [], target, stopwords = [] }) => {
    const subject = target === 'match' ? match : target === 'line' ? line : secret;
    return (
      patterns.some((pattern) => patternOf(pattern).test(subject)) ||
      stopwords.some((word) => lower.includes(word)) ||
      saysWordOf(stopwords, secret)
    );
  });
}

/** The line up to a place: a stream does not know the rest of it. */
function lineUntil(text: string, end: number): string {
  return text.slice(Math.max(text.lastIndexOf('\n', end - 1) + 1, end - LINE_LENGTH), end);
}

const LINE_LENGTH = 200;

/** Shannon's entropy of the characters of a text, in bits. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const length = [...text].length;
  return [...counts.values()].reduce((bits, count) => bits - (count / length) * Math.log2(count / length), 0);
}
