// A provider that answers as a test specifies and records its requests.
import { toModelEvents } from '../../../core/ports/model-events.ts';
import type { ModelProvider, ModelRequest, ModelResult } from '../../../core/ports/providers.ts';

/** A provider under a test's hand. */
export interface MemoryProvider extends ModelProvider {
  readonly requests: readonly ModelRequest[];
}

/** What every answer has where the test does not say. */
const ANSWER: ModelResult = {
  text: 'answer',
  finish: 'stop',
  usage: { input: 3, output: 5 },
  modelVersion: 'model-1',
};

/** `answer` makes each result; what it throws is thrown. */
export function createMemoryProvider(
  answer: (request: ModelRequest) => Partial<ModelResult> | Promise<Partial<ModelResult>> = () => ({}),
): MemoryProvider {
  const requests: ModelRequest[] = [];
  const generate = async (request: ModelRequest): Promise<ModelResult> => {
    requests.push(request);
    return { ...ANSWER, ...(await answer(request)) };
  };
  return {
    requests,
    generate,
    /** The same answer, a character at a time. */
    async *stream(request) {
      const result = await generate(request);
      yield* toModelEvents(result, result.text);
    },
  };
}
