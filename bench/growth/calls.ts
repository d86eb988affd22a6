// Calls neurons spread over the tables, each with a key of its own, and measures the calls and their use of the stores.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Phase } from '../growth.ts';
import type { Invoke } from '../invoke.ts';
import { percentile, round } from '../statistics.ts';
import type { CountingProxy } from './counting-proxy.ts';
import { identityOf, NEURONS_PER_ORGANIZATION } from './items.ts';
import { makeText } from './texts.ts';

/** Neurons that are called repeatedly; as many keys. */
const SOME = 100;
/** Neurons of one organization that are called. */
const NEURONS_TO_CALL = 20;
/** Calls whose entries are read afterwards: a page of a list. */
export const ENTRIES_OF_A_KIND = 100;
const HOUR_MS = 3_600_000;
/** Longer than the calls of a kind and reading their entries take. */
const ROOM_MS = 180_000;

/**
 * Characters of an input whose entry has about that size: it holds the text and the answer to it, each packed to three quarters. The
 * last is the largest possible one with such texts: those of an entry take 300,000 bytes together at most, before they are packed.
 */
export const ENTRY_KINDS = { '1 KB': 5, '100 KB': 65_700, '220 KB': 224_000 } as const;

export interface MeasurementContext {
  readonly invoke: Invoke;
  /** Number of neurons, of keys and so on in the tables. */
  readonly size: number;
  /** Where calls of the stores are counted. */
  readonly proxy: CountingProxy | undefined;
}

/** The numbers of neurons to call, in order. */
type Numbers = readonly number[];

let made = 0;

/** Measures `run` for each number: wall-clock time and CPU of the process, both in milliseconds. */
export async function measurePhase(
  name: string,
  numbers: Numbers,
  run: (number: number) => Promise<unknown>,
  proxy: CountingProxy | undefined,
): Promise<Phase> {
  const samples: number[] = [];
  const before = process.cpuUsage();
  for (const number of numbers) {
    const beganMs = performance.now();
    await run(number);
    samples.push(performance.now() - beganMs);
  }
  const { user, system } = process.cpuUsage(before);
  return {
    name,
    calls: numbers.length,
    p50: round(percentile(samples, 0.5)),
    p99: round(percentile(samples, 0.99)),
    cpu: round((user + system) / 1_000 / numbers.length),
    ...(proxy === undefined ? {} : { stores: proxy.take() }),
  };
}

/** Calls one neuron after the other. Throws for any answer but 200. */
export function callEach(
  name: string,
  numbers: Numbers,
  { invoke, size, proxy }: MeasurementContext,
  input = 'Hello',
): Promise<Phase> {
  const body = JSON.stringify({ input });
  const call = async (number: number) => {
    const { organization, neuron, key } = identityOf(number);
    const headers = { authorization: `Bearer ${key.key}` };
    const outcome = await invoke({ organization, neuron, headers, body }, made);
    made += 1;
    if (!outcome.startsWith('200')) throw new Error(`neuron ${number} of ${size} answered ${outcome}`);
  };
  return measurePhase(name, numbers, call, proxy);
}

/** Calls a hundred neurons from all over the tables, the first and the last among them: once, then repeatedly. */
export async function callSome(warmCalls: number, context: MeasurementContext): Promise<Phase[]> {
  const some = spread(SOME, context.size);
  return [await callEach('first', some, context), await callEach('warm', repeat(some, warmCalls), context)];
}

/** Calls neurons of the first, the middle and the last organization for the first time, and then five times more. */
export async function callOrganizations(context: MeasurementContext): Promise<Phase[]> {
  const organizations = Math.ceil(context.size / NEURONS_PER_ORGANIZATION);
  const places = { first: 0, middle: Math.floor((organizations - 1) / 2), last: organizations - 1 };
  const phases: Phase[] = [];
  for (const [place, [name, organization]] of Object.entries(places).entries()) {
    // Other neurons for each place: a small table has one organization, which is all three.
    const numbers = Array.from(
      { length: NEURONS_TO_CALL },
      (_, index) => organization * NEURONS_PER_ORGANIZATION + 1 + place + 3 * index,
    );
    phases.push(await callEach(`${name} organization, first`, numbers, context));
    phases.push(await callEach(`${name} organization, warm`, repeat(numbers, 5 * numbers.length), context));
  }
  return phases;
}

/** One neuron with an input of some size, whose entries are then nearly all of that size. */
export function callWithEntry(kind: keyof typeof ENTRY_KINDS, number: number, context: MeasurementContext) {
  const characters = ENTRY_KINDS[kind];
  const numbers = repeat([number], ENTRIES_OF_A_KIND);
  return callEach(`put an entry of ${kind}`, numbers, context, makeText(characters, characters));
}

/** One neuron of every organization, once. Numbers of so many organizations as there are. */
export function oneOfEach(organizations: number): Numbers {
  return Array.from(
    { length: organizations },
    (_, index) => index * NEURONS_PER_ORGANIZATION + (index % NEURONS_PER_ORGANIZATION),
  );
}

/** Waits for the next hour if it is near: a list over two hours would read two partitions. */
export async function awaitRoomInHour(): Promise<void> {
  const leftMs = HOUR_MS - (Date.now() % HOUR_MS);
  if (leftMs < ROOM_MS) await sleep(leftMs);
}

function spread(count: number, size: number): Numbers {
  return Array.from({ length: count }, (_, index) => Math.floor((index * (size - 1)) / (count - 1)));
}

function repeat(numbers: Numbers, calls: number): Numbers {
  return Array.from({ length: calls }, (_, call) => numbers[call % numbers.length] ?? 0);
}
