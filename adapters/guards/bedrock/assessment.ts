// Reads the answer of ApplyGuardrail. It repeats what it found: those values are compared with the texts, and not kept.
import * as z from 'zod/mini';
import {
  GuardFailure,
  type GuardUsage,
  type GuardVerdict,
  type InspectedText,
  type ServiceFind,
} from '../../../core/ports/guards.ts';
import { BEDROCK_ENTITIES, CHECK_CATEGORIES } from '../../../core/settings/guards/remote/bedrock-names.ts';
import { alignMasked, type HiddenValue } from './align-masked.ts';

const MAX_ITEMS = 10_000;
const list = <T extends z.core.$ZodType>(item: T) => z.optional(z.array(item).check(z.maxLength(MAX_ITEMS)));
const acted = z.enum(['NONE', 'BLOCKED', 'ANONYMIZED']);
const named = z.object({ type: z.string(), action: acted });
const word = z.object({ match: z.string(), action: acted });
/** More than any call has. */
const MAX_UNITS = 10_000;
const count = z.optional(z.number().check(z.int(), z.nonnegative(), z.maximum(MAX_UNITS)));

const assessment = z.object({
  topicPolicy: z.optional(z.object({ topics: list(z.object({ action: acted })) })),
  contentPolicy: z.optional(z.object({ filters: list(named) })),
  wordPolicy: z.optional(z.object({ customWords: list(word), managedWordLists: list(word) })),
  sensitiveInformationPolicy: z.optional(
    z.object({
      piiEntities: list(z.object({ type: z.string(), match: z.string(), action: acted })),
      regexes: list(z.object({ name: z.optional(z.string()), match: z.optional(z.string()), action: acted })),
    }),
  ),
  contextualGroundingPolicy: z.optional(z.object({ filters: list(named) })),
  appliedGuardrailDetails: z.optional(z.object({ guardrailOrigin: list(z.string()) })),
});

/** It adds members from release to release; an error in a 200 has none of those that are needed. */
const answer = z.object({
  action: z.enum(['NONE', 'GUARDRAIL_INTERVENED']),
  outputs: z.array(z.object({ text: z.optional(z.string()) })).check(z.maxLength(MAX_ITEMS)),
  assessments: z.array(assessment).check(z.maxLength(MAX_ITEMS)),
  usage: z.object({
    contentPolicyUnits: count,
    topicPolicyUnits: count,
    sensitiveInformationPolicyUnits: count,
    contextualGroundingPolicyUnits: count,
    automatedReasoningPolicyUnits: count,
    automatedReasoningPolicies: count,
  }),
  guardrailCoverage: z.optional(
    z.object({
      textCharacters: z.optional(
        z.object({ guarded: z.optional(z.number()), total: z.optional(z.number()) }),
      ),
    }),
  ),
});

type Answer = z.output<typeof answer>;

/** Something that a policy acted on. */
interface ActedItem {
  /** A name of ours or of the service: topics, words and patterns are named by whoever made the guardrail. */
  readonly entity: string;
  /** As the service writes it in the place of a value. */
  readonly label: string;
  readonly match: string | undefined;
  readonly isMasked: boolean;
}

/** Throws `GuardFailure` `unreadable`, also where a part of the texts was not judged. */
export function readAssessment(json: unknown, texts: readonly InspectedText[]): GuardVerdict {
  const { success, data } = answer.safeParse(json);
  if (!success || !isCovered(data)) throw unreadable();
  const usage = toUsage(data.usage);
  const items = data.assessments.flatMap(toItems);
  if (data.action === 'NONE') {
    const isChanged = data.outputs.some(({ text }, index) => text !== texts[index]?.text);
    if (items.length > 0 || isChanged) throw unreadable();
    return { verdict: 'none', finds: [], usage };
  }
  const finds = placeMasked(data, items, texts) ?? items.map((item) => withoutPlace(item, texts));
  return { verdict: 'block', finds, usage };
}

function isCovered({ guardrailCoverage }: Answer): boolean {
  const { guarded, total } = guardrailCoverage?.textCharacters ?? {};
  return guarded === total;
}

/**
 * The places of masked values. Undefined where something is blocked, and where the texts that came back are not those that were sent with
 * the names of entities in the place of the values: then nothing is known to be hidden.
 */
