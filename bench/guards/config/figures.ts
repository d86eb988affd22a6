// Counts what a guard found in a set: of attacks and harmless prompts, or of the places that a set marks.
import type { AlonePorts } from '../../../core/admin/guards/ask-alone.ts';
import { mapAtOnce } from '../../../core/async/at-once.ts';
import type { ActiveGuard } from '../../../core/guards/active-guards.ts';
import { percentile } from '../../statistics.ts';
import type { MarkedText } from '../sets.ts';
import { type Inspection, inspectText } from './inspect-text.ts';
import { marksOf, type PromptSet } from './prompts.ts';

/** A row of the table. Ratios are null where the set has nothing to divide by. */
export interface Figures {
  readonly set: string;
  readonly stage: string;
  readonly texts: number;
  /** Attacks, or marks of the kind. */
  readonly wanted: number;
  readonly recall: number | null;
  readonly precision: number | null;
  /** The share of harmless texts with a find; null for marks, whose wrong finds are in the precision. */
  readonly falseAlarms: number | null;
  readonly notJudged: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** Null without a price. */
  readonly dollarsPer1000: number | null;
}

export interface FigurePorts extends AlonePorts {
  readonly atOnce: number;
}

const ratio = (part: number, all: number): number | null => (all === 0 ? null : part / all);

/** Texts without a verdict count in neither of the ratios. */
export async function measurePrompts(
  guard: ActiveGuard,
  { name, stage, prompts }: PromptSet,
  ports: FigurePorts,
): Promise<Figures> {
  const inspected = await mapAtOnce(prompts, ports.atOnce, async ({ text, isBad }) => ({
    isBad,
    ...(await inspectText(guard, stage, text, ports)),
  }));
  const read = inspected.filter(({ notJudged }) => notJudged === undefined);
  const count = (isBad: boolean, isFound?: true) =>
    read.filter((one) => one.isBad === isBad && (isFound === undefined || one.isFound)).length;
  return {
    set: name,
    stage,
    wanted: prompts.filter(({ isBad }) => isBad).length,
    recall: ratio(count(true, true), count(true)),
    // A set of harmless texts, or of attacks alone, says nothing of it.
    precision:
      count(true) === 0 || count(false) === 0
        ? null
        : ratio(count(true, true), count(true, true) + count(false, true)),
    falseAlarms: ratio(count(false, true), count(false)),
    ...sumsOf(inspected),
  };
}

/** A row for each entity that the set marks. A find counts where it overlaps a mark of its kinds. */
export async function measurePersonal(
  guard: ActiveGuard,
  entities: readonly string[],
  texts: readonly MarkedText[],
  ports: FigurePorts,
): Promise<readonly Figures[]> {
  const stage = 'input';
  const inspected = await mapAtOnce(texts, ports.atOnce, async ({ text, marks }) => ({
    marks,
    ...(await inspectText(guard, stage, text, ports)),
  }));
  const sums = sumsOf(inspected);
  const read = inspected.filter(({ notJudged }) => notJudged === undefined);
  return entities.flatMap((entity) => {
    const kinds = marksOf(entity);
    if (kinds.length === 0) return [];
    const counts = { wanted: 0, recalled: 0, found: 0, right: 0 };
    for (const { marks, finds } of read) {
      const wanted = marks.filter(({ kind }) => kinds.includes(kind));
      const own = finds.filter((find) => find.entity === entity);
      counts.wanted += wanted.length;
      counts.recalled += wanted.filter((mark) => own.some((find) => overlap(find, mark))).length;
      counts.found += own.length;
      counts.right += own.filter((find) => wanted.some((mark) => overlap(find, mark))).length;
    }
    return [
      {
        set: `presidio-research: ${entity}`,
        stage,
        wanted: counts.wanted,
        recall: ratio(counts.recalled, counts.wanted),
        precision: ratio(counts.right, counts.found),
        falseAlarms: null,
        ...sums,
      },
    ];
  });
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A find without a place overlaps nothing: it names no value. */
function overlap(find: Partial<Span>, mark: Span): boolean {
  return find.start !== undefined && find.end !== undefined && find.start < mark.end && mark.start < find.end;
}

function sumsOf(inspected: readonly Inspection[]) {
  const times = inspected.map(({ ms }) => ms);
  const costs = inspected.map(({ costMicrodollars }) => costMicrodollars);
  const isPriced = costs.every((cost) => cost !== null);
  const sum = costs.reduce<number>((all, cost) => all + (cost ?? 0), 0);
  return {
    texts: inspected.length,
    notJudged: inspected.filter(({ notJudged }) => notJudged !== undefined).length,
    p50Ms: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
    dollarsPer1000: isPriced && inspected.length > 0 ? sum / 1_000 / inspected.length : null,
  };
}
