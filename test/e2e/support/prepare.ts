// Before the files that run side by side: the assemblies that all of them start, so that no two of them make the same one at once, and the command.
import { synthesizeLocal } from './assembly.ts';
import { bundleCommand } from './bundle-command.ts';
import { isLocal, TRANSFER_MODES } from './stack.ts';

export default async function prepare(): Promise<void> {
  await Promise.all([bundleCommand(), ...(isLocal ? TRANSFER_MODES.map(synthesizeLocal) : [])]);
}
