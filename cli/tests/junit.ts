// The report in the form of JUnit's Ant task, which CI systems read.
import type { ReportedCase, ReportedVersion, TestReport } from '../json/tests.ts';
import { describeFailure, describeStatus } from './report-words.ts';

/** A suite for each tested neuron, a test case for each case. Times are seconds of all runs of a case. */
export function renderJunit({ versions: [tested] }: TestReport): string {
  const names = [...new Set((tested?.results ?? []).map(({ tests }) => tests))];
  const suites = names.map((name, at) => renderSuite(name, tested, at));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('')}</testsuites>\n`;
}

/** The same in each report, so that equal runs give equal files. */
const TIMESTAMP = '2026-01-01T00:00:00';

function renderSuite(name: string, tested: ReportedVersion | undefined, id: number): string {
  const cases = (tested?.results ?? []).filter(({ tests }) => tests === name);
  const failures = cases.filter(({ status }) => status === 'failed').length;
  const errors = cases.filter(({ status }) => status !== 'failed' && status !== 'passed').length;
  const [organization = '', neuron = ''] = name.split('/');
  const attributes = toAttributes({
    name: neuron,
    package: organization,
    id,
    hostname: 'localhost',
    timestamp: TIMESTAMP,
    tests: cases.length,
    failures,
    errors,
    time: sumSeconds(cases),
  });
  const properties = `    <properties>\n      <property${toAttributes({ name: 'version', value: tested?.version ?? '' })}/>\n    </properties>\n`;
  const output = '    <system-out></system-out>\n    <system-err></system-err>\n';
  return `  <testsuite${attributes}>\n${properties}${cases.map(renderCase).join('')}${output}  </testsuite>\n`;
}

function renderCase(one: ReportedCase): string {
  const head = `    <testcase${toAttributes({ name: one.case, classname: one.tests.replace('/', '.'), time: sumSeconds([one]) })}`;
  if (one.status === 'passed') return `${head}/>\n`;
  const element = one.status === 'failed' ? 'failure' : 'error';
  const message = `${one.passed} of ${one.runs.length} runs passed, and ${one.passRate} must: ${describeStatus(one)}`;
  const why = escapeXml(describeFailure(one) ?? '');
  return `${head}>\n      <${element}${toAttributes({ message, type: one.status })}>${why}</${element}>\n    </testcase>\n`;
}

function sumSeconds(cases: readonly ReportedCase[]): string {
  const milliseconds = cases
    .flatMap(({ runs }) => runs)
    .reduce((total, run) => total + (run.latencyMs ?? 0), 0);
  return (milliseconds / 1000).toFixed(3);
}

function toAttributes(attributes: Readonly<Record<string, string | number>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');
}

/** Characters that XML 1.0 has not are shown as their code (w3.org/TR/xml, section 2.2). */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(
      /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu,
      (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/[\t\n\r]/g, (blank) => `&#${blank.charCodeAt(0)};`);
}
