// Calls neurons spread over the tables, each with a key of its own, and says what the calls took and what they asked of the stores.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Phase } from '../growth.ts';
import type { Invoke } from '../invoke.ts';
import { percentile, round } from '../statistics.ts';
import type { CountingProxy } from './counting-proxy.ts';
import { identityOf, OF_ONE } from './items.ts';
import { textOf } from './texts.ts';

/** Neurons that are called again and again; as many keys. */
const SOME = 100;
/** Of one organization. */
const OF_AN_ORGANIZATION = 20;
/** Calls whose entries are read afterwards: as many as a page of a list has. */
export const ENTRIES_OF_A_KIND = 100;
const HOUR_MS = 3_600_000;
/** Longer than the calls of a kind and reading their entries take. */
const ROOM_MS = 180_000;

/**
 * Characters of an input whose entry takes about so much: it holds the text and the answer to it, each packed to three quarters. The last
 * is the largest that texts like these leave: those of an entry take 300,000 bytes together at most, before they are packed.
 */
export const ENTRY_KINDS = { '1 KB': 5, '100 KB': 65_700, '220 KB': 224_000 } as const;

/** What the calls go through. */
export interface Measuring {
  readonly invoke: Invoke;
  /** Of everything in the tables. */
  readonly size: number;
  /** Where calls of the stores are counted. */
  readonly proxy: CountingProxy | undefined;
}

/** The numbers of neurons to call, one after the other. */
type Numbers = readonly number[];

let made = 0;

/** Samples what `run` takes for each number: time by the wall clock, and CPU of the process, both in milliseconds. */
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
    ...{ name, calls: numbers.length },
    ...{ p50: round(percentile(samples, 0.5)), p99: round(percentile(samples, 0.99)) },
    cpu: round((user + system) / 1_000 / numbers.length),
    ...(proxy === undefined ? {} : { stores: proxy.take() }),
  };
}

/** Calls one neuron after the other. Throws where one is not answered with 200. */
export function callEach(
  name: string,
  numbers: Numbers,
  { invoke, size, proxy }: Measuring,
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

/** A hundred neurons from all over the tables, the very first and the last among them: once, and then again and again. */
export async function callSome(warmCalls: number, measuring: Measuring): Promise<Phase[]> {
  const some = spread(SOME, measuring.size);
  return [
    await callEach('first', some, measuring),
    await callEach('warm', repeat(some, warmCalls), measuring),
  ];
}

/** Neurons of the first, the middle and the last organization that none called before: once, and then five times more. */
export async function callOrganizations(measuring: Measuring): Promise<Phase[]> {
  const organizations = Math.ceil(measuring.size / OF_ONE);
  const places = { first: 0, middle: Math.floor((organizations - 1) / 2), last: organizations - 1 };
  const phases: Phase[] = [];
  for (const [place, [name, organization]] of Object.entries(places).entries()) {
    // Other neurons for each place: a small table has one organization, which is all three.
    const numbers = Array.from(
      { length: OF_AN_ORGANIZATION },
      (_, index) => organization * OF_ONE + 1 + place + 3 * index,
    );
    phases.push(await callEach(`${name} organization, first`, numbers, measuring));
    phases.push(await callEach(`${name} organization, warm`, repeat(numbers, 5 * numbers.length), measuring));
  }
  return phases;
}

/** One neuron with an input of some size, whose entries are then nearly all of that size. */
export function callWithEntry(kind: keyof typeof ENTRY_KINDS, number: number, measuring: Measuring) {
  const characters = ENTRY_KINDS[kind];
  const numbers = repeat([number], ENTRIES_OF_A_KIND);
  return callEach(`put an entry of ${kind}`, numbers, measuring, textOf(characters, characters));
}

/** One neuron of every organization, once. Numbers of so many organizations as there are. */
export function oneOfEach(organizations: number): Numbers {
  return Array.from({ length: organizations }, (_, index) => index * OF_ONE + (index % OF_ONE));
}

/** A list that begins in one hour and ends in the next reads two partitions: then it is better to wait. */
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
