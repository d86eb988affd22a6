// Says which recordings are missing, by the command that makes them, and which are of no call any more.
import type { TestReport } from '../json/tests.ts';
import { quote, renderCommand } from '../output/command-line.ts';
import { count } from '../output/print.ts';
import type { Session } from '../session/session.ts';
import { isWhole, type TestOptions } from './options.ts';

const MAX_NAMED = 10;

export function describeMissing(
  { versions }: TestReport,
  options: TestOptions,
  { options: { local } }: Session,
): readonly string[] {
  const missing = versions.flatMap(({ version, results }) =>
    results
      .filter(({ status }) => status === 'missing')
      .map(({ tests, case: name }) => `${tests} · ${name}${versions.length === 1 ? '' : ` (${version})`}`),
  );
  const [first] = missing;
  if (first === undefined) return [];
  const named = missing.slice(0, MAX_NAMED);
  const left = missing.length - named.length;
  const list = `${named.join(', ')}${left === 0 ? '' : ` and ${left} more`}`;
  return [
    `${count(missing.length, 'case')} ${missing.length === 1 ? 'has' : 'have'} calls without a recording: ${list}.`,
    `Make them with \`${renderCommand(toWords(options), local)}\`, and commit them.`,
  ];
}

function toWords({ paths, overlay = [], revision, against, repeat, url }: TestOptions): string {
  return [
    'test',
    ...paths.map(quote),
    ...overlay.flatMap((path) => ['--overlay', quote(path)]),
    ...(revision === undefined ? [] : ['--revision', revision]),
    ...(against === undefined ? [] : ['--against', quote(against)]),
    ...(repeat === undefined ? [] : ['--repeat', String(repeat)]),
    ...(url === undefined ? [] : ['--url', quote(url)]),
    '--record missing',
  ].join(' ');
}

export function describeUnused(
  unused: readonly { readonly file: string; readonly count: number }[],
  options: TestOptions,
): readonly string[] {
  if (options.record === 'all' || !isWhole(options)) return [];
  return unused.map(
    ({ file, count: number }) =>
      `${file}: ${count(number, 'recording')} ${number === 1 ? 'is' : 'are'} of no call of this run; --record all drops such.`,
  );
}
