// `neuron validate`: checks settings files offline.
import type { Command } from 'commander';
import { EXIT, type ExitCode } from '../output/failure.ts';
import { count, type Output } from '../output/print.ts';
import type { Bind } from '../session/session.ts';
import { tellStreamModes } from './stream-notice.ts';
import { renderHarmless, toListedDiagnostic, validateFiles } from './validate-files.ts';

/** The longest deadline that a settings file can ask for; a stage may allow less, which `apply` knows. */
const MAX_DEADLINE_MS = 240_000;

/** What is checked, and how. */
interface ValidateArguments {
  readonly paths: readonly string[];
  readonly folder: string;
  /** True where loopback addresses are admitted, as a local run does. */
  readonly local: boolean;
}

export function registerValidate(program: Command, bind: Bind): void {
  program
    .command('validate')
    .description('Validates settings files offline; --local allows loopback addresses.')
    .argument('<path...>', 'files, or folders with .yaml files')
    .action(
      bind(async ({ options, terminal, out }, { args }) =>
        validate({
          args: { paths: args, folder: terminal.folder, local: options.local !== undefined },
          out,
        }),
      ),
    );
}

/** Prints what it finds; fails where `apply` would refuse. */
async function validate({
  args,
  out,
}: {
  readonly args: ValidateArguments;
  readonly out: Output;
}): Promise<ExitCode> {
  const { input, files, documents, errors, warnings } = await validateFiles(args.paths, args.folder, {
    addresses: { allowLoopback: args.local },
    maxDeadlineMs: MAX_DEADLINE_MS,
    transferMode: 'STREAM',
  });
  for (const diagnostic of [...errors, ...warnings]) {
    const { severity } = diagnostic;
    const label = out.paint(severity === 'error' ? 'red' : 'yellow', severity);
    out.value(toListedDiagnostic(diagnostic), `${label} ${renderHarmless(diagnostic)}`);
  }
  const of = `${count(documents, 'document')} in ${count(files, 'file')}`;
  out.message(errors.length === 0 ? `Valid: ${of}.` : `Invalid: ${count(errors.length, 'error')}, ${of}.`);
  if (errors.length === 0) tellStreamModes(input.neurons, 'STREAM', out);
  return errors.length === 0 ? EXIT.done : EXIT.failed;
}
