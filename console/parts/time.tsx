// Shows a time in UTC, with the local time beside.
import { formatLocal, formatUtc, timeZone } from '../data/format.ts';

/** `timeMs`: milliseconds since the Unix epoch. `brief`: without the local date. */
export function Time({ timeMs, brief }: { readonly timeMs: number; readonly brief?: boolean }) {
  const local = formatLocal(timeMs, brief ? 'short' : 'long');
  if (Number.isNaN(timeMs)) return <span>–</span>;
  return (
    <time
      dateTime={new Date(timeMs).toISOString()}
      title={local && `${formatLocal(timeMs)} in ${timeZone()}`}
    >
      {formatUtc(timeMs)}
      {local !== undefined && <span class="local"> {local}</span>}
    </time>
  );
}
