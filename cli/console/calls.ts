// Answers the calls of the page by running commands.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../core/time/clock.ts';
import { toIso } from '../../core/time/iso.ts';
import { CommandFailure } from '../output/failure.ts';
import type { ConsoleSession, Series } from './api.ts';
import { callNeuron } from './call-neuron.ts';
import { LOGS, OPERATIONS, type Parameters } from './operations.ts';
import type { RunCommand } from './run-command.ts';
import { createSeries, type SeriesEntry } from './series.ts';

/** A call that was checked to come from the page. */
export interface ConsoleCall {
  /** The path after `/api/`. */
  readonly path: string;
  /** True for a POST with the CSRF token, which may change something. */
  readonly isChange: boolean;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly csrfToken: string;
}

/** One value, or values as they come. */
export type ConsoleAnswer =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'lines'; readonly lines: AsyncIterable<unknown> };

/** Throws `CommandFailure`. The signal aborts when the page no longer waits. */
export type CallHandler = (call: ConsoleCall, signal: AbortSignal) => Promise<ConsoleAnswer>;

export interface CallPorts {
  readonly run: RunCommand;
  readonly clock: Pick<Clock, 'now'>;
  describeSession(): Promise<Omit<ConsoleSession, 'csrfToken'>>;
}

/** The first chart comes soon; drawing later ones must cost less than reading. */
const FIRST_SERIES_MS = 300;
const NEXT_SERIES_MS = 1_000;
const MAX_SERIES_ENTRIES = 100_000;
const RANGES_MS: Readonly<Record<string, number>> = {
  '1h': 3_600_000,
  '6h': 21_600_000,
  '24h': 86_400_000,
  '7d': 604_800_000,
};

export function createCalls(ports: CallPorts): CallHandler {
  return async ({ path, isChange, parameters, csrfToken }, signal) => {
    const texts = toParameters(parameters);
    const operation = /^run\/(\w+)$/.exec(path)?.[1];
    if (operation !== undefined)
      return { kind: 'json', value: await runOperation(operation, texts, isChange, ports, signal) };
    if (path === 'session') {
      const value: ConsoleSession = { ...(await ports.describeSession()), csrfToken };
      return { kind: 'json', value };
    }
    if (path === 'series') return { kind: 'lines', lines: readSeries(texts, ports, signal) };
    if (path === 'tail') return { kind: 'lines', lines: runFollowing(texts, ports.run, signal) };
    if (path === 'call' && isChange) {
      const { url } = await ports.describeSession();
      return { kind: 'lines', lines: callNeuron(parameters, url, signal) };
    }
    throw new CommandFailure({ what: `The console has no ${path}.` });
  };
}

async function runOperation(
  name: string,
  parameters: Parameters,
  isChange: boolean,
  { run }: CallPorts,
  signal: AbortSignal,
) {
  const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
  if (operation === undefined) throw new CommandFailure({ what: `The console has no ${name}.` });
  if (operation.changes && !isChange)
    throw new CommandFailure({ what: `${name} changes something: use POST.` });
  const { maxValues } = operation;
  const limit = Number(parameters['limit']) || maxValues;
  return run(operation.words(parameters), {
    form: operation.form,
    command: operation.command,
    maxValues: maxValues === undefined || limit === undefined ? undefined : Math.min(maxValues, limit),
    // A change that has started is finished even if no one waits for it.
    ...(operation.changes ? {} : { signal }),
    ...(operation.environment === undefined ? {} : { environment: operation.environment(parameters) }),
    ...(operation.stdin === undefined ? {} : { stdin: operation.stdin(parameters) }),
  });
}

/** Reads the log newest first, and yields the sums of the entries read so far until all are read. */
async function* readSeries(
  parameters: Parameters,
  { run, clock }: CallPorts,
  signal: AbortSignal,
): AsyncGenerator<Series> {
  const toMs = clock.now();
  const fromMs = toMs - (RANGES_MS[parameters['range'] ?? ''] ?? 86_400_000);
  const series = createSeries(fromMs, toMs);
  const full = new AbortController();
  const words = LOGS.words({ ...parameters, from: toIso(fromMs) });
  let readToMs = toMs;
  let entries = 0;
  const reading = run(words, {
    command: LOGS.command,
    signal: AbortSignal.any([signal, full.signal]),
    onValue: (value) => {
      const entry = value as SeriesEntry;
      series.add(entry);
      readToMs = entry.timeMs;
      entries += 1;
      if (entries === MAX_SERIES_ENTRIES) full.abort();
    },
  });
  for (let pauseMs = FIRST_SERIES_MS; ; pauseMs = NEXT_SERIES_MS) {
    const result = await Promise.race([reading, sleep(pauseMs, undefined)]);
    if (result === undefined && entries === 0) continue;
    const isComplete = result !== undefined;
    yield {
      ...series.build(),
      command: result?.command ?? '',
      isComplete,
      cutBeforeMs: isComplete && !full.signal.aborted ? null : readToMs,
    };
    if (isComplete) return;
  }
}

/** Values as text. Others than texts, numbers and booleans are dropped. */
function toParameters(parameters: ConsoleCall['parameters']): Parameters {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) =>
      ['string', 'number', 'boolean'].includes(typeof value) ? [[name, String(value)]] : [],
    ),
  );
}

/** Interval of lines without an entry: they reveal a broken connection, and keep an idle one open. */
const KEEP_ALIVE_MS = 15_000;

/** `neuron logs --follow`: entries from now on, and null while there are none. Ends with the signal. */
async function* runFollowing(
  parameters: Parameters,
  run: RunCommand,
  signal: AbortSignal,
): AsyncGenerator<unknown> {
  const waiting: unknown[] = [];
  let wake = () => {};
  let failure: unknown;
  let isOver = false;
  const words = [...LOGS.words(parameters), '--follow'];
  const push = (value: unknown) => {
    waiting.push(value);
    wake();
  };
  run(words, { command: LOGS.command, signal, onValue: push })
    .catch((error: unknown) => {
      failure = error;
    })
    .finally(() => {
      isOver = true;
      wake();
    });
  const timer = setInterval(() => push(null), KEEP_ALIVE_MS);
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
