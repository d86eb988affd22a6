// `neuron test`: tries neurons on cases, with the flow that the function runs, and calls of models from recordings.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { RECORD_MODES, type RecordMode } from '../../core/tests/recording/recording.ts';
import { parseVersionId } from '../command/arguments.ts';
import { argument, command, option } from '../command/command.ts';
import type { TestReport } from '../json/tests.ts';
import { CommandFailure, EXIT, type ExitCode, usageFailure } from '../output/failure.ts';
import { overlayOption } from '../settings/read-with-overlays.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import { parseDollars } from './parse-dollars.ts';
import { runTests } from './run-tests.ts';
import { renderReport } from './view.ts';

function parseWhole(most: number) {
  return (text: string): number => {
    if (/^[1-9][0-9]{0,4}$/.test(text) && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
  };
}

/** An empty text is what an unset variable of a shell leaves: as a folder it would be the working folder. */
function parseName(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('It must not be empty.');
}

function parseUrl(text: string): string {
  if (/^https?:\/\/[^\s?#]+$/.test(text) && URL.canParse(text)) return text.replace(/\/$/, '');
  throw new InvalidArgumentError('It must be the address of a stage, such as https://api.example.com/prod.');
}

export const test = command({
  name: 'test',
  arguments: {
    paths: argument('<path...>', 'files or folders with tests, and with the settings they are about'),
  },
  options: {
    overlay: overlayOption,
    revision: option(
      '--revision <id>',
      'test this version of the stack instead of the files; also `--version ID`',
      parseVersionId,
    ),
    against: option(
      '--against <version>',
      '`deployed`, a version such as v7, or a folder with settings: the same cases on it, side by side',
      parseName,
    ),
    repeat: option('--repeat <number>', 'runs of each case, in place of its own `repeat`', parseWhole(100)),
    record: option(
      '--record <mode>',
      'calls that are made: missing, those without a recording; all; none (default: missing, and none where CI is set)',
      RECORD_MODES,
    ),
    parallel: option('--parallel <number>', 'runs at once', parseWhole(64), { default: 8 }),
    maxCost: option('--max-cost <dollars>', 'make no call that could cost more in all', parseDollars),
    url: option('--url <address>', 'call the neurons of this stage instead of running them here', parseUrl),
    junit: option('--junit <file>', 'write the report as JUnit XML', parseName),
    markdown: option('--markdown <file>', 'write the report as Markdown, for a pull request', parseName),
    jsonFile: option('--json-file <file>', 'write the report as JSON; also `--json FILE.json`', parseName),
  },
  conflicts: [
    {
      option: 'url',
      with: ['against', 'overlay'],
      remedy: 'Pass one of them: at an address runs what is deployed there.',
    },
  ],
  help: 'Secrets of providers come from NEURON_SECRET_NAME, else from the stack. --url takes a token like `neuron call`, and with --revision a preview key from NEURON_PREVIEW_KEY.',
  async run({ paths, junit, markdown, jsonFile, ...options }, session): Promise<ExitCode> {
    const { out, terminal } = session;
    rejectSame([junit, markdown, jsonFile], terminal.folder);
    const report = await runTests({ ...options, paths, record: readMode(options.record, terminal) }, session);
    const files: readonly (readonly [string | undefined, (report: TestReport) => string])[] = [
      [junit, renderJunit],
      [markdown, renderMarkdown],
      [jsonFile, (value) => `${JSON.stringify(value, null, 2)}\n`],
    ];
    for (const [file, render] of files)
      if (file !== undefined) write(resolve(terminal.folder, file), file, render(report));
    out.value(report, out.json ? '' : renderReport(report, out));
    return report.passed ? EXIT.done : EXIT.failed;
  },
});

/** Every value but the empty one, as CI systems set it. */
function readMode(
  mode: RecordMode | undefined,
  { environment }: { readonly environment: Readonly<Record<string, string | undefined>> },
): RecordMode {
  const ci = environment['CI'];
  return mode ?? (ci === undefined || ci === '' || ci === 'false' || ci === '0' ? 'missing' : 'none');
}

function rejectSame(files: readonly (string | undefined)[], folder: string): void {
  const paths = files.map((file) => file && resolve(folder, file));
  const twice = files.find((file, at) => file && paths.indexOf(paths[at]) < at);
  if (twice === undefined) return;
  throw usageFailure(`Two reports would be written to ${twice}.`, 'Name a file for each.');
}

function write(path: string, name: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new CommandFailure({ what: `${name} cannot be written.`, why: (error as Error).message });
  }
}
