// The time until changes reach the functions, from the cache TTLs of the stage.

import { count } from '../output/print.ts';
import type { Stack } from './stack.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** For changes of settings, pauses and maintenance mode: `settingsTtl` of the stage. */
export function settingsTakeEffect({ outputs }: Pick<Stack, 'outputs'>): string {
  return `Takes effect within ${renderTime(outputs.settingsTtlMs)}.`;
}

/** For secrets: `secretsTtl` of the stage, such as `5 minutes`. */
export function secretsPropagationDelay({ outputs }: Pick<Stack, 'outputs'>): string {
  return renderTime(outputs.secretsTtlMs);
}

function renderTime(text: string): string {
  const ms = Number(text);
  return ms % MINUTE_MS === 0 ? count(ms / MINUTE_MS, 'minute') : `${Math.ceil(ms / SECOND_MS)} s`;
}
