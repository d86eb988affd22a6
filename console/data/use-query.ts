// Reads from the server with a cache, so that a page that was shown before is drawn at once while it is read again.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { CommandResult } from '../../cli/console/api.ts';
import { ConsoleError, type Parameters, read } from './api.ts';

const MAX_CACHED = 60;
const cached = new Map<string, unknown>();
/** Components that show a query. They are drawn again when its answer was read, and read it again when it is stale. */
const watchers = new Set<(key: string, isStale: boolean) => void>();

/** `data` may be older than the error. */
export interface Query<Value> {
  readonly data: Value | undefined;
  readonly error: ConsoleError | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** Runs an operation that changes nothing, as `useQuery` does. An undefined name runs nothing. */
export function useCommand<Value>(
  name: string | undefined,
  parameters: Parameters = {},
  refreshMs?: number,
): Query<CommandResult<Value>> {
  return useQuery(
    name === undefined ? undefined : `${name} ${JSON.stringify(parameters)}`,
    (signal) => read<Value>(name ?? '', parameters, signal),
    refreshMs,
  );
}

/** Reads when the key changes, and every `refreshMs` while the page is visible. An undefined key reads nothing. */
export function useQuery<Value>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<Value>,
  refreshMs?: number,
): Query<Value> {
  const [round, setRound] = useState(0);
  const [state, setState] = useState<{ key?: string; error?: ConsoleError; isLoading: boolean }>({
    isLoading: true,
  });
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    if (key === undefined) return;
    const controller = new AbortController();
    setState((before) => ({ ...before, key, isLoading: true }));
    latest
      .current(controller.signal)
      .then((value) => {
        if (!controller.signal.aborted) setState({ key, isLoading: false });
        store(key, value);
      })
      .catch((error: unknown) => {
        if (!controller.signal.aborted) setState({ key, isLoading: false, error: toConsoleError(error) });
      });
    return () => controller.abort();
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
  // Every component reads for itself, since the one that called this may be removed before the answer comes.
  const reload = useCallback(() => {
    for (const watch of watchers) if (key !== undefined) watch(key, true);
  }, [key]);
  useEffect(() => {
    if (refreshMs === undefined) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') setRound((before) => before + 1);
    }, refreshMs);
    return () => clearInterval(timer);
  }, [refreshMs]);
  const isCurrent = state.key === key;
  return {
    data: key === undefined ? undefined : (cached.get(key) as Value | undefined),
    error: isCurrent ? state.error : undefined,
    isLoading: !isCurrent || state.isLoading,
    reload,
  };
}

export function toConsoleError(error: unknown): ConsoleError {
  return error instanceof ConsoleError ? error : new ConsoleError(0, { what: String(error) });
}

function store(key: string, value: unknown): void {
  cached.delete(key);
  cached.set(key, value);
  for (const oldest of cached.keys()) {
    if (cached.size <= MAX_CACHED) break;
    cached.delete(oldest);
  }
  for (const watch of watchers) watch(key, false);
}
