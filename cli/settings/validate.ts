// `neuron validate`: validates settings files offline.
import type { NeuronInput } from '../../core/admin/apply/changes.ts';
import { argument, command } from '../command/command.ts';
import { listCoverage, organizationsOf, reportCoverage, waitsForGuard } from '../guards/report-coverage.ts';
import { EXIT, type ExitCode } from '../output/failure.ts';
import { count } from '../output/print.ts';
import { overlayOption } from './read-with-overlays.ts';
import { printStreamModes } from './stream-notice.ts';
import { renderDiagnosticLine, toListedDiagnostic, validateFiles } from './validate-files.ts';

/** Max. deadline of settings. A stage may allow less, which `apply` checks. */
const MAX_DEADLINE_MS = 240_000;

export const validate = command({
  name: 'validate',
  arguments: { paths: argument('<path...>', 'files, or folders with .yaml files') },
  options: { overlay: overlayOption },
  async run({ paths, overlay = [] }, { options, terminal, out }): Promise<ExitCode> {
    const { input, files, documents, errors, warnings } = await validateFiles(
      { paths, overlays: overlay, folder: terminal.folder },
      {
        addresses: { allowLoopback: options.local !== undefined },
        maxDeadlineMs: MAX_DEADLINE_MS,
        transferMode: 'STREAM',
        withTests: true,
      },
    );
    for (const diagnostic of [...errors, ...warnings]) {
      const { severity } = diagnostic;
      const label = out.paint(severity === 'error' ? 'red' : 'yellow', severity);
      out.value(toListedDiagnostic(diagnostic), `${label} ${renderDiagnosticLine(diagnostic)}`);
    }
    const read = `${count(documents, 'document')} in ${count(files, 'file')}`;
    if (errors.length > 0) {
      out.message(`Invalid: ${count(errors.length, 'error')}, ${read}.`);
      return EXIT.failed;
    }
    out.message(`Valid: ${read}.`);
    const findOrganization = organizationsOf(input);
    const waitsForGuards = (neuron: NeuronInput) => waitsForGuard(neuron, findOrganization);
    printStreamModes(input.neurons, { transferMode: 'STREAM', waitsForGuards }, out);
    if (out.json) for (const one of listCoverage(input.neurons, findOrganization)) out.value(one, '');
    else reportCoverage(input.neurons, { findOrganization, isBuffered: false }, out);
    return EXIT.done;
  },
});
