// The process of the growth measurement: loads both bundles and makes the calls of one mode.
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
  type Measuring,
  oneOfEach,
} from './calls.ts';
import { startCountingProxy } from './counting-proxy.ts';
import { OF_ONE } from './items.ts';
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
  const organizations = Math.ceil(size / OF_ONE);
  if (part === 'lists') return listOrganizations(organizations, proxy);
  const measuring = { invoke: await loadFunctions(files), size, proxy };
  switch (part) {
    case 'all over':
      return callSome(WARM_CALLS, measuring);
    case 'organizations':
      return callOrganizations(measuring);
    case 'entries':
      return putAndRead(measuring);
    case 'each organization':
      return callEachOrganization(organizations, measuring);
  }
}

/** Entries of each size, of neurons of their own: put by calls, then read. */
async function putAndRead(measuring: Measuring): Promise<Phase[]> {
  const phases: Phase[] = [];
  const kinds = Object.keys(ENTRY_KINDS) as (keyof typeof ENTRY_KINDS)[];
  for (const [index, kind] of kinds.entries()) {
    const number = Math.floor((size * (index + 1)) / (kinds.length + 1)) + 3;
    await callEach('settings', [number], measuring);
    await awaitRoomInHour();
    // The entry of the first call is no part of what is read.
    await sleep(2);
    const fromMs = Date.now();
    phases.push(await callWithEntry(kind, number, measuring));
    phases.push(...(await readEntries(kind, { number, fromMs, proxy: measuring.proxy })));
  }
  return phases;
}

/** The memory of an environment that has been called for a tenth, a half and all of the organizations. */
async function callEachOrganization(organizations: number, measuring: Measuring): Promise<Phase[]> {
  const numbers = oneOfEach(organizations);
  const phases: Phase[] = [];
  let from = 0;
  for (const share of [0.01, 0.1, 0.5, 1]) {
    const to = Math.max(from + 1, Math.floor(organizations * share));
    const name = `organizations 1 to ${to}`;
    const phase = await callEach(name, numbers.slice(from, to), measuring);
    for (const _ of [1, 2]) globalThis.gc?.();
    const { heapUsed, external, rss } = process.memoryUsage();
    phases.push({ ...phase, heapBytes: heapUsed + external, rssBytes: rss });
    from = to;
  }
  return phases;
}
