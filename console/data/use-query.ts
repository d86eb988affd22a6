// Reads from the server and keeps what was read, so that going back shows it at once while it is read again.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { CommandResult } from '../../cli/console/api.ts';
import { ConsoleError, type Input, read } from './api.ts';

/** Answers kept: some pages back. */
const MAX_KEPT = 60;
const kept = new Map<string, unknown>();
/** Whoever shows what has this key: drawn again when another has read it, and read again when another asks for that. */
const watchers = new Set<(key: string, isStale: boolean) => void>();

/** The state of a query. `data` may be older than the error beside it. */
export interface Query<Value> {
  readonly data: Value | undefined;
  readonly error: ConsoleError | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** Runs an operation that changes nothing, as `useQuery` does. An undefined name runs nothing. */
export function useCommand<Value>(
  name: string | undefined,
  input: Input = {},
  everyMs?: number,
): Query<CommandResult<Value>> {
  return useQuery(
    name === undefined ? undefined : `${name} ${JSON.stringify(input)}`,
    (signal) => read<Value>(name ?? '', input, signal),
    everyMs,
  );
}

/** Reads when the key changes, and again every `everyMs` while the page is visible. An undefined key reads nothing. */
export function useQuery<Value>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<Value>,
  everyMs?: number,
): Query<Value> {
  const [round, setRound] = useState(0);
  const [state, setState] = useState<{ key?: string; error?: ConsoleError; isLoading: boolean }>({
    isLoading: true,
  });
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    if (key === undefined) return;
    const input = new AbortController();
    setState((before) => ({ ...before, key, isLoading: true }));
    latest
      .current(input.signal)
      .then((value) => {
        if (!input.signal.aborted) setState({ key, isLoading: false });
        keep(key, value);
      })
      .catch((error: unknown) => {
        if (!input.signal.aborted) setState({ key, isLoading: false, error: toConsoleError(error) });
      });
    return () => input.abort();
  }, [key, round]);
  const [, redraw] = useState(0);
  useEffect(() => {
    const watch = (named: string, isStale: boolean) => {
      if (named !== key) return;
      if (isStale) setRound((before) => before + 1);
      else redraw((before) => before + 1);
    };
    watchers.add(watch);
    return () => void watchers.delete(watch);
  }, [key]);
  // Each for itself: whoever asked may be gone before it is read.
  const reload = useCallback(() => {
    for (const watch of watchers) if (key !== undefined) watch(key, true);
  }, [key]);
  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') setRound((before) => before + 1);
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  const isCurrent = state.key === key;
  return {
    data: key === undefined ? undefined : (kept.get(key) as Value | undefined),
    error: isCurrent ? state.error : undefined,
    isLoading: !isCurrent || state.isLoading,
    reload,
  };
}

export function toConsoleError(error: unknown): ConsoleError {
  return error instanceof ConsoleError ? error : new ConsoleError(0, { what: String(error) });
}

function keep(key: string, value: unknown): void {
  kept.delete(key);
  kept.set(key, value);
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_KEPT) break;
    kept.delete(oldest);
  }
  for (const watch of watchers) watch(key, false);
}
