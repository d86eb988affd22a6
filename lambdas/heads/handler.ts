// The heads function: writes the newest seal of each chain of the log to another place, every hour.
import { fromVariables, HEADS_FIELDS } from '../environment.ts';
import { compose } from './compose.ts';
import { writeHeads } from './write-heads.ts';

const ports = compose(fromVariables(HEADS_FIELDS, process.env));

/** Throws when they cannot be written: Lambda then retries, and counts an error. */
export async function handler(): Promise<void> {
  await writeHeads(ports);
}
