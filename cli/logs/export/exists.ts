// Whether there is a file.
import { stat } from 'node:fs/promises';

/** False as well where it cannot be looked for. */
export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
