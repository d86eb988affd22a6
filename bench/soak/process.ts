// The process of the soak: loads both bundles, makes requests, one after the other, and samples its memory.
import { setTimeout as sleep } from 'node:timers/promises';
import { jwkOf } from '../../test/adapters/jwt/key-pairs.ts';
import { type Files, loadFunctions } from '../invoke.ts';
import type { SoakReport } from '../soak.ts';
import { makeCall, SIGNING_KEY } from './calls.ts';

/** 50,000 requests are a minute on every machine: every sample is at the same moment of a minute. */
const MS_PER_REQUEST = 1.2;
/** Longer than the longest wait after an answer: the authorizer's for the entry of a denial. */
const LEFT_BEHIND_MS = 150;

const { files, requests, every } = JSON.parse(process.argv[2] ?? '{}') as {
  readonly files: Files;
  readonly requests: number;
  readonly every: number;
};

let nowMs = Date.UTC(2026, 10, 21, 12);
Date.now = () => Math.floor(nowMs);
const jwk = jwkOf(SIGNING_KEY, { kid: 'ES256', alg: 'ES256' });
process.env['SOAK_KEY_SET'] = JSON.stringify({ keys: [jwk] });

const invoke = await loadFunctions(files);
const outcomes: Record<string, number> = {};
for (let number = 0; number < requests; number += 1) {
  const outcome = await invoke(makeCall(number, nowMs), number);
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  nowMs += MS_PER_REQUEST;
  if ((number + 1) % every === 0) await report(number + 1);
}
process.disconnect();
process.exit(0);

async function report(done: number): Promise<void> {
  await sleep(LEFT_BEHIND_MS);
  for (const _ of [1, 2]) globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  const sample = { requests: done, heapBytes: heapUsed, externalBytes: external, rssBytes: rss };
  await new Promise((resolve) => process.send?.({ sample, outcomes } satisfies SoakReport, resolve));
}
