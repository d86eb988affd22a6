// Progress messages of long commands.
import type { Clock } from '../../core/time/clock.ts';
import type { Output } from './print.ts';

const INTERVAL_MS = 2_000;

/** Prints a message at most every two seconds; `render` is called only for those. */
export function createProgress(
  clock: Pick<Clock, 'now'>,
  out: Pick<Output, 'progress'>,
): (render: () => string) => void {
  let reportedMs = clock.now();
  return (render) => {
    if (clock.now() - reportedMs < INTERVAL_MS) return;
    reportedMs = clock.now();
    out.progress(render());
  };
}
