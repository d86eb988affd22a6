// Runs the public sets through the guards of a configuration, and writes their rows into docs/guards-results.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spendingOf } from '../../../core/guards/remote/charge.ts';
import { chunkTexts } from '../../../core/guards/remote/chunks.ts';
import { traitsOf } from '../../../core/guards/remote/traits.ts';
import { type Guard, isServiceGuard } from '../../../core/settings/guards/guards-schema.ts';
import { machine } from '../../write-proof.ts';
import type { MarkedText } from '../sets.ts';
import { createDraw } from './draw.ts';
import { type Figures, measurePersonal, measurePrompts } from './figures.ts';
import { type OpenedGuard, openConfig } from './open-config.ts';
import { type PromptSet, readPersonalTexts, readPromptSets } from './prompts.ts';
import { type GuardRecord, HEADING, keepRecords, renderSection } from './records.ts';

export interface ConfigRun {
  readonly config: string;
  readonly organization: string | undefined;
  readonly sets: string;
  readonly seed: number;
  readonly texts: number | null;
  readonly atOnce: number;
  readonly isFake: boolean;
  /** By the name of the guard. */
  readonly versions: Readonly<Record<string, string>>;
}

const PAGE = join(import.meta.dirname, '../../../docs/guards-results.md');

export async function runConfig(run: ConfigRun): Promise<void> {
  const { guards, ports } = await openConfig(run.config, run.organization);
  const draw = createDraw(run.seed);
  const sets = readPromptSets(run.sets, draw).map((set) => ({
    ...set,
    prompts: some(set.prompts, run, draw),
  }));
  const personal = some(
    readPersonalTexts(run.sets).map((one) => ({ ...one, isBad: true })),
    run,
    draw,
  );
  const records: GuardRecord[] = [];
  for (const [name, guard] of guards) {
    process.stdout.write(`${name}: ${describeMost(guard.settings, sets, personal, ports.costOfModel)}\n`);
    const rows = await measure(guard, sets, personal, { ...ports, atOnce: run.atOnce });
    records.push({
      guard: name,
      type: guard.settings.type,
      version: run.versions[name] ?? 'version not said',
      isFake: run.isFake,
      date: new Date().toISOString().slice(0, 10),
      node: process.versions.node,
      machine,
      seed: run.seed,
      texts: run.texts,
      atOnce: run.atOnce,
      rows,
    });
  }
  const section = renderSection(keepRecords(records));
  const [before = ''] = readFileSync(PAGE, 'utf8').split(HEADING);
  writeFileSync(PAGE, before + section);
  process.stdout.write(section);
}

/** At most so many of each kind, drawn by the seed. */
function some<Text extends { readonly isBad: boolean }>(
  texts: readonly Text[],
  { texts: most }: Pick<ConfigRun, 'texts'>,
  draw: (below: number) => number,
): readonly Text[] {
  if (most === null) return texts;
  return [true, false].flatMap((kind) => {
    const left = texts.filter(({ isBad }) => isBad === kind);
    return Array.from({ length: Math.min(most, left.length) }).flatMap(() =>
      left.splice(draw(left.length), 1),
    );
  });
}

async function measure(
  { settings, active }: OpenedGuard,
  sets: readonly PromptSet[],
  personal: readonly MarkedText[],
  ports: Parameters<typeof measurePrompts>[2],
): Promise<readonly Figures[]> {
  const entities = entitiesOf(settings);
  const ofPersonal = entities.length === 0 ? [] : await measurePersonal(active, entities, personal, ports);
  if (!looksForAttacks(settings)) return ofPersonal;
  const rows: Figures[] = [];
  for (const set of sets) rows.push(await measurePrompts(active, set, ports));
  return [...rows, ...ofPersonal];
}

/** Kinds of personal data that the guard names. */
function entitiesOf(guard: Guard): readonly string[] {
  if (guard.type === 'pii' || guard.type === 'presidio') return guard.entities;
  return guard.type === 'bedrockChecks' ? (guard.sensitiveInformation?.entities ?? []) : [];
}

function looksForAttacks(guard: Guard): boolean {
  if (guard.type === 'bedrockChecks')
    return guard.promptAttack !== undefined || guard.contentFilter !== undefined;
  return guard.type !== 'pii' && guard.type !== 'presidio' && guard.type !== 'secrets';
}

/** Before the first text leaves: how many, and the most that they can cost. */
function describeMost(
  guard: Guard,
  sets: readonly PromptSet[],
  personal: readonly MarkedText[],
  costOfModel: Parameters<typeof spendingOf>[2],
): string {
  const texts = [
    ...(entitiesOf(guard).length > 0 ? personal.map(({ text }) => text) : []),
    ...(looksForAttacks(guard) ? sets.flatMap(({ prompts }) => prompts.map(({ text }) => text)) : []),
  ];
  if (!isServiceGuard(guard)) return `${texts.length} texts, in this process`;
  const { limits, mostUsage } = traitsOf(guard);
  const usages = texts.flatMap((text) =>
    chunkTexts([text], limits).map((call) =>
      mostUsage(
        guard,
        call.map(({ value }) => value),
      ),
    ),
  );
  const { costMicrodollars } = spendingOf(guard, usages, costOfModel);
  const most =
    costMicrodollars === null ? 'without a price' : `at most $${(costMicrodollars / 1e6).toFixed(2)}`;
  return `${texts.length} texts, ${usages.length} calls, ${most}`;
}
