// Reads status 200 with JSON in place of a stream: the answer of a server that does not stream, or an error.
import { toModelEvents } from '../../../core/ports/model-events.ts';
import {
  type ModelEvent,
  type ModelResult,
  type ProviderExplanation,
  ProviderFailure,
} from '../../../core/ports/providers.ts';
import type { JsonAnswer } from '../post-json.ts';

/** Throws `ProviderFailure` `truncated` where `toModelResult` finds no whole answer. */
export function readWholeAnswer(
  { json, status }: JsonAnswer,
  toModelResult: (json: unknown, status: number) => ModelResult,
  explanationOf: (json: unknown) => ProviderExplanation,
): Iterable<ModelEvent> {
  try {
    return toModelEvents(toModelResult(json, status));
  } catch (cause) {
    throw new ProviderFailure('truncated', { status, explanation: explanationOf(json), cause });
  }
}
