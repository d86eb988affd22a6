// The heads function: writes the newest link of every chain of the log's seals elsewhere, every hour.
import { fromVariables, HEADS_FIELDS } from '../environment.ts';
import { compose } from './compose.ts';
import { writeHeads } from './write-heads.ts';

const ports = compose(fromVariables(HEADS_FIELDS, process.env));

/** Throws when they cannot be written: Lambda then tries again, and counts an error. */
export async function handler(): Promise<void> {
  await writeHeads(ports);
}
