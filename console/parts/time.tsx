// A moment in UTC, with the reader's own clock beside.
import { formatLocal, formatUtc, timeZone } from '../data/format.ts';

/** `timeMs` in milliseconds since the Unix epoch. `brief` leaves the local date out. */
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
