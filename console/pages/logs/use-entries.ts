// Reads log entries page by page, and new ones as they arrive. Memory is bounded: a full list is continued by a new one.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { CommandResult } from '../../../cli/console/api.ts';
import { type ConsoleError, type Parameters, read, readLines } from '../../data/api.ts';
import { toConsoleError } from '../../data/use-query.ts';
import type { EntryValue } from '../../data/values.ts';

const PAGE = 200;
/** Max. page of the server, used where more entries than a page have the same time. */
const LARGE_PAGE = 1_000;
const MAX_ROWS = 20_000;
/** Max. number of new entries in memory while following. */
const MAX_NEW_ROWS = 1_000;
/** Interval at which new entries are drawn. */
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
  rows: [],
  ids: new Set<string>(),
  hasMore: true,
  isLoading: true,
  messages: [],
  warnings: [],
  command: '',
};

/** `more` reads the next page. */
export function useEntries(parameters: Parameters) {
  const key = JSON.stringify(parameters);
  const [state, setState] = useState<Entries>(NONE);
  const [round, setRound] = useState(0);
  const current = useRef<{ more: () => void }>({ more: () => undefined });
  useEffect(() => {
    const controller = new AbortController();
    let entries = NONE;
    let isReading = false;
    const readPage = async () => {
      if (isReading || !entries.hasMore || entries.rows.length >= MAX_ROWS) return;
      isReading = true;
      setState({ ...entries, isLoading: true });
      try {
        const next = nextPage(JSON.parse(key), entries);
        const before = entries.rows.length;
        entries = append(entries, await readEntries(next, PAGE, controller.signal));
        if (entries.rows.length === before && entries.hasMore)
          entries = append(entries, await readEntries(next, LARGE_PAGE, controller.signal));
        // A page without a new entry would be read again and again.
        if (entries.rows.length === before) entries = { ...entries, hasMore: false };
      } catch (error) {
        if (controller.signal.aborted) return;
        entries = { ...entries, isLoading: false, hasMore: false, error: toConsoleError(error) };
      }
      isReading = false;
      if (!controller.signal.aborted) setState(entries);
    };
    current.current.more = () => void readPage();
    setState(NONE);
    void readPage();
    return () => controller.abort();
  }, [key, round]);
  const more = useCallback(() => current.current.more(), []);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  return { ...state, more, reload, isFull: state.hasMore && state.rows.length >= MAX_ROWS };
}

function readEntries(
  parameters: Parameters,
  limit: number,
  signal: AbortSignal,
): Promise<CommandResult<EntryValue>> {
  return read('logs', { ...parameters, limit }, signal);
}

/** The end of a range is exclusive, and other entries may have the time of the oldest one, so it is read again. */
function nextPage(parameters: Parameters, { rows }: Entries): Parameters {
  const oldest = rows.at(-1);
  const to = oldest === undefined ? parameters['to'] : new Date(oldest.timeMs + 1).toISOString();
  const isSince = parameters['since'] !== undefined && oldest !== undefined;
  // A length of time counts from the end, which moves with each page. The start must stay that of the first page.
  const from = isSince
    ? new Date(Date.now() - parseLength(String(parameters['since']))).toISOString()
    : parameters['from'];
  return { ...parameters, ...(isSince ? { since: undefined } : {}), from, to };
}

/** Milliseconds of a length such as `1d`. */
function parseLength(since: string): number {
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

/** New entries, newest first. */
export function useTail({ since: _s, from: _f, to: _t, ...parameters }: Parameters, isLive: boolean) {
  const key = JSON.stringify(parameters);
  const [state, setState] = useState<{ rows: readonly EntryValue[]; error?: ConsoleError }>({ rows: [] });
  useEffect(() => {
    setState({ rows: [] });
    if (!isLive) return;
    const controller = new AbortController();
    let waiting: EntryValue[] = [];
    const draw = () => {
      if (waiting.length === 0) return;
      const newest = waiting.reverse();
      waiting = [];
      setState(({ rows }) => ({ rows: [...newest, ...rows].slice(0, MAX_NEW_ROWS) }));
    };
    const timer = setInterval(draw, DRAW_MS);
    const follow = async () => {
      for await (const entry of readLines<EntryValue>('tail', JSON.parse(key), controller.signal))
        if (entry !== null) waiting.push(entry);
    };
    follow().catch((error: unknown) => {
      if (!controller.signal.aborted) setState(({ rows }) => ({ rows, error: toConsoleError(error) }));
    });
    return () => {
      clearInterval(timer);
      controller.abort();
    };
  }, [key, isLive]);
  return state;
}
