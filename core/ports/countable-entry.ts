// Decides whether an entry can be counted: one put by hand may hold what would make sums of the usage table overflow or be rejected.

import { MAX_VALUE } from '../contract/ratings.ts';
import { MAX_CALL_TAGS, MAX_KEY_TAGS, MAX_NEURON_TAGS, tagsSchema } from '../settings/names/tags.ts';
import { toThousandths } from '../text/numbers.ts';
import { utf8Bytes } from '../text/utf8.ts';
import type { CountedEntry } from './usage.ts';

const OUTCOMES: readonly unknown[] = ['success', 'stopped', 'failed', 'refused'];

/** The latest time of a `Date` (ECMA-262, "Time Values and Time Range"). */
const MAX_TIME_MS = 8.64e15;
/** Bytes of a model and its provider: a sort key of the usage table has at most 1,024 with the rest of it. */
const MAX_MODEL_BYTES = 900;
/** Bytes of names that rows repeat: a hundred rows fit into a transaction of 4 MB. */
const MAX_NAME_BYTES = 2_048;
/** An id, as the service makes them. */
const ID = /^[\w-]{1,64}$/;
/** The sum of a batch of 1,000 entries is still an integer that a double holds exactly. */
const MAX_AMOUNT = 1e12;
/** DynamoDB rejects numbers below 1e-130; no amount of the service is smaller than a millionth. */
const MIN_AMOUNT = 1e-6;

/** False for an entry that is sealed and listed like any other, but not counted. */
export function isCountable(entry: CountedEntry): boolean {
  const { organizationId, neuronId, keyId = 'none', executionId, neuron, username = '' } = entry;
  const { timeMs, expiresAt, count, tokensInput, tokensOutput, savingsMicrodollars } = entry;
  const { costMicrodollars, infrastructureNanodollars = 0 } = entry;
  const cost = costMicrodollars ?? 0;
  return (
    [executionId, neuron, username].every(isName) &&
    [organizationId, neuronId, keyId].every(
      (value: unknown) => typeof value === 'string' && ID.test(value),
    ) &&
    [timeMs, expiresAt * 1000].every((time) => Number.isSafeInteger(time) && Math.abs(time) <= MAX_TIME_MS) &&
    [count, tokensInput, tokensOutput, savingsMicrodollars, cost, infrastructureNanodollars].every(
      (value) => Number.isSafeInteger(value) && isAmount(value),
    ) &&
    OUTCOMES.includes(entry.outcome) &&
    areTags(entry.tags) &&
    isArm(entry) &&
    isShadow(entry) &&
    isVersion(entry) &&
    isFeedback(entry) &&
    areCountable(entry.modelCalls)
  );
}

/** Each is a row with its name and value in the sort key. */
function areTags(tags: unknown): boolean {
  if (tags === undefined) return true;
  return storedTags.safeParse(tags).success;
}

function isArm({ rollout }: { readonly rollout?: unknown }): boolean {
  if (rollout === undefined) return true;
  if (typeof rollout !== 'object' || rollout === null) return false;
  const { id, arm } = rollout as Record<string, unknown>;
  return typeof id === 'string' && ID.test(id) && ARMS.includes(arm);
}

function isShadow({ shadow, version }: { readonly shadow?: unknown; readonly version?: unknown }): boolean {
  if (shadow === undefined) return true;
  if (typeof shadow !== 'object' || shadow === null) return false;
  const { id } = shadow as Record<string, unknown>;
  return [id, version].every((name) => typeof name === 'string' && ID.test(name));
}

/** Each version and branch is a row. */
function isVersion({
  version,
  branch = 'a',
}: {
  readonly version?: unknown;
  readonly branch?: unknown;
}): boolean {
  const isId = version === undefined || (typeof version === 'string' && ID.test(version));
  return isId && typeof branch === 'string' && BRANCH.test(branch);
}

/** The draws of up to ten splits. */
const BRANCH = /^[ab](?:\.[ab]){0,9}$/;

/** A row for each metric and version. */
function isFeedback({ feedback, version }: Pick<CountedEntry, 'feedback' | 'version'>): boolean {
  if (feedback === undefined) return true;
  const { metric, value }: Readonly<Record<string, unknown>> = { ...feedback };
  const isValue =
    typeof value === 'boolean' ||
    (typeof value === 'number' && Math.abs(value) <= MAX_VALUE && toThousandths(value) !== undefined);
  const names: readonly unknown[] = [metric, version];
  return isValue && names.every((name) => typeof name === 'string' && ID.test(name));
}

const ARMS: readonly unknown[] = ['control', 'candidate'];

const storedTags = tagsSchema(MAX_NEURON_TAGS + MAX_KEY_TAGS + MAX_CALL_TAGS);

function isName(value: unknown): boolean {
  return typeof value === 'string' && utf8Bytes(value) <= MAX_NAME_BYTES;
}

function isAmount(value: unknown): boolean {
  return value === 0 || (typeof value === 'number' && value >= MIN_AMOUNT && value <= MAX_AMOUNT);
}

/** Rows add the calls of an entry up, so that their sums are bounded as well. */
function areCountable(calls: unknown): boolean {
  if (!Array.isArray(calls) || !calls.every(isCountableCall)) return false;
  const sumOf = (name: (typeof CALL_AMOUNTS)[number]) =>
    calls.reduce((sum: number, call: Record<string, number | null>) => sum + (call[name] ?? 0), 0);
  return CALL_AMOUNTS.every((name) => isAmount(sumOf(name)));
}

const CALL_AMOUNTS = ['tokensInput', 'tokensOutput', 'costMicrodollars'] as const;

function isCountableCall(call: unknown): boolean {
  if (typeof call !== 'object' || call === null) return false;
  const { provider, model, tokensInput, tokensOutput, costMicrodollars } = call as Record<string, unknown>;
  return (
    typeof provider === 'string' &&
    typeof model === 'string' &&
    utf8Bytes(`${provider}/${model}`) <= MAX_MODEL_BYTES &&
    [tokensInput, tokensOutput, costMicrodollars ?? 0].every(isAmount)
  );
}
