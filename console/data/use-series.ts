// The calls of a time range, summed up: drawn while they are read, and read again while the page is looked at.
import { useEffect, useState } from 'preact/hooks';
import type { Series } from '../../cli/console/api.ts';
import { readLines } from './api.ts';
import { type Query, toConsoleError } from './use-query.ts';

/** Reading them all costs the store something: after so long, and after so many times as long as it took, they are read again. */
const EVERY_MS = 60_000;
const REST_TIMES = 4;

export function useSeries(target: string, range: string): Query<Series> {
  const [state, setState] = useState<Omit<Query<Series>, 'reload'> & { readonly key: string }>({
    ...{ key: '', data: undefined, error: undefined, isLoading: true },
  });
  const [round, setRound] = useState(0);
  const key = `${target} ${range}`;
  useEffect(() => {
    const ended = new AbortController();
    const beganMs = performance.now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const readAgain = () => {
      if (document.visibilityState === 'visible') setRound(round + 1);
      else timer = setTimeout(readAgain, EVERY_MS);
    };
    const follow = async () => {
      for await (const series of readLines<Series>('series', { target, range }, ended.signal)) {
        if (series === null) continue;
        // What is complete is not replaced by what is not.
        setState((before) =>
          series.isComplete || before.key !== key || !before.data?.isComplete
            ? { key, data: series, error: undefined, isLoading: !series.isComplete }
            : before,
        );
      }
    };
    follow()
      .catch((error: unknown) => {
        if (!ended.signal.aborted)
          setState((before) => ({ ...before, key, error: toConsoleError(error), isLoading: false }));
      })
      .finally(() => {
        if (ended.signal.aborted) return;
        timer = setTimeout(readAgain, Math.max(EVERY_MS, REST_TIMES * (performance.now() - beganMs)));
      });
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [key, target, range, round]);
  const isCurrent = state.key === key;
  return {
    data: isCurrent ? state.data : undefined,
    error: isCurrent ? state.error : undefined,
    isLoading: state.isLoading,
    reload: () => setRound(round + 1),
  };
}
