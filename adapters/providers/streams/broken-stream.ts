// The error of a stream that cannot become a whole answer.
import type { ProviderExplanation } from '../../../core/ports/providers.ts';
import { parseExactJson } from '../../../core/text/exact-json.ts';

/** Thrown by readers of streams; `readAnswer` makes a `ProviderFailure` of it. The message holds no text of the provider. */
export class BrokenStream extends Error {
  /** The provider's explanation, where the stream ended with an error event. */
  readonly explanation: ProviderExplanation;
  /** True where the model wrote what its provider cannot read. */
  readonly isOfModel: boolean;

  constructor(message: string, explanation: ProviderExplanation = {}, isOfModel = false) {
    super(message);
    this.name = 'BrokenStream';
    this.explanation = explanation;
    this.isOfModel = isOfModel;
  }
}

/** Throws `BrokenStream` for a text that is not JSON. */
export function parseEventJson(text: string): unknown {
  const value = parseExactJson(text);
  if (value === undefined) throw new BrokenStream('an event is not JSON');
  return value;
}
