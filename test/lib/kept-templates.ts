// The templates of the newest release (written by keep-templates.ts), which every later one must be able to update.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPTIONS, REGION, settingsOf } from './optional-settings.ts';
import type { Template } from './synthesized.ts';

/** Both stacks, by the beginning of their names. */
export const STACKS = { data: 'NeuronData', api: 'NeuronApi' } as const;

/** What is kept of a release: two stages as they are, and production with every option, whose resources the others lack. */
export const KEPT_STAGES = {
  dev: { stage: 'dev', overrides: {} },
  prod: { stage: 'prod', overrides: {} },
  // Of two options with the same setting the last one holds.
  full: { stage: 'prod', overrides: settingsOf(Object.keys(OPTIONS), REGION) },
} as const;

export type KeptStage = keyof typeof KEPT_STAGES;

const RELEASES = join(import.meta.dirname, 'fixtures', 'releases');

/** The newest release with kept templates, such as `1.0.0`. */
export function keptRelease(): string {
  const newest = readdirSync(RELEASES)
    .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .at(-1);
  if (newest === undefined) throw new Error(`no templates in ${RELEASES}`);
  return newest;
}

export function keptTemplate(stack: keyof typeof STACKS, stage: KeptStage): Template {
  const file = join(RELEASES, keptRelease(), `${stack}-${stage}.generated.json`);
  return JSON.parse(readFileSync(file, 'utf8'));
}
