// New log entries as they arrive: `neuron logs --follow`, as values that can be awaited.
import { OPERATIONS, type Parameters } from './operations.ts';
import type { RunCommand } from './run-command.ts';

/** A line without an entry, so that a connection that is gone is noticed and one that waits is not closed. */
const QUIET_MS = 15_000;

/** Entries from now on, and null while there are none. Ends with the signal. Throws what the command throws. */
export async function* runFollowing(
  input: Parameters,
  run: RunCommand,
  signal: AbortSignal,
): AsyncGenerator<unknown> {
  const waiting: unknown[] = [];
  let wake = () => {};
  let failure: unknown;
  let isOver = false;
  const words = [...(OPERATIONS['logs']?.words(input) ?? []), '--follow'];
  const push = (value: unknown) => {
    waiting.push(value);
    wake();
  };
  run(words, { signal, onValue: push })
    .catch((error: unknown) => {
      failure = error;
    })
    .finally(() => {
      isOver = true;
      wake();
    });
  const timer = setInterval(() => push(null), QUIET_MS);
  try {
    while (!signal.aborted) {
      yield* waiting.splice(0);
      if (isOver) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (waiting.length > 0 || isOver) resolve();
      });
    }
    if (failure !== undefined && !signal.aborted) throw failure;
  } finally {
    clearInterval(timer);
  }
}
