// Writes the entry of a change before the change is made, and what came of it after. Without the entry nothing is changed.
import {
  CHANGE_RETENTION_MS,
  type ChangeDescription,
  type ChangeEntry,
  toChangeId,
} from '../../core/contract/change-entry.ts';
import { WriteConflict } from '../../core/ports/administration.ts';
import type { ChangeWriter } from '../../core/ports/change-log.ts';
import type { Random } from '../../core/ports/platform.ts';
import type { Clock } from '../../core/time/clock.ts';
import { CommandFailure } from '../output/failure.ts';

/** What recording needs. */
interface ChangeRecorderPorts {
  readonly changes: ChangeWriter;
  readonly clock: Clock;
  readonly random: Random;
  author(): Promise<string>;
}

/** Makes a change with its entry; `isMade` tells from its result whether anything was different before. */
export type RecordChange = <Result>(
  description: ChangeDescription,
  make: () => Promise<Result>,
  isMade?: (result: Result) => boolean,
) => Promise<Result>;

/** One for each run of the command. Throws `CommandFailure` when the entry cannot be written, and what making the change throws. */
export function createRecordChange(ports: ChangeRecorderPorts): RecordChange {
  let author: Promise<string> | undefined;
  let lastMs = 0;
  async function begin(description: ChangeDescription): Promise<ChangeEntry> {
    author ??= ports.author();
    // Changes of one millisecond would be listed in no order.
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
      throw refusalFor(description, cause);
    });
    // Should this write be lost, the change is listed as one of which nobody knows what came: that is what the log knows.
    const end = (outcome: 'made' | 'unchanged' | 'failed') =>
      ports.changes.end(change, outcome).catch(() => undefined);
    try {
      const result = await make();
      await end(isMade(result) ? 'made' : 'unchanged');
      return result;
    } catch (error) {
      // Any other failure may have come after the change was made.
      if (error instanceof WriteConflict) await end('failed');
      throw error;
    }
  };
}

function refusalFor({ actions }: ChangeDescription, cause: unknown): CommandFailure {
  return new CommandFailure(
    {
      what: `Nothing was changed, because the log entry of ${actions.join(', ')} could not be written.`,
      why: cause instanceof Error ? cause.message : String(cause),
      remedy: 'Check the log table and your permission to write to it, then run the command again.',
    },
    { cause },
  );
}
