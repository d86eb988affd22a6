// Reads from the server and keeps what was read, so that going back shows it at once while it is read again.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ConsoleError } from './api.ts';

/** Answers kept: some pages back. */
const MOST_KEPT = 60;
const kept = new Map<string, unknown>();

/** The state of a query. `data` may be older than the error beside it. */
export interface Query<Value> {
  readonly data: Value | undefined;
  readonly error: ConsoleError | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
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
    const given = new AbortController();
    setState((before) => ({ ...before, key, isLoading: true }));
    latest
      .current(given.signal)
      .then((value) => {
        keep(key, value);
        if (!given.signal.aborted) setState({ key, isLoading: false });
      })
      .catch((error: unknown) => {
        if (!given.signal.aborted) setState({ key, isLoading: false, error: toConsoleError(error) });
      });
    return () => given.abort();
  }, [key, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, reload]);
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
    if (kept.size <= MOST_KEPT) break;
    kept.delete(oldest);
  }
}
