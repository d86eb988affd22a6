// Writes the log entry of a change before the change is made, and its outcome afterwards. Without the entry nothing is changed.
import {
  CHANGE_RETENTION_MS,
  type ChangeDescription,
  type ChangeEntry,
  toChangeId,
} from '../contract/change-entry.ts';
import { WriteConflict } from '../ports/administration.ts';
import type { ChangeWriter } from '../ports/change-log.ts';
import type { Random } from '../ports/platform.ts';
import type { Clock } from '../time/clock.ts';

export interface ChangeRecorderPorts {
  readonly changes: ChangeWriter;
  readonly clock: Clock;
  readonly random: Random;
  /** Principal that makes the changes. */
  author(): Promise<string>;
}

/** Thrown in place of a change whose entry could not be written. A class, to tell it from failures of the change itself. */
export class ChangeNotRecorded extends Error {
  constructor({ actions }: ChangeDescription, cause: unknown) {
    super(`Nothing was changed, because the log entry of ${actions.join(', ')} could not be written.`, {
      cause,
    });
    this.name = 'ChangeNotRecorded';
  }
}

/** Makes a change with its entry; `isMade` tells from the result whether anything changed. */
export type RecordChange = <Result>(
  description: ChangeDescription,
  make: () => Promise<Result>,
  isMade?: (result: Result) => boolean,
) => Promise<Result>;

/** One for each run of a command. Throws `ChangeNotRecorded` when the entry cannot be written, and what making the change throws. */
export function createRecordChange(ports: ChangeRecorderPorts): RecordChange {
  let author: Promise<string> | undefined;
  let lastMs = 0;
  async function begin(description: ChangeDescription): Promise<ChangeEntry> {
    author ??= ports.author();
    // Changes need distinct times to be listed in order.
    lastMs = Math.max(ports.clock.now(), lastMs + 1);
    const change = {
      id: toChangeId(lastMs, ports.random.bytes(8)),
      timeMs: lastMs,
      by: await author,
      ...description,
      expiresAt: Math.floor((lastMs + CHANGE_RETENTION_MS) / 1000),
    };
    await ports.changes.begin(change);
    return change;
  }
  return async (description, make, isMade = () => true) => {
    const change = await begin(description).catch((cause: unknown) => {
      throw new ChangeNotRecorded(description, cause);
    });
    // If this write is lost, the change stays listed with the outcome `unknown`.
    const end = (outcome: 'made' | 'unchanged' | 'failed') =>
      ports.changes.end(change, outcome).catch(() => undefined);
    try {
      const result = await make();
      await end(isMade(result) ? 'made' : 'unchanged');
      return result;
    } catch (error) {
      // After any other failure the change may have been made.
      if (error instanceof WriteConflict) await end('failed');
      throw error;
    }
  };
}
