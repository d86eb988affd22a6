// The entries of a large log, as the service stores them: with ids of real length and a salt each.
import { createHash } from 'node:crypto';
import { createSalt, toLogItem } from '../../../adapters/dynamodb/log-items.ts';
import { entryOf, FACTS } from '../../core/logs/entries.ts';

export const SHARDS = 2;
export const HOURS = 10;
const HOUR_MS = 3_600_000;

/** 24 hex digits, as ids of organizations and neurons have. */
function idOf(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 24);
}

export const ORGANIZATION_ID = idOf('acme');

/** An item of the log table, its time with it. */
export interface LargeLogItem {
  readonly timeMs: number;
  readonly item: Readonly<Record<string, unknown>>;
}

/**
 * The entry at `index` of `entries` in the hours before `endMs`, in the order of time. Every tenth call is refused, every hundredth keeps
 * long texts; twenty neurons, a hundred users.
 */
export function largeLogItem(index: number, entries: number, endMs: number): LargeLogItem {
  const timeMs = Math.floor(endMs - HOURS * HOUR_MS + (index * HOURS * HOUR_MS) / entries);
  const subject = {
    ...FACTS.subject,
    organizationId: ORGANIZATION_ID,
    neuronId: idOf(`neuron ${index % 20}`),
  };
  const caller = { ...FACTS.caller, username: `user-${index % 100}` };
  const rejected = index % 10 === 1 ? { code: 'rate_limited' as const, run: undefined } : {};
  const input = index % 100 === 0 ? `${index} `.repeat(2_000) : 'short';
  // API Gateway's extended request ids are base64 of 11 bytes.
  const executionId = createHash('sha256')
    .update(`call ${index}`)
    .digest()
    .subarray(0, 11)
    .toString('base64');
  const entry = entryOf({ executionId, timeMs, subject, caller, input, ...rejected });
  return { timeMs, item: { ...toLogItem(entry, SHARDS), salt: createSalt() } };
}
