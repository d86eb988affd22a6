// The archive function: writes the day before to a bucket with Object Lock, every day, or the day that its event names.
import { ARCHIVE_FIELDS, fromVariables } from '../environment.ts';
import { archive, chooseDay } from './archive.ts';
import { compose } from './compose.ts';

const ports = compose(fromVariables(ARCHIVE_FIELDS, process.env));

/** Throws when the day was not archived whole: Lambda then retries, and counts an error. */
export async function handler(event: unknown): Promise<void> {
  await archive(chooseDay(event, ports.nowMs()), ports);
}
