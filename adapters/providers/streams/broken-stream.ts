// A provider's stream that cannot be the beginning of a whole answer.
import type { ProviderExplanation } from '../../../core/ports/providers.ts';

/** Thrown by readers of streams; whoever drives them makes a `ProviderFailure` of it. The message holds no text of the provider. */
export class BrokenStream extends Error {
  /** What the provider says of it, where it ended by an error event. */
  readonly explanation: ProviderExplanation;

  constructor(message: string, explanation: ProviderExplanation = {}) {
    super(message);
    this.name = 'BrokenStream';
    this.explanation = explanation;
  }
}

/** Throws `BrokenStream` for a text that is no JSON. */
export function parseEventJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BrokenStream('an event is not JSON');
  }
}
