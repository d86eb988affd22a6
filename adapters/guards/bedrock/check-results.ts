// Reads the answer of InvokeGuardrailChecks: a score for each category that was asked for, and places of entities.
import * as z from 'zod/mini';
import {
  GuardFailure,
  type GuardVerdict,
  type InspectedText,
  type ServiceFind,
} from '../../../core/ports/guards.ts';
import {
  type BedrockCheck,
  type BedrockChecksGuard,
  checksOf,
} from '../../../core/settings/guards/remote/bedrock.ts';
import { CHECK_CATEGORIES } from '../../../core/settings/guards/remote/bedrock-names.ts';
import { spansOf } from '../code-points.ts';

/** The service gives at most 1,000 entities. */
const MAX_FINDS = 10_000;
const score = z.number().check(z.gte(0), z.lte(1));
const index = z.number().check(z.int(), z.nonnegative());

const categories = z.object({
  results: z.array(z.object({ category: z.string(), severityScore: score })).check(z.maxLength(MAX_FINDS)),
});

const entity = z.object({
  type: z.string(),
  confidenceScore: score,
  beginOffset: index,
  endOffset: index,
  messageIndex: index,
  contentIndex: index,
});

const entities = z.object({
  results: z.array(entity).check(z.maxLength(MAX_FINDS)),
  truncated: z.optional(z.boolean()),
});

/** More than any call has. */
const MAX_UNITS = 10_000;
const used = z.optional(
  z.object({ textUnits: z.number().check(z.int(), z.nonnegative(), z.maximum(MAX_UNITS)) }),
);

const answer = z.object({
  results: z.object({
    promptAttack: z.optional(categories),
    contentFilter: z.optional(categories),
    sensitiveInformation: z.optional(entities),
  }),
  usage: z.object({ promptAttack: used, contentFilter: used, sensitiveInformation: used }),
});

type Answer = z.output<typeof answer>;

/** Throws `GuardFailure` `unreadable`, also where a check or a category that was asked for has no result. */
export function readChecks(
  json: unknown,
  texts: readonly InspectedText[],
  guard: BedrockChecksGuard,
): GuardVerdict {
  const { success, data } = answer.safeParse(json);
  if (!success) throw unreadable();
  const finds = [
    ...findCategories('promptAttack', data, guard, texts),
    ...findCategories('contentFilter', data, guard, texts),
    ...findEntities(data, guard, texts),
  ];
  const units = Object.fromEntries(checksOf(guard).map((check) => [check, unitsOf(check, data)]));
  return { verdict: finds.length === 0 ? 'none' : 'block', finds, usage: { units } };
}

function unitsOf(check: BedrockCheck, { usage }: Answer): number {
  const units = usage[check]?.textUnits;
  if (units === undefined) throw unreadable();
  return units;
}

/** A score is of all messages together: it names no text, and the newest stands for them. */
function findCategories(
  check: keyof typeof CHECK_CATEGORIES,
  { results }: Answer,
  guard: BedrockChecksGuard,
  texts: readonly InspectedText[],
): readonly ServiceFind[] {
  const thresholds: Readonly<Record<string, number | undefined>> | undefined = guard[check];
  if (thresholds === undefined) return [];
  return Object.entries(CHECK_CATEGORIES[check]).flatMap(([name, category]): ServiceFind[] => {
    const least = thresholds[name];
    if (least === undefined) return [];
    const scores = (results[check]?.results ?? []).filter((one) => one.category === category);
    if (scores.length === 0) throw unreadable();
    const isFound = scores.some(({ severityScore }) => severityScore >= least);
    return isFound ? [{ entity: category, text: texts.length - 1 }] : [];
  });
}

function findEntities(
  { results }: Answer,
  { sensitiveInformation }: BedrockChecksGuard,
  texts: readonly InspectedText[],
): readonly ServiceFind[] {
  if (sensitiveInformation === undefined) return [];
  const found = results.sensitiveInformation;
  if (found === undefined) throw unreadable();
  const { entities: asked, minScore } = sensitiveInformation;
  const places = texts.map(({ text }) => spansOf(text));
  const finds = found.results.map((one): ServiceFind => {
    const whole = texts[one.messageIndex]?.text;
    const pointsAt = places[one.messageIndex];
    const span = whole && pointsAt ? spanOf(whole, one, pointsAt) : undefined;
    // A type that was not asked for may be a part of a text.
    if (span === undefined || one.contentIndex !== 0 || !asked.includes(one.type)) throw unreadable();
    return { entity: one.type, text: one.messageIndex, span };
  });
  const counted = finds.filter((_, at) => (found.results[at]?.confidenceScore ?? 1) >= minScore);
  // More was found than is given: such a text cannot be cut.
  return found.truncated === true ? [...counted, { entity: 'TRUNCATED', text: texts.length - 1 }] : counted;
}

/**
 * AWS calls places `characters` and does not say which: for texts with characters beyond the basic plane they are read as code points and as
 * UTF-16 code units, and cut from the first to the last of both.
 */
function spanOf(
  text: string,
  { beginOffset: begin, endOffset: end }: z.output<typeof entity>,
  pointsAt: ReturnType<typeof spansOf>,
): ServiceFind['span'] {
  if (begin >= end || end > text.length) return undefined;
  const ofPoints = pointsAt(begin, end);
  const start = isWithinPair(text, begin) ? begin - 1 : begin;
  return { start, end: ofPoints?.end ?? end };
}

function isWithinPair(text: string, at: number): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff;
}

function unreadable(): GuardFailure {
  return new GuardFailure('unreadable', 200);
}
