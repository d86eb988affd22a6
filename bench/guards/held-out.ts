// False alarms on texts that nothing was tuned on: mails, errors of programs and tables of BIPIA. What guards find there was read by hand.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ActiveGuard } from '../../core/guards/active-guards.ts';
import { ATTACK_SOURCES } from './config/prompts.ts';
import labels from './held-out.json' with { type: 'json' };

const KINDS = ['email', 'code', 'table'] as const;

/** Each text once: several questions of the set are about one. */
export function readHeldOut(sets: string): readonly string[] {
  const texts = KINDS.flatMap((kind) =>
    ['train', 'test'].flatMap((part) => {
      const path = join(sets, ATTACK_SOURCES.bipia.folder, 'benchmark', kind, `${part}.jsonl`);
      const lines = readFileSync(path, 'utf8').split('\n');
      return lines.filter((line) => line !== '').map(contextOf);
    }),
  );
  return [...new Set(texts)];
}

function contextOf(line: string): string {
  const { context } = JSON.parse(line) as { readonly context: string | readonly string[] };
  return typeof context === 'string' ? context : context.join('\n');
}

export interface HeldOutCounts {
  readonly finds: number;
  readonly wrong: number;
  /** Finds that nobody has read yet. */
  readonly unread: number;
  /** Texts with a find that is wrong, or unread. */
  readonly wrongTexts: number;
}

/** By the judgement of each value: some finds of the set are right, since its mails have addresses. */
export function measureHeldOut(
  guard: Pick<ActiveGuard, 'find'>,
  texts: readonly string[],
  judgements: Judgements = labels,
): HeldOutCounts {
  const counts = { finds: 0, wrong: 0, unread: 0, wrongTexts: 0 };
  for (const text of texts) {
    const finds = guard.find(text).map(({ start, end }) => judgements[digestOf(text.slice(start, end))]);
    counts.finds += finds.length;
    counts.wrong += finds.filter((one) => one === 'wrong').length;
    counts.unread += finds.filter((one) => one === undefined).length;
    counts.wrongTexts += finds.some((one) => one !== 'right') ? 1 : 0;
  }
  return counts;
}

type Judgements = Readonly<Record<string, string>>;

/** So that no address of somebody stands here. */
export function digestOf(value: string): string {
  return createHash('sha256').update(value).digest('hex').slice(0, 16);
}