function placeMasked(
  { outputs }: Answer,
  items: readonly ActedItem[],
  texts: readonly InspectedText[],
): readonly ServiceFind[] | undefined {
  if (outputs.length !== texts.length || items.some(({ isMasked }) => !isMasked)) return undefined;
  const hidden = items.flatMap(({ entity, label, match }): HiddenValue[] =>
    match === undefined ? [] : [{ entity, label, match }],
  );
  const finds: ServiceFind[] = [];
  for (const [index, { text }] of texts.entries()) {
    const places = alignMasked(text, outputs[index]?.text ?? '', hidden);
    if (places === undefined) return undefined;
    finds.push(...places.map(({ entity, start, end }) => ({ entity, text: index, span: { start, end } })));
  }
  return finds.length === 0 ? undefined : finds;
}

/** The text that has the value, else the last one, which is the newest. */
function withoutPlace({ entity, match }: ActedItem, texts: readonly InspectedText[]): ServiceFind {
  const sought = match?.toLowerCase();
  const at = sought ? texts.findIndex(({ text }) => text.toLowerCase().includes(sought)) : -1;
  return { entity, text: at === -1 ? texts.length - 1 : at };
}

function toItems(one: z.output<typeof assessment>): readonly ActedItem[] {
  const { topicPolicy, contentPolicy, wordPolicy, sensitiveInformationPolicy, contextualGroundingPolicy } =
    one;
  const items = [
    ...(topicPolicy?.topics ?? []).map(({ action }) => toItem('TOPIC', action)),
    ...(contentPolicy?.filters ?? []).map(({ type, action }) => toItem(type, action)),
    ...(wordPolicy?.customWords ?? []).map(({ match, action }) => toItem('WORD', action, match)),
    ...(wordPolicy?.managedWordLists ?? []).map(({ match, action }) => toItem('PROFANITY', action, match)),
    ...(sensitiveInformationPolicy?.piiEntities ?? []).map(({ type, action, match }) =>
      toItem(type, action, match),
    ),
    ...(sensitiveInformationPolicy?.regexes ?? []).map(({ name, action, match }) =>
      toItem('REGEX', action, match, name),
    ),
    ...(contextualGroundingPolicy?.filters ?? []).map(({ type, action }) => toItem(type, action)),
  ].flat();
  return isEnforced(one) ? items.map((item) => ({ ...item, entity: `ENFORCED_${item.entity}` })) : items;
}

/** True for a guardrail that the account or its organization in AWS puts on every call. */
function isEnforced({ appliedGuardrailDetails }: z.output<typeof assessment>): boolean {
  const { guardrailOrigin = [] } = appliedGuardrailDetails ?? {};
  return guardrailOrigin.length > 0 && !guardrailOrigin.includes('REQUEST');
}

const NAMES: ReadonlySet<string> = new Set([
  ...BEDROCK_ENTITIES,
  ...Object.values(CHECK_CATEGORIES.contentFilter),
  ...['PROMPT_ATTACK', 'TOPIC', 'WORD', 'PROFANITY', 'REGEX', 'GROUNDING', 'RELEVANCE'],
]);

function toItem(
  type: string,
  action: z.output<typeof acted>,
  match?: string,
  label = type,
): readonly ActedItem[] {
  if (action === 'NONE') return [];
  // The log keeps the name: it must be no part of a text.
  const entity = NAMES.has(type) ? type : 'OTHER';
  return [{ entity, label, match, isMasked: action === 'ANONYMIZED' }];
}

function toUsage(usage: Answer['usage']): GuardUsage {
  const units = {
    content: usage.contentPolicyUnits ?? 0,
    topic: usage.topicPolicyUnits ?? 0,
    sensitiveInformation: usage.sensitiveInformationPolicyUnits ?? 0,
    contextualGrounding: usage.contextualGroundingPolicyUnits ?? 0,
    automatedReasoning:
      (usage.automatedReasoningPolicyUnits ?? 0) * Math.max(1, usage.automatedReasoningPolicies ?? 1),
  };
  return { units };
}

function unreadable(): GuardFailure {
  return new GuardFailure('unreadable', 200);
}
