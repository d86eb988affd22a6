// An entry of the log whose every text is markup.
import { makeDay, openLog } from '../../../bench/day-of-traffic.ts';
import type { LogEntry } from '../../../core/contract/log-entry.ts';

/** Texts that decide where the entry is, or how it is read, and that no caller chooses. */
const OWN = ['executionId', 'organization', 'organizationId', 'neuronId', 'outcome', 'kind', 'atMs'];

/** Stores it. Returns its id, and the markup of each text. */
export async function putHostileEntry(
  folder: string,
  organization: string,
): Promise<{ readonly id: string; readonly markups: readonly string[] }> {
  const { log, ...owner } = await openLog(folder, organization);
  const nowMs = Date.now();
  const traffic = { ...owner, organization, keys: ['key'], entries: 200, endMs: nowMs };
  // One with a call of a model that was tried again, since that has most texts.
  const entry = [...makeDay(traffic)].find(({ modelCalls: [call] }) => call?.attemptTimes);
  if (entry === undefined) throw new Error('no call of the day was tried again');
  const markups: string[] = [];
  const more = { reason: '', username: '', refererHost: '', traceparent: '', replayOf: '', cacheSource: '' };
  const hostile = withMarkup({ ...entry, ...more, timeMs: nowMs }, '', markups) as LogEntry;
  await log.put(hostile);
  return { id: hostile.executionId, markups };
}

function withMarkup(value: unknown, name: string, markups: string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => withMarkup(one, name, markups));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, withMarkup(one, key, markups)]),
    );
  if (typeof value !== 'string' || OWN.includes(name)) return value;
  const markup = `<img src=${name} onerror=alert(1)>`;
  markups.push(markup);
  return markup;
}
