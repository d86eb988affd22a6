// The report for CI systems beside the schemas of Jenkins and Ant, and as a released reader understands it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ReportedCase, TestReport } from '../../cli/json/tests.ts';
import { renderJunit } from '../../cli/tests/junit.ts';
import { installJunitReaders } from '../clients/install.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runProgram } from './support/command.ts';

const isAsked = process.env['NEURON_E2E_LONG'] !== undefined;

interface Found {
  /** By schema. */
  readonly errors: readonly (readonly string[])[];
  readonly suites: readonly {
    readonly properties?: readonly { readonly value?: string }[];
    readonly testcase?: readonly {
      readonly name?: string;
      readonly failure?: readonly { readonly inner?: string }[];
      readonly error?: readonly { readonly inner?: string; readonly type?: string }[];
    }[];
  }[];
}

let folder = '';

/** In a process of its own, which has the packages. */
async function readReports(reports: readonly string[]): Promise<readonly Found[]> {
  const [reportsFile = '', foundFile = ''] = ['reports.json', 'found.json'].map((name) =>
    join(temporaryFolder(), name),
  );
  writeFileSync(reportsFile, JSON.stringify(reports));
  await runProgram(process.execPath, [join(folder, 'read.mjs'), reportsFile, foundFile]);
  return JSON.parse(readFileSync(foundFile, 'utf8')) as readonly Found[];
}

const VALID = [[], []];

function caseOf(name: string, status: ReportedCase['status'], error: string | null = null): ReportedCase {
  const run = { status, output: 'a', error, score: 0, latencyMs: 12, costMicrodollars: 1, assertions: [] };
  const passed = status === 'passed' ? 1 : 0;
  return {
    tests: 'acme/support',
    case: name,
    status,
    passed,
    passRate: 1,
    score: 0,
    interval: null,
    runs: [run],
  };
}

function reportOf(results: readonly ReportedCase[], version = 'v8'): TestReport {
  const tested = {
    ...{
      version,
      cases: results.length,
      casesPassed: 0,
      casesAlwaysPassed: 0,
      casesInterval: null,
      runs: results.length,
    },
    ...{ runsPassed: 0, costMicrodollars: 0, tokensInput: 0, tokensOutput: 0, latencyMs: 12, metrics: {} },
    ...{ callsReplayed: 0, callsMade: 0, results },
  };
  return { format: 1, passed: false, versions: [tested], comparison: null };
}

/** Names and reasons as callers and models could make them. */
const HOSTILE = [
  ['the end of a CDATA section', ']]>', ']]>'],
  ['markup and an entity', '<failure/> &amp; &#0; <!ENTITY a "b">', '<failure/> &amp; &#0; <!ENTITY a "b">'],
  ['quotes, a tab and line breaks', '"a" \'b\'\t\r\n c', '"a" \'b\'\t\r\n c'],
  ['control characters', 'a\u0000\u0007\u001b[31m', 'a\\u0000\\u0007\\u001b[31m'],
  ['C1 controls and a next line', 'a\u0085\u009f', 'a\u0085\u009f'],
  ['halves of a surrogate pair', 'a\ud800b\udc00', 'a\ufffdb\ufffd'],
  ['noncharacters', '\ufffe\uffff', '\\ufffe\\uffff'],
  ['characters beyond U+FFFF', '😀\u{10ffff}', '😀\u{10ffff}'],
  ['1 MB', 'm'.repeat(1_000_000), 'm'.repeat(1_000_000)],
  ['1 MB of what must be escaped', '<\u0000'.repeat(500_000), '<\\u0000'.repeat(500_000)],
] as const;

describe.runIf(isAsked)('the JUnit report', () => {
  beforeAll(async () => {
    folder = await installJunitReaders();
  }, 300_000);

  it.each(HOSTILE)('is valid with %s, and a reader finds the text again', async (_what, text, read) => {
    const cases = [caseOf(text, 'failed', text), caseOf('b', 'missing', text), caseOf('c', 'passed')];
    const [found] = await readReports([renderJunit(reportOf(cases, text))]);
    expect(found?.errors).toEqual(VALID);
    const [suite] = found?.suites ?? [];
    expect(suite).toMatchObject({ name: 'support', package: 'acme', tests: 3, failures: 1, errors: 1 });
    expect(suite?.properties?.[0]?.value).toBe(read);
    const [failed, missing, passed] = suite?.testcase ?? [];
    expect([failed?.name, failed?.failure?.[0]?.inner]).toEqual([read, read]);
    expect(missing?.error?.[0]).toMatchObject({ type: 'missing', inner: read });
    expect([passed?.name, passed?.failure, passed?.error]).toEqual(['c', undefined, undefined]);
  });

  it('is valid for any names', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 });
    const status = fc.constantFrom('failed', 'passed', 'error', 'maxCost');
    const rows = fc.sample(fc.tuple(text, status), { numRuns: 500, seed: 38 });
    const report = reportOf(rows.map(([name, one]) => caseOf(name, one, name)));
    const [found] = await readReports([renderJunit(report)]);
    expect(found?.errors).toEqual(VALID);
    expect(found?.suites[0]?.testcase).toHaveLength(500);
  });

  it('would be caught with a character that XML has not, or an element that a schema has not', async () => {
    const xml = renderJunit(reportOf([caseOf('here', 'failed', 'why')]));
    const found = await readReports([xml.replace('here', '\u0007'), xml.replaceAll('failure', 'mishap')]);
    for (const { errors } of found) for (const one of errors) expect(one).not.toEqual([]);
  });
});
