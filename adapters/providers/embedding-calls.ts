// Embeds many inputs by several calls beside each other: the vectors of all of them, or none.
import { mapAtOnce } from '../../core/async/at-once.ts';
import type { EmbeddingInput } from '../../core/conversation/conversation.ts';
import { maxTokensOf } from '../../core/conversation/embedding.ts';
import { type EmbeddingRequest, type Embeddings, ProviderFailure } from '../../core/ports/providers.ts';
import { sum } from '../../core/text/numbers.ts';

/** Calls at once: a provider's limits on requests are shared by all callers. */
const AT_ONCE = 4;

type Call = (request: EmbeddingRequest) => Promise<Embeddings>;

/** Makes calls of at most `perCall` inputs. The first failure ends the others, and says what had been used by then. */
export async function embedInCalls(
  request: EmbeddingRequest,
  perCall: number,
  call: Call,
): Promise<Embeddings> {
  const { inputs } = request;
  if (inputs.length <= perCall) return call(request);
  const parts = Array.from({ length: Math.ceil(inputs.length / perCall) }, (_, index) =>
    inputs.slice(index * perCall, (index + 1) * perCall),
  );
  const others = new AbortController();
  const signal = AbortSignal.any([request.signal, others.signal]);
  const usage = countUsage();
  try {
    const made = await mapAtOnce(parts, AT_ONCE, (part) =>
      usage.of(part, call({ ...request, inputs: part, signal })),
    );
    return join(made);
  } catch (thrown) {
    throw thrown instanceof ProviderFailure ? withUsage(thrown, usage.soFar()) : thrown;
  } finally {
    others.abort();
  }
}

/**
 * Counts the tokens of calls: as reported, or the maximum for those that reported none or are not done. One that failed counts nothing
 * here: the kind of its failure says whether it may have used something.
 */
function countUsage() {
  let used = 0;
  let open = 0;
  return {
    async of(part: readonly EmbeddingInput[], calling: Promise<Embeddings>): Promise<Embeddings> {
      const most = sum(part.map(maxTokensOf));
      open += most;
      try {
        const result = await calling;
        used += result.tokensInput ?? most;
        return result;
      } finally {
        open -= most;
      }
    },
    soFar: () => used + open,
  };
}

function join(results: readonly Embeddings[]): Embeddings {
  const vectors = results.flatMap((result) => result.vectors);
  if (vectors.some(({ length }) => length !== vectors[0]?.length)) {
    throw new ProviderFailure('malformed_answer');
  }
  const tokens = results.map(({ tokensInput }) => tokensInput);
  return {
    vectors,
    tokensInput: tokens.every((count) => count !== undefined) ? sum(tokens) : undefined,
    modelVersion: results[0]?.modelVersion,
  };
}

function withUsage(failure: ProviderFailure, input: number): ProviderFailure {
  const { kind, explanation, status, retryAfterMs, remedy, secret, members, wasSilent } = failure;
  return new ProviderFailure(kind, {
    status,
    retryAfterMs,
    remedy,
    explanation,
    ...(secret === undefined ? {} : { secret }),
    members,
    wasSilent,
    usage: { input, output: 0 },
    cause: failure,
  });
}
