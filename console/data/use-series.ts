// Reads the sums of the calls of a time range. They are drawn while they are read, and read again while the page is visible.
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Series } from '../../cli/console/api.ts';
import { readLines } from './api.ts';
import { chooseRange, FIRST_RANGE, type Range } from './range.ts';
import { type Query, toConsoleError } from './use-query.ts';

/** Reading costs the store something. It is repeated after this time, but not before a multiple of its own duration. */
const REFRESH_MS = 60_000;
const IDLE_FACTOR = 4;

interface ChosenRange {
  readonly range: Range;
  /** False for sums that another range shows better, which is then chosen. */
  readonly suits: (series: Series) => boolean;
}

/** `asked`: undefined to choose it from the data. */
export function useRange(target: string, asked: Range | undefined): ChosenRange {
  const [chosen, setChosen] = useState<{ readonly target: string; readonly range: Range }>();
  const known = asked ?? (chosen?.target === target ? chosen.range : undefined);
  const suits = useCallback(
    (series: Series) => {
      if (known !== undefined || !series.isComplete) return true;
      const range = chooseRange(series);
      if (range !== FIRST_RANGE) setChosen({ target, range });
      return range === FIRST_RANGE;
    },
    [known, target],
  );
  return { range: known ?? FIRST_RANGE, suits };
}

export function useSeries(target: string, { range, suits }: ChosenRange): Query<Series> {
  const [state, setState] = useState<Omit<Query<Series>, 'reload'> & { readonly key: string }>({
    key: '',
    data: undefined,
    error: undefined,
    isLoading: true,
  });
  const [round, setRound] = useState(0);
  const key = `${target} ${range}`;
  useEffect(() => {
    const controller = new AbortController();
    const startedMs = performance.now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      if (document.visibilityState === 'visible') setRound(round + 1);
      else timer = setTimeout(refresh, REFRESH_MS);
    };
    const follow = async () => {
      for await (const series of readLines<Series>('series', { target, range }, controller.signal)) {
        if (series === null) continue;
        if (!suits(series)) return;
        // Incomplete sums do not replace complete ones.
        setState((before) =>
          series.isComplete || before.key !== key || !before.data?.isComplete
            ? { key, data: series, error: undefined, isLoading: !series.isComplete }
            : before,
        );
      }
    };
    follow()
      .catch((error: unknown) => {
        if (!controller.signal.aborted)
          setState((before) => ({ ...before, key, error: toConsoleError(error), isLoading: false }));
      })
      .finally(() => {
        if (controller.signal.aborted) return;
        timer = setTimeout(refresh, Math.max(REFRESH_MS, IDLE_FACTOR * (performance.now() - startedMs)));
      });
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key, target, range, suits, round]);
  const isCurrent = state.key === key;
  return {
    data: isCurrent ? state.data : undefined,
    error: isCurrent ? state.error : undefined,
    isLoading: state.isLoading,
    reload: () => setRound(round + 1),
  };
}
