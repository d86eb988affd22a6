// Loaded before every end-to-end file: limits, usage and alerts of a day or a month begin anew at midnight in UTC, which no file is to meet.
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll } from 'vitest';

const DAY_MS = 86_400_000;
/** The longest files take two minutes, and more on a busy machine. */
const FILE_MS = 240_000;

beforeAll(async () => {
  const leftMs = DAY_MS - (Date.now() % DAY_MS);
  if (leftMs < FILE_MS) await sleep(leftMs + 1_000);
}, FILE_MS + 60_000);
