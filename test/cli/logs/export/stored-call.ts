// A call as it is stored, for exports.
import type { LogEntry } from '../../../../core/contract/log-entry.ts';
import type { StoredRecord } from '../../../../core/ports/seals.ts';
import type { StoredEntry } from '../../../../core/ports/stored-entries.ts';
import { logEntry } from '../../memory-ports.ts';

/** Its id is `exec-INDEX=`. */
export function storedCall(
  index: number,
  timeMs: number,
  more: Partial<LogEntry> & { readonly salt?: string } = {},
): StoredEntry {
  const time = new Date(timeMs).toISOString();
  const executionId = `exec-${index}=`;
  const keys = { pk: `neu#${time.slice(0, 13)}#0`, sk: `${time}#${executionId}` };
  const item = { ...keys, ...logEntry({ executionId, timeMs }), ...more };
  return { type: 'call', ...keys, record: JSON.parse(JSON.stringify(item)) as StoredRecord };
}
