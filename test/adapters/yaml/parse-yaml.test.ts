// What settings files may hold as YAML, and where diagnostics point.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { MAX_FILE_LENGTH, parseYaml } from '../../../adapters/yaml/parse-yaml.ts';
import { printYaml } from '../../../adapters/yaml/print-yaml.ts';
import { renderDiagnostic } from '../../../core/admin/diagnostic.ts';
import { anyText } from '../../support/any-text.ts';

function valuesOf(text: string): unknown[] {
  const { documents, diagnostics } = parseYaml('a.yaml', text);
  expect(diagnostics).toEqual([]);
  return documents.map(({ value }) => value);
}

function errorsOf(text: string): string[] {
  return parseYaml('a.yaml', text).diagnostics.map(renderDiagnostic);
}

describe('what is read', () => {
  it('reads several documents and leaves out empty ones', () => {
    expect(valuesOf('a: 1\n---\n# nothing\n---\nb: [x, y]\n---\n')).toEqual([{ a: 1 }, { b: ['x', 'y'] }]);
    expect(valuesOf('')).toEqual([]);
    expect(valuesOf('# comments alone\n')).toEqual([]);
  });

  it('reads scalars as YAML 1.2 core does, not as YAML 1.1', () => {
    const text =
      'a: yes\nb: 017\nc: 0x1F\nd: 1_000\ne: 2026-01-01\nf: true\ng: ~\nh: 1e3\n"on": 1\n1: x\n<<: {i: 1}\n';
    expect(valuesOf(text)).toEqual([
      {
        a: 'yes',
        b: 17,
        c: 31,
        d: '1_000',
        e: '2026-01-01',
        f: true,
        g: null,
        h: 1000,
        on: 1,
        '1': 'x',
        '<<': { i: 1 },
      },
    ]);
  });

  it('takes names of built-in members as plain text', () => {
    const [value] = valuesOf('constructor: 1\ntoString: 2\nhasOwnProperty: 3\n');
    expect(Object.entries(value as object)).toEqual([
      ['constructor', 1],
      ['toString', 2],
      ['hasOwnProperty', 3],
    ]);
  });

  it('reads a byte order mark and Windows line ends', () => {
    expect(valuesOf('\uFEFFa: 1\r\nb: |\r\n  x\r\n  y\r\n')).toEqual([{ a: 1, b: 'x\ny\n' }]);
  });
});

describe('what is refused', () => {
  test.each([
    ['an anchor', 'a: &x 1\n', 'a.yaml:1:7: a: has an anchor'],
    ['an anchor on a name', '&x a: 1\n', 'a.yaml:1:4: a: has an anchor'],
    ['an alias', 'a: &x 1\nb: *x\n', 'a.yaml:2:4: b: is an alias'],
    ['a tag', 'a: !!str 1\n', 'a.yaml:1:10: a: has a tag'],
    ['a tag of no known type', 'a:\n  - !env HOME\n', 'a.yaml:2:10: a[0]: has a tag'],
    ['the tag !', 'a: ! 1\n', 'a.yaml:1:6: a: has a tag'],
    ['a tag on a list', 'a: !!seq [1]\n', 'a.yaml:1:10: a: has a tag'],
    [
      'a member given twice',
      'x:\n  a: 1\n  b: 2\n  a: 1\n',
      'a.yaml:4:3: x.a: is given twice; keep one of them',
    ],
    ['a name given twice in two spellings', 'a: 1\n"a": 2\n', 'a.yaml:2:1: a: is given twice'],
    ['a version directive', '%YAML 1.1\n---\na: yes\n', 'must not begin with a directive'],
    ['a tag directive', '%TAG ! tag:example.com,2026:\n---\na: 1\n', 'must not begin with a directive'],
    ['__proto__', 'providers:\n  __proto__: {}\n', 'a.yaml:2:3: providers.__proto__: is not a name'],
    ['half of a surrogate pair', 'a: "\\ud800"\n', 'a.yaml:1:4: a: has half of a surrogate pair'],
    ['infinity', 'a: .inf\n', 'a.yaml:1:4: a: must be a finite number'],
    ['not a number', 'a: [.nan]\n', 'a.yaml:1:5: a[0]: must be a finite number'],
    ['a list as a name', '? [a]\n: b\n', 'a.yaml:1:3: is not settings: member names must be plain text'],
    ['a tab as indentation', 'a:\n\tb: 1\n', 'indented by a tab'],
    ['an open list', 'a: [1, 2\n', 'is not YAML: flow sequence'],
    ['an open text', 'a: "x\n', 'is not YAML: missing closing "quote'],
  ])('refuses %s', (_, text, rejection) => expect(errorsOf(text).join('\n')).toContain(rejection));

  it('refuses every problem of every document at once, and keeps the documents without one', () => {
    const { documents, diagnostics } = parseYaml('a.yaml', 'a: &x 1\nb: !!str 2\n---\nc: 1\n---\nd: [\n');
    expect(diagnostics.map(({ line }) => line)).toEqual([1, 2, 7]);
    expect(documents.map(({ value }) => value)).toEqual([{ c: 1 }]);
  });

  test.each([
    ['lists in lists', '['.repeat(100_000)],
    ['entries in entries', '- '.repeat(20_000)],
    ['maps in maps', '{a: '.repeat(50_000)],
    ['lists below lists', Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}-\n`).join('')],
  ])('refuses %s nested too deep, before they could end the process', (_, text) => {
    expect(errorsOf(text)).toEqual([expect.stringContaining('is nested more than 100 deep')]);
  });

  it('refuses a file that is too long', () => {
    expect(errorsOf(`# ${'x'.repeat(MAX_FILE_LENGTH)}`)).toEqual([
      'a.yaml:1:1: is longer than 500000 characters; split it into several files',
    ]);
  });

  it('takes any text without throwing', () => {
    const pieces = fc.constantFrom(
      'a',
      ': ',
      '- ',
      '\n',
      '  ',
      '[',
      ']',
      '{',
      '}',
      '"',
      "'",
      '&x',
      '*x',
      '|',
      '---\n',
      '#',
    );
    const texts = fc.oneof(
      fc.string(),
      fc.array(pieces).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        for (const { line, column } of parseYaml('a.yaml', text).diagnostics) {
          expect(Math.min(line, column)).toBeGreaterThan(0);
        }
      }),
    );
  });
});

