// Gives an item of the log the types that readers rely on, whatever somebody put there by hand: lists show every item, and `neuron logs verify` names it.
import { isJsonObject } from '../../../core/text/json.ts';
import type { Item } from '../client.ts';

const TEXTS = ['executionId', 'organization', 'organizationId', 'neuron', 'neuronId', 'outcome', 'sourceIp'];
const OPTIONAL_TEXTS = [
  ...['version', 'code', 'reason', 'refererHost', 'username', 'keyId', 'authentication'],
  ...['surface', 'clientKind', 'session', 'traceparent', 'replayOf', 'cache', 'cacheSource'],
];
const NUMBERS = [
  ...['status', 'latencyMs', 'ownLatencyMs', 'tokensInput', 'tokensOutput', 'savingsMicrodollars'],
  ...['count', 'expiresAt'],
];

/** The members of an entry. A number that is none becomes `NaN`, which JSON shows as null; the time is that of the key. */
export function toReadable(item: Item, sort: unknown): Item {
  const { costMicrodollars, infrastructureNanodollars, cacheDistance, cacheFailures, ...others } = item;
  const { restored, cut, input, output, leftOut, tags, guards, ...rest } = others;
  return {
    ...rest,
    ...Object.fromEntries(TEXTS.map((name) => [name, textOf(item[name]) ?? ''])),
    ...Object.fromEntries(OPTIONAL_TEXTS.map((name) => [name, textOf(item[name])])),
    ...Object.fromEntries(NUMBERS.map((name) => [name, numberOf(item[name])])),
    timeMs: timeOf(sort, item['timeMs']),
    costMicrodollars: typeof costMicrodollars === 'number' ? costMicrodollars : null,
    ...(typeof infrastructureNanodollars === 'number' ? { infrastructureNanodollars } : {}),
    cacheDistance: typeof cacheDistance === 'number' ? cacheDistance : undefined,
    ...tagsOf(tags),
    ...(Array.isArray(leftOut) ? { leftOut: leftOut.map((one) => textOf(one)) } : {}),
    ...(Array.isArray(guards) ? { guards: objectsOf(guards).map(toReadableGuard) } : {}),
    cacheFailures: Array.isArray(cacheFailures) ? cacheFailures.map((one) => textOf(one)) : undefined,
    ...feedbackOf(item['feedback']),
    restored: restored === true,
    ...(cut === true ? { cut } : {}),
    input: loggedTextOf(input),
    output: loggedTextOf(output),
    modelCalls: objectsOf(item['modelCalls']),
    trace: objectsOf(item['trace']).map(toReadableStep),
  };
}

function tagsOf(tags: unknown): Item {
  if (!isJsonObject(tags)) return {};
  return { tags: Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, textOf(value)])) };
}

function feedbackOf(feedback: unknown): Item {
  if (!isJsonObject(feedback)) return {};
  const { of: rated, metric, value, comment } = feedback;
  const isValue = typeof value === 'boolean' || typeof value === 'number';
  return {
    feedback: {
      of: textOf(rated) ?? '',
      metric: textOf(metric) ?? '',
      value: isValue ? value : Number.NaN,
      ...(comment === undefined ? {} : { comment: textOf(comment) }),
    },
  };
}

/** A text as it is, nothing as undefined, and any other value as its JSON. */
export function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The latest time of a `Date` (ECMA-262, "Time Values and Time Range"). */
const MAX_TIME_MS = 8.64e15;

/** Milliseconds since the Unix epoch: the time of the sort key, by which lists find the item. */
export function timeOf(sort: unknown, timeMs: unknown): number {
  const ofKey = Date.parse(String(sort).split('#')[0] ?? '');
  if (!Number.isNaN(ofKey)) return ofKey;
  return typeof timeMs === 'number' && Math.abs(timeMs) <= MAX_TIME_MS ? timeMs : 0;
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN;
}

function objectsOf(value: unknown): readonly Item[] {
  if (!Array.isArray(value)) return [];
  return value.filter((one): one is Item => typeof one === 'object' && one !== null);
}

function toReadableGuard({ message, finds, ms, ...texts }: Item): Item {
  const notJudged = textOf(texts['notJudged']);
  return {
    ...Object.fromEntries(
      ['guard', 'type', 'stage', 'action'].map((name) => [name, textOf(texts[name]) ?? '']),
    ),
    ...(typeof message === 'number' ? { message } : {}),
    ...(typeof ms === 'number' ? { ms } : {}),
    ...(notJudged === undefined ? {} : { notJudged }),
    finds: objectsOf(finds).map(toReadableFinds),
  };
}

function toReadableFinds({ type, count, fingerprints }: Item): Item {
  const digests = Array.isArray(fingerprints) ? fingerprints.filter((one) => typeof one === 'string') : [];
  return {
    type: textOf(type) ?? '',
    count: numberOf(count),
    ...(digests.length === 0 ? {} : { fingerprints: digests }),
  };
}

function toReadableStep({ matched, input, output, ...step }: Item): Item {
  const [textIn, textOut] = [loggedTextOf(input), loggedTextOf(output)];
  return {
    ...step,
    ...(Array.isArray(matched) ? { matched } : {}),
    ...(textIn === undefined ? {} : { input: textIn }),
    ...(textOut === undefined ? {} : { output: textOut }),
  };
}

/** A text of the caller or the model as the log keeps it; a value of any other form is left out. */
function loggedTextOf(value: unknown): Item | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { kind, text, hash } = value as Item;
  const isText =
    (kind === 'full' && typeof text === 'string') || (kind === 'hash' && typeof hash === 'string');
  return isText ? (value as Item) : undefined;
}
