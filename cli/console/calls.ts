// Answers the calls of the page, all of them by running commands.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../core/time/clock.ts';
import { CommandFailure } from '../output/failure.ts';
import type { ConsoleSession, Series } from './api.ts';
import { callNeuron } from './call-neuron.ts';
import { OPERATIONS, type Parameters } from './operations.ts';
import type { RunCommand } from './run-command.ts';
import { createSeries, type SeriesEntry } from './series.ts';
import { runFollowing } from './tail.ts';

/** A call, once it is known to be the page's own. */
export interface ConsoleCall {
  /** What follows `/api/`. */
  readonly path: string;
  /** True where it may change something: a POST with the CSRF token. */
  readonly isChange: boolean;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Of the session. */
  readonly csrfToken: string;
}

/** One value, or values as they come. */
export type ConsoleAnswer =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'lines'; readonly lines: AsyncIterable<unknown> };

/** Answers a call. Throws `CommandFailure`. The signal aborts when the page no longer waits. */
export type CallHandler = (call: ConsoleCall, signal: AbortSignal) => Promise<ConsoleAnswer>;

/** What calls need. */
export interface CallPorts {
  readonly run: RunCommand;
  readonly clock: Pick<Clock, 'now'>;
  describeSession(): Promise<Omit<ConsoleSession, 'csrfToken'>>;
}

/** The first picture comes soon, the next ones cost less than the reading. */
const FIRST_SERIES_MS = 300;
const NEXT_SERIES_MS = 1_000;
/** Entries that a chart is made of at most. */
const MAX_SERIES_ENTRIES = 100_000;
const RANGES_MS: Readonly<Record<string, number>> = {
  '1h': 3_600_000,
  '6h': 21_600_000,
  '24h': 86_400_000,
  '7d': 604_800_000,
};

export function createCalls(ports: CallPorts): CallHandler {
  return async ({ path, isChange, parameters, csrfToken }, signal) => {
    const input = toParameters(parameters);
    const operation = /^run\/(\w+)$/.exec(path)?.[1];
    if (operation !== undefined)
      return { kind: 'json', value: await runOperation(operation, input, isChange, ports, signal) };
    if (path === 'session') {
      const value: ConsoleSession = { ...(await ports.describeSession()), csrfToken };
      return { kind: 'json', value };
    }
    if (path === 'series') return { kind: 'lines', lines: readSeries(input, ports, signal) };
    if (path === 'tail') return { kind: 'lines', lines: runFollowing(input, ports.run, signal) };
    if (path === 'call' && isChange) {
      const { url } = await ports.describeSession();
      return { kind: 'lines', lines: callNeuron(parameters, url, signal) };
    }
    throw new CommandFailure({ what: `The console has no ${path}.` });
  };
}

async function runOperation(
  name: string,
  input: Parameters,
  isChange: boolean,
  { run }: CallPorts,
  signal: AbortSignal,
) {
  const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
  if (operation === undefined) throw new CommandFailure({ what: `The console has no ${name}.` });
  if (operation.changes && !isChange)
    throw new CommandFailure({ what: `${name} changes something: use POST.` });
  const asked = Number(input['most'] ?? operation.most);
  const most = operation.most === undefined ? undefined : Math.min(operation.most, asked || operation.most);
  return run(operation.words(input), {
    form: operation.form,
    most,
    // A change that has begun is finished, whoever still waits for it.
    ...(operation.changes ? {} : { signal }),
    ...(operation.environment === undefined ? {} : { environment: operation.environment(input) }),
  });
}

/** Reads the log as `neuron logs` does, newest first, and sums it up: what is read so far, again and again, and at last the whole. */
async function* readSeries(
  input: Parameters,
  { run, clock }: CallPorts,
  signal: AbortSignal,
): AsyncGenerator<Series> {
  const toMs = clock.now();
  const fromMs = toMs - (RANGES_MS[input['range'] ?? ''] ?? 86_400_000);
  const series = createSeries(fromMs, toMs);
  const enough = new AbortController();
  const words = OPERATIONS['logs']?.words({ ...input, from: new Date(fromMs).toISOString() }) ?? [];
  let readToMs = toMs;
  let entries = 0;
  const reading = run(words, {
    signal: AbortSignal.any([signal, enough.signal]),
    onValue: (value) => {
      const entry = value as SeriesEntry;
      series.add(entry);
      readToMs = entry.timeMs;
      entries += 1;
      if (entries === MAX_SERIES_ENTRIES) enough.abort();
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
      cutBeforeMs: isComplete && !enough.signal.aborted ? null : readToMs,
    };
    if (isComplete) return;
  }
}

/** The page sends texts, and true and false. */
function toParameters(parameters: ConsoleCall['parameters']): Parameters {
  return Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) =>
      ['string', 'number', 'boolean'].includes(typeof value) ? [[name, String(value)]] : [],
    ),
  );
}