describe('places', () => {
  it('points at member names and list entries, and where a path leads on to nothing at its last part', () => {
    const text = '# head\nflow:\n  - stop: {}\n  - callModel:\n      model: m\n---\nx: 1\n';
    const [first, second] = parseYaml('a.yaml', text).documents;
    expect(first?.locate([])).toEqual({ file: 'a.yaml', line: 2, column: 1 });
    expect(first?.locate(['flow', 0])).toEqual({ file: 'a.yaml', line: 3, column: 5 });
    expect(first?.locate(['flow', 1, 'callModel', 'model'])).toEqual({ file: 'a.yaml', line: 5, column: 7 });
    expect(first?.locate(['flow', 1, 'callModel', 'prompt', 0])).toEqual({
      file: 'a.yaml',
      line: 4,
      column: 5,
    });
    expect(first?.locate(['flow', 7])).toEqual({ file: 'a.yaml', line: 2, column: 1 });
    expect(second?.locate(['x'])).toEqual({ file: 'a.yaml', line: 7, column: 1 });
  });
});

describe('printing', () => {
  const scalar = fc.oneof(
    anyText(20),
    fc.string({
      unit: fc.constantFrom(
        ' ',
        '\n',
        '\t',
        '\r',
        'a',
        ':',
        '#',
        '-',
        '"',
        "'",
        '|',
        '\\',
        '\u2028',
        '\u0085',
      ),
    }),
    fc.constantFrom(
      'null',
      'true',
      '~',
      '0x1F',
      '1e3',
      '.inf',
      '---',
      '...',
      '%YAML',
      '&a',
      '*a',
      '!!str',
      '<<',
      '017',
    ),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
    fc.integer(),
    fc.boolean(),
  );
  const name = fc
    .oneof(anyText(20), fc.string(), fc.constantFrom('null', '1', '<<', 'constructor'))
    .filter((text) => text !== '__proto__');
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      scalar,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map((members) => Object.fromEntries(members)),
    ),
  }));

  it('prints what reading gives back unchanged, for any documents', () => {
    const document = fc.record({ neuron: fc.string(), flow: value });
    fc.assert(
      fc.property(fc.array(document, { minLength: 1, maxLength: 3 }), (documents) => {
        expect(valuesOf(printYaml(documents))).toEqual(documents);
      }),
      { numRuns: 500 },
    );
  });

  it('prints texts of several lines as such', () => {
    expect(printYaml([{ a: 'one\ntwo\n', b: ['x', { c: 1 }] }, { d: 'yes' }])).toBe(
      'a: |\n  one\n  two\nb:\n  - x\n  - c: 1\n---\nd: yes\n',
    );
  });
});
