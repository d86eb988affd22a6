// Reads tests and the settings beside them.
import type { SettingsInput } from '../../core/admin/apply/changes.ts';
import type { TestsDocument } from '../../core/settings/tests/tests-schema.ts';
import { CommandFailure, EXIT } from '../output/failure.ts';
import type { Session } from '../session/session.ts';
import { renderDiagnosticLine, validateFiles } from '../settings/validate-files.ts';

/** Max. deadline of settings. The limit of a stage does not matter for tests. */
const MAX_DEADLINE_MS = 240_000;

export interface SuiteFile {
  readonly file: string;
  readonly document: TestsDocument;
}

export interface SuiteFiles {
  readonly tests: readonly SuiteFile[];
  readonly settings: SettingsInput;
}

/** Throws `CommandFailure` for files that cannot be read, and for invalid ones: nothing is run then. */
export async function readSuite(
  paths: readonly string[],
  overlays: readonly string[],
  { options, terminal }: Session,
): Promise<SuiteFiles> {
  const { input, tests, errors } = await validateFiles(
    { paths, overlays, folder: terminal.folder },
    {
      addresses: { allowLoopback: options.local !== undefined },
      maxDeadlineMs: MAX_DEADLINE_MS,
      transferMode: 'STREAM',
      withTests: true,
    },
  );
  if (errors.length > 0)
    throw new CommandFailure({
      what: `${paths.join(', ')} ${paths.length === 1 ? 'is' : 'are'} invalid, so nothing was run.`,
      why: errors.map(renderDiagnosticLine).join('\n'),
    });
  return {
    settings: input,
    tests: tests.map(({ source, parsed }) => ({ file: source.locate([]).file, document: parsed })),
  };
}

export function requireTests({ tests }: SuiteFiles, paths: readonly string[]): void {
  if (tests.length > 0) return;
  throw new CommandFailure({
    what: `There are no tests in ${paths.join(', ')}.`,
    remedy: 'Pass files with documents that begin with `tests: ORGANIZATION/NEURON` (docs/test.md).',
    exitCode: EXIT.usage,
  });
}
