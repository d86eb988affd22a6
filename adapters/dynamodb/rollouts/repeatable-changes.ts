// The change log for a function that may be ended at any time, and then makes its entry again.
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type { ChangeWriter } from '../../../core/ports/change-log.ts';

/** An entry that is there already, under the same id, counts as written. */
export function createRepeatableChanges({ begin, end }: ChangeWriter): ChangeWriter {
  return {
    begin: (change) => unlessThere(begin(change)),
    end: (change, outcome) => unlessThere(end(change, outcome)),
  };
}

async function unlessThere(write: Promise<void>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
