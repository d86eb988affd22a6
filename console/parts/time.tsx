// Shows a time in UTC, with the local time beside.
import { formatLocal, formatUtc, timeZone } from '../data/format.ts';

interface TimeProps {
  /** Milliseconds since the Unix epoch. */
  readonly timeMs: number;
  /** Without the local date. */
  readonly brief?: boolean;
  /** The time in the row above, in milliseconds: its date is not written again. */
  readonly aboveMs?: number | undefined;
}

export function Time({ timeMs, brief, aboveMs }: TimeProps) {
  const local = formatLocal(timeMs, brief ? 'short' : 'long');
  if (Number.isNaN(timeMs)) return <span>–</span>;
  return (
    <time
      dateTime={new Date(timeMs).toISOString()}
      title={local && `${formatLocal(timeMs)} in ${timeZone()}`}
    >
      <UtcTime text={formatUtc(timeMs)} above={aboveMs === undefined ? '' : formatUtc(aboveMs)} />
      {local !== undefined && <span class="local"> {local}</span>}
    </time>
  );
}

const DATE_LENGTH = '2026-11-22 '.length;

/** A repeated date keeps its place, so that times stand below each other. */
function UtcTime({ text, above }: { readonly text: string; readonly above: string }) {
  const date = text.slice(0, DATE_LENGTH);
  return (
    <>
      <span class={above.startsWith(date) ? 'date repeated' : 'date'}>{date}</span>
      {text.slice(DATE_LENGTH)}
    </>
  );
}
