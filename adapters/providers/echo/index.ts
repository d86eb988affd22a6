// The echo provider tries flows without a model: offline and deterministic, and, if set so, slow, failing or broken off.
import { isNamedWish } from '../../../core/conversation/conversation.ts';
import { collectModelEvents, toModelEvents } from '../../../core/ports/model-events.ts';
import {
  type ModelEvent,
  type ModelProvider,
  type ModelRequest,
  ProviderFailure,
  type RequestMember,
} from '../../../core/ports/providers.ts';
import type { Provider } from '../../../core/settings/organization-schema.ts';
import type { Clock } from '../../../core/time/clock.ts';
import { failureOfStatus } from '../http-status.ts';
import { omissionsOfMessages, presentIn } from '../omissions.ts';
import { toEchoResult } from './response.ts';

type EchoSettings = Extract<Provider, { type: 'echo' }>;

/** The longest time of a timer, longer than any deadline. */
const FOREVER_MS = 2 ** 31 - 1;

/** Members that change nothing here. */
const NOT_HONOURED: readonly RequestMember[] = [
  'temperature',
  'topP',
  'seed',
  'reasoningEffort',
  'frequencyPenalty',
  'presencePenalty',
  'logitBias',
  'verbosity',
  'promptCacheKey',
];

/** Waits `delay`, then fails as an HTTP provider that answers the status `fail`, or echoes word by word. */
export function createEchoProvider(settings: EchoSettings, clock: Clock): ModelProvider {
  return {
    omissionsOf: (request) => [
      ...presentIn(request, NOT_HONOURED),
      ...(isNamedWish(request.thinking) ? (['thinking'] as const) : []),
      ...omissionsOfMessages(request, { origin: undefined, details: false, cacheHints: false }),
    ],
    generate: (request) => collectModelEvents(streamEcho(settings, clock, request)),
    stream: (request) => streamEcho(settings, clock, request),
  };
}

async function* streamEcho(
  settings: EchoSettings,
  clock: Clock,
  request: ModelRequest,
): AsyncGenerator<ModelEvent, void, void> {
  const { delay = 0, fail, wordsPerSecond, breakAfter, stallAfter } = settings;
  await pause(delay, clock, request.signal);
  if (fail !== undefined) throw failureOfStatus(fail);
  yield { type: 'opened' };
  const result = toEchoResult(request);
  const pauseMs = wordsPerSecond === undefined ? 0 : 1_000 / wordsPerSecond;
  let words = 0;
  for (const event of toModelEvents(result, splitWords(result.text))) {
    if (words === breakAfter) throw new ProviderFailure('truncated', { status: 200 });
    if (words === stallAfter) await pause(FOREVER_MS, clock, request.signal);
    if (event.type === 'text') {
      if (words > 0) await pause(pauseMs, clock, request.signal);
      words += 1;
    }
    yield event;
  }
}

/** Each word with the white space before it. */
function splitWords(text: string): readonly string[] {
  return text.match(/\s*\S+|\s+$/gu) ?? [];
}

async function pause(milliseconds: number, clock: Clock, signal: AbortSignal): Promise<void> {
  try {
    signal.throwIfAborted();
    if (milliseconds > 0) await clock.sleep(milliseconds, signal);
  } catch (cause) {
    throw new ProviderFailure('timeout', { cause });
  }
}
