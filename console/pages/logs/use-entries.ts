// Reads log entries page by page, and new ones as they arrive. Memory is bounded: a list that is full goes on with a new one.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { CommandResult } from '../../../cli/console/api.ts';
import { type ConsoleError, type Input, read, readLines } from '../../data/api.ts';
import { toConsoleError } from '../../data/use-query.ts';
import type { EntryValue } from '../../data/values.ts';

const PAGE = 200;
/** Where more entries than a page have the same time: the most that the server returns. */
const LARGE_PAGE = 1_000;
/** Entries that are held at once. */
const MAX_ROWS = 20_000;
/** New entries that are held while following. */
const MAX_NEW = 1_000;
/** New entries are drawn together. */
const DRAW_MS = 250;

interface Entries {
  readonly rows: readonly EntryValue[];
  readonly ids: ReadonlySet<string>;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly error?: ConsoleError | undefined;
  readonly messages: readonly string[];
  readonly warnings: readonly string[];
  readonly command: string;
}

const NONE: Entries = {
  ...{ rows: [], ids: new Set<string>(), hasMore: true, isLoading: true },
  ...{ messages: [], warnings: [], command: '' },
};

/** The entries that match; `more` reads the next page. */
export function useEntries(input: Input) {
  const key = JSON.stringify(input);
  const [state, setState] = useState<Entries>(NONE);
  const [round, setRound] = useState(0);
  const current = useRef<{ more: () => void }>({ more: () => undefined });
  useEffect(() => {
    const ended = new AbortController();
    let entries = NONE;
    let isReading = false;
    const readPage = async () => {
      if (isReading || !entries.hasMore || entries.rows.length >= MAX_ROWS) return;
      isReading = true;
      setState({ ...entries, isLoading: true });
      try {
        const next = nextPage(JSON.parse(key), entries);
        const before = entries.rows.length;
        entries = append(entries, await readEntries(next, PAGE, ended.signal));
        if (entries.rows.length === before && entries.hasMore)
          entries = append(entries, await readEntries(next, LARGE_PAGE, ended.signal));
        // A page of nothing new would be read for ever.
        if (entries.rows.length === before) entries = { ...entries, hasMore: false };
      } catch (error) {
        if (ended.signal.aborted) return;
        entries = { ...entries, isLoading: false, hasMore: false, error: toConsoleError(error) };
      }
      isReading = false;
      if (!ended.signal.aborted) setState(entries);
    };
    current.current.more = () => void readPage();
    setState(NONE);
    void readPage();
    return () => ended.abort();
  }, [key, round]);
  const more = useCallback(() => current.current.more(), []);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  return { ...state, more, reload, isFull: state.hasMore && state.rows.length >= MAX_ROWS };
}

function readEntries(input: Input, most: number, signal: AbortSignal): Promise<CommandResult<EntryValue>> {
  return read('logs', { ...input, most }, signal);
}

/** The end of a range is exclusive, and others may have the time of the oldest entry, so that one is read again. */
function nextPage(input: Input, { rows }: Entries): Input {
  const oldest = rows.at(-1);
  const to = oldest === undefined ? input['to'] : new Date(oldest.timeMs + 1).toISOString();
  const isSince = input['since'] !== undefined && oldest !== undefined;
  // "An hour back" is counted from the end, which moves with the pages: the beginning stays that of the first one.
  const from = isSince
    ? new Date(Date.now() - lengthOf(String(input['since']))).toISOString()
    : input['from'];
  return { ...input, ...(isSince ? { since: undefined } : {}), from, to };
}

/** `1d` as in the filters. */
function lengthOf(since: string): number {
  const [, count = '1', unit = 'd'] = /^(\d+)([mhd])$/.exec(since) ?? [];
  return Number(count) * ({ m: 60_000, h: 3_600_000 }[unit] ?? 86_400_000);
}

function append(before: Entries, page: CommandResult<EntryValue>): Entries {
  const added = page.values.filter(({ executionId }) => !before.ids.has(executionId));
  return {
    rows: [...before.rows, ...added],
    ids: new Set([...before.ids, ...added.map(({ executionId }) => executionId)]),
    hasMore: page.more,
    isLoading: false,
    error: undefined,
    messages: page.messages,
    warnings: page.warnings,
    command: before.command || page.command,
  };
}

/** Entries that arrive from now on, newest first. */
export function useTail({ since: _s, from: _f, to: _t, ...input }: Input, isLive: boolean) {
  const key = JSON.stringify(input);
  const [state, setState] = useState<{ rows: readonly EntryValue[]; error?: ConsoleError }>({ rows: [] });
  useEffect(() => {
    setState({ rows: [] });
    if (!isLive) return;
    const ended = new AbortController();
    let waiting: EntryValue[] = [];
    const draw = () => {
      if (waiting.length === 0) return;
      const newest = waiting.reverse();
      waiting = [];
      setState(({ rows }) => ({ rows: [...newest, ...rows].slice(0, MAX_NEW) }));
    };
    const timer = setInterval(draw, DRAW_MS);
    const follow = async () => {
      for await (const entry of readLines<EntryValue>('tail', JSON.parse(key), ended.signal))
        if (entry !== null) waiting.push(entry);
    };
    follow().catch((error: unknown) => {
      if (!ended.signal.aborted) setState(({ rows }) => ({ rows, error: toConsoleError(error) }));
    });
    return () => {
      clearInterval(timer);
      ended.abort();
    };
  }, [key, isLive]);
  return state;
}
