// Before the files that run side by side: the assemblies that all of them start, so that no two of them make the same one at once, and the command:
// `NEURON_E2E_SOURCES=1` (.ci/deep) starts it from its sources.
import { synthesizeLocal } from './assembly.ts';
import { bundleCommand } from './bundle-command.ts';
import { isLocal, TRANSFER_MODES } from './stack.ts';

export default async function prepare(): Promise<void> {
  const bundled = process.env['NEURON_E2E_SOURCES'] === undefined ? bundleCommand() : undefined;
  await Promise.all([bundled, ...(isLocal ? TRANSFER_MODES.map(synthesizeLocal) : [])]);
}
