// Reads the samples beside the rules of gitleaks, which are Go: lists of texts, with values that are drawn from a pattern.
import { drawMatching } from './draw-matching.ts';

export interface RuleSamples {
  readonly rule: string;
  readonly secrets: readonly string[];
  readonly harmless: readonly string[];
}

type Value = string | readonly string[];
type Token = { readonly kind: 'text' | 'name' | 'mark'; readonly text: string };

class Unreadable extends Error {}

const TOKEN = /\s+|\/\/[^\n]*|`([^`]*)`|("(?:[^"\\\n]|\\.)*")|([A-Za-z_][\w.]*)|(\.{3}|[()[\]{},+:=])|(.)/gy;

/** Samples of each rule of a file; `unread` counts what this does not understand. */
export function readSamples(source: string): {
  readonly rules: readonly RuleSamples[];
  readonly unread: number;
} {
  const rules: RuleSamples[] = [];
  let unread = 0;
  for (const [body] of source.matchAll(/^func [\s\S]*?^\}/gm)) {
    const rule = /RuleID:\s*"([^"]+)"/.exec(body)?.[1];
    if (rule === undefined) continue;
    const values = new Map<string, Value>();
    for (const { 1: name = '', index, 0: all } of body.matchAll(/^\t(\w+) :?= (?=\S)/gm)) {
      try {
        values.set(name, new Reader(body.slice(index + all.length), values).expression());
      } catch (thrown) {
        if (!(thrown instanceof Unreadable)) throw thrown;
        if (name === 'tps' || name === 'fps') unread += 1;
      }
    }
    rules.push({ rule, secrets: listOf(values.get('tps')), harmless: listOf(values.get('fps')) });
  }
  return { rules, unread };
}

function listOf(value: Value | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}

/** An expression of literals, lists, `+`, `append`, `fmt.Sprintf` and the makers of samples. */
class Reader {
  private readonly tokens: readonly Token[];
  private readonly values: ReadonlyMap<string, Value>;
  private at = 0;

  constructor(source: string, values: ReadonlyMap<string, Value>) {
    this.tokens = tokensOf(source);
    this.values = values;
  }

  expression(): Value {
    let value = this.term();
    while (this.takes('+')) value = `${textOf(value)}${textOf(this.term())}`;
    return value;
  }

  private term(): Value {
    const token = this.tokens[this.at];
    if (token === undefined) throw new Unreadable();
    this.at += 1;
    if (token.kind === 'text') return token.text;
    if (token.text === '[') {
      this.expect(']', 'string', '{');
      return this.listUntil('}').flat();
    }
    if (token.kind !== 'name') throw new Unreadable();
    if (this.takes('(')) return call(token.text, this.listUntil(')'));
    const value = this.values.get(token.text);
    if (value === undefined) throw new Unreadable();
    return value;
  }

  private listUntil(end: string): readonly Value[] {
    const list: Value[] = [];
    while (!this.takes(end)) {
      list.push(this.expression());
      this.takes('...');
      if (!this.takes(',')) {
        this.expect(end);
        break;
      }
    }
    return list;
  }

  private takes(text: string): boolean {
    const token = this.tokens[this.at];
    const isThere = token?.kind !== 'text' && token?.text === text;
    if (isThere) this.at += 1;
    return isThere;
  }

  private expect(...texts: readonly string[]): void {
    for (const text of texts) if (!this.takes(text)) throw new Unreadable();
  }
}

function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const [all, raw, quoted, name, mark, other] of source.matchAll(TOKEN)) {
    if (raw !== undefined) tokens.push({ kind: 'text', text: raw });
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: unquote(quoted) });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (mark !== undefined || other !== undefined) tokens.push({ kind: 'mark', text: all });
  }
  return tokens;
}

function unquote(text: string): string {
  try {
    return JSON.parse(text.replaceAll(/\\x([0-9a-f]{2})/gi, '\\u00$1'));
  } catch {
    throw new Unreadable();
  }
}

function textOf(value: Value | undefined): string {
  if (typeof value !== 'string') throw new Unreadable();
  return value;
}

const CLASSES: Readonly<Record<string, string>> = {
  Numeric: '[0-9]',
  Hex: '[a-f0-9]',
  AlphaNumeric: '[a-z0-9]',
  AlphaNumericExtendedShort: '[a-z0-9_-]',
  AlphaNumericExtended: '[a-z0-9=_\\-]',
  AlphaNumericExtendedLong: '[a-z0-9\\/=_\\+\\-]',
};

function call(name: string, args: readonly Value[]): Value {
  if (name === 'append') return args.flat();
  const [first, second] = args;
  if (name === 'utils.GenerateSampleSecrets')
    return FORMS.map((form) => fill(form, textOf(first), textOf(second)));
  if (name === 'utils.GenerateSampleSecret')
    return fill('{i}_api_token = "{s}"', textOf(first), textOf(second));
  if (name === 'secrets.NewSecret') return draw(textOf(first));
  if (name === 'fmt.Sprintf') {
    const rest = args.slice(1).map(textOf);
    return textOf(first).replaceAll('%s', () => rest.shift() ?? '');
  }
  if (name === 'utils.Hex8_4_4_4_12') return '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
  const characters = name.startsWith('utils.') ? CLASSES[name.slice('utils.'.length)] : undefined;
  if (characters === undefined) throw new Unreadable();
  return `${characters}{${textOf(first)}}`;
}

/** The same values at each run. */
function draw(pattern: string): string {
  try {
    return drawMatching(pattern.replaceAll('\\b', ''));
  } catch {
    throw new Unreadable();
  }
}

function fill(form: string, name: string, secret: string): string {
  return form
    .replaceAll('{i}', name)
    .replaceAll('{I}', name.toUpperCase())
    .replaceAll('{s}', () => secret);
}

/** Ways to write a value with a name: those that gitleaks promises to find. */
const FORMS: readonly string[] = [
  '{i}Token="{s}"',
  '{i}Token = "{s}"',
  '{i}Token={s}',
  '{i}Token = {s}',
  '{\n    "{i}_token": "{s}"\n}',
  '{"config.ini": "{I}_TOKEN={s}\\nBACKUP_ENABLED=true"}',
  '<{i}Token>\n    {s}\n</{i}Token>',
  '{i}_token: {s}',
  "{i}_token: '{s}'",
  '{i}_token: "{s}"',
  'string {i}Token = "{s}";',
  'var {i}Token string = "{s}"',
  '{i}Token := "{s}"',
  '{i}Token := `{s}`',
  'String {i}Token = "{s}";',
  'var {i}Token = "{s}"',
  '$' + '{i}Token .= "{s}"',
  "{i}Token = '{s}'",
  'System.setProperty("{I}_TOKEN", "{s}")',
  '  "{i}Token" => "{s}"',
  '{i}_TOKEN = "{s}"',
  '{i}_TOKEN := "{s}"',
  '{i}_TOKEN ::= "{s}"',
  '{i}_TOKEN :::= "{s}"',
  '{i}_TOKEN ?= "{s}"',
];
