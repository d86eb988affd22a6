// Finds secrets by the rules of gitleaks (github.com/gitleaks/gitleaks, MIT), which ask for a keyword before any pattern runs.
import type { Find, Recognizer } from '../find.ts';
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
}

const rules: readonly Rule[] = data.rules;
const compiled = new Map<string, RegExp>();

function patternOf(text: string, flags = ''): RegExp {
  const name = `${flags}/${text}`;
  const known = compiled.get(name) ?? new RegExp(text, flags);
  compiled.set(name, known);
  return known;
}

/** A key in PEM (RFC 7468), by the rule for it: whole, and as far as its first line. */
const WHOLE_KEY = /^-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----[\s\S]{64,}?KEY(?: BLOCK)?-----/i;
const OPEN_KEY = /^-----BEGIN(?:[ A-Z0-9_-]{0,130}$|[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----)/i;

/** Longest secret, in characters; what is longer is no secret to these rules. */
const MAX_LENGTH = 8_192;

/** Entities are the rules. A secret is open as long as no blank has followed it. */
export const secretRecognizer: Recognizer = {
  find: findSecrets,
  openFrom(text) {
    const key = [...text.matchAll(/-----BEGIN/gi)].find(({ index }) => isOpenKey(text.slice(index)));
    let start = text.length;
    const earliest = Math.max(0, text.length - MAX_LENGTH);
    while (start > earliest && isVisible(text.charCodeAt(start - 1))) start -= 1;
    return Math.min(start, key?.index ?? start);
  },
};

function isOpenKey(text: string): boolean {
  return text.length <= MAX_LENGTH && OPEN_KEY.test(text) && !WHOLE_KEY.test(text);
}

/** ASCII without blanks. */
function isVisible(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}

function findSecrets(text: string): readonly Find[] {
  const lower = text.toLowerCase();
  return rules.flatMap((rule) => {
    if (!rule.keywords.some((keyword) => lower.includes(keyword))) return [];
    return [...text.matchAll(patternOf(rule.pattern, 'dg'))].flatMap((match) => {
      const group =
        rule.group ??
        Math.max(
          0,
          match.findIndex((one, index) => index > 0 && one),
        );
      const secret = match[group] ?? match[0];
      const [start = match.index, end = match.index + match[0].length] = match.indices?.[group] ?? [];
      if (end - start > MAX_LENGTH) return [];
      if (rule.entropy !== undefined && entropyOf(secret) <= rule.entropy) return [];
      if (isAllowed(rule, secret, match[0], lineOf(text, match.index))) return [];
      return [{ entity: rule.id, start, end }];
    });
  });
}

function isAllowed(rule: Rule, secret: string, match: string, line: string): boolean {
  const lists: readonly Allowed[] = [data.allow, ...(rule.allow ?? [])];
  const lower = secret.toLowerCase();
  return lists.some(({ patterns = [], target, stopwords = [] }) => {
    const subject = target === 'match' ? match : target === 'line' ? line : secret;
    return (
      patterns.some((pattern) => patternOf(pattern).test(subject)) ||
      stopwords.some((word) => lower.includes(word))
    );
  });
}

function lineOf(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at) + 1;
  const end = text.indexOf('\n', at);
  return text.slice(start, end === -1 ? undefined : end);
}

/** Shannon's entropy of the characters of a text, in bits. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const length = [...text].length;
  return [...counts.values()].reduce((bits, count) => bits - (count / length) * Math.log2(count / length), 0);
}
