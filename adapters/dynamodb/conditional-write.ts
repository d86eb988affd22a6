// Writes whose condition may not be met.
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';

/** False where the condition of a write was not met. */
export async function unlessRejected(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
