// The process of the growth measurement: loads both bundles and runs one part.
import { setTimeout as sleep } from 'node:timers/promises';
import type { GrowthReport, Part, Phase } from '../growth.ts';
import { type Files, loadFunctions } from '../invoke.ts';
import {
  awaitRoomInHour,
  callEach,
  callOrganizations,
  callSome,
  callWithEntry,
  ENTRY_KINDS,
  type MeasurementContext,
  oneOfEach,
} from './calls.ts';
import { startCountingProxy } from './counting-proxy.ts';
import { NEURONS_PER_ORGANIZATION } from './items.ts';
import { listOrganizations, readEntries } from './readers.ts';

const WARM_CALLS = 200;

const { files, size, part, counts } = JSON.parse(process.argv[2] ?? '{}') as {
  readonly files: Files;
  readonly size: number;
  readonly part: Part;
  readonly counts: boolean;
};

const proxy = counts ? await startCountingProxy(process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '') : undefined;
if (proxy !== undefined) process.env['AWS_ENDPOINT_URL_DYNAMODB'] = proxy.endpoint;

const report = await measure();
await new Promise((resolve) => process.send?.(report, resolve));
process.disconnect();
process.exit(0);

async function measure(): Promise<GrowthReport> {
  const organizations = Math.ceil(size / NEURONS_PER_ORGANIZATION);
  if (part === 'lists') return listOrganizations(organizations, proxy);
  const context = { invoke: await loadFunctions(files), size, proxy };
  switch (part) {
    case 'all over':
      return callSome(WARM_CALLS, context);
    case 'organizations':
      return callOrganizations(context);
    case 'entries':
      return putAndRead(context);
    case 'each organization':
      return callEachOrganization(organizations, context);
  }
}

/** Puts entries of each size by calls of a neuron of their own, then reads them. */
async function putAndRead(context: MeasurementContext): Promise<Phase[]> {
  const phases: Phase[] = [];
  const kinds = Object.keys(ENTRY_KINDS) as (keyof typeof ENTRY_KINDS)[];
  for (const [index, kind] of kinds.entries()) {
    const number = Math.floor((size * (index + 1)) / (kinds.length + 1)) + 3;
    await callEach('settings', [number], context);
    await awaitRoomInHour();
    // The entry of the first call must not be read.
    await sleep(2);
    const fromMs = Date.now();
    phases.push(await callWithEntry(kind, number, context));
    phases.push(...(await readEntries(kind, { number, fromMs, proxy: context.proxy })));
  }
  return phases;
}

/** Measures the memory of an environment after calls for a hundredth, a tenth, half and all of the organizations. */
async function callEachOrganization(organizations: number, context: MeasurementContext): Promise<Phase[]> {
  const numbers = oneOfEach(organizations);
  const phases: Phase[] = [];
  let from = 0;
  for (const share of [0.01, 0.1, 0.5, 1]) {
    const to = Math.max(from + 1, Math.floor(organizations * share));
    const name = `organizations 1 to ${to}`;
    const phase = await callEach(name, numbers.slice(from, to), context);
    for (const _ of [1, 2]) globalThis.gc?.();
    const { heapUsed, external, rss } = process.memoryUsage();
    phases.push({ ...phase, heapBytes: heapUsed + external, rssBytes: rss });
    from = to;
  }
  return phases;
}
