// Before the files that run side by side: the assemblies that all of them start, so that no two of them make the same one at once.
import { synthesizeLocal } from './assembly.ts';
import { isLocal, TRANSFER_MODES } from './stack.ts';

export default async function synthesizeOnce(): Promise<void> {
  if (isLocal) await Promise.all(TRANSFER_MODES.map(synthesizeLocal));
}
