// Writes the log entry of a change before the change, and its outcome after it. Without the entry nothing is changed.
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
  author(): Promise<string>;
}

/** Thrown where the entry of a change could not be written, so the change was not made. A class, to distinguish it from failed changes. */
export class ChangeRecordingError extends Error {
  constructor({ actions }: ChangeDescription, cause: unknown) {
    super(`Nothing was changed, because the log entry of ${actions.join(', ')} could not be written.`, {
      cause,
    });
    this.name = 'ChangeRecordingError';
  }
}

/** Makes a change with its entry, whose id it is given. `isMade` decides from the result whether anything changed. */
export type RecordChange = <Result>(
  description: ChangeDescription,
  make: (changeId: string) => Promise<Result>,
  isMade?: (result: Result) => boolean,
) => Promise<Result>;

/** For one run of a command. The function throws `ChangeRecordingError`, and errors of making the change. */
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
      throw new ChangeRecordingError(description, cause);
    });
    // If this write is lost, the change stays listed with the outcome `unknown`.
    const end = (outcome: 'made' | 'unchanged' | 'failed') =>
      ports.changes.end(change, outcome).catch(() => undefined);
    try {
      const result = await make(change.id);
      await end(isMade(result) ? 'made' : 'unchanged');
      return result;
    } catch (error) {
      // After any other failure the change may have been made.
      if (error instanceof WriteConflict) await end('failed');
      throw error;
    }
  };
}
