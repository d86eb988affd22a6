// The step `embed`: asks a model for the vectors of the caller's texts. A call for vectors is a model call whose answer has no text, so it
// is reserved, retried, timed and accounted for in the same way.

import { ServiceError } from '../../contract/service-error.ts';
import type { EmbeddingInput } from '../../conversation/conversation.ts';
import { describeEmbedding } from '../../conversation/embedding.ts';
import type { Embeddings, RequestMember } from '../../ports/providers.ts';
import type { EmbedStep } from '../../settings/flow-schema.ts';
import { describeVectors } from '../../text/float32.ts';
import { describeTargets, worstOf } from '../call-model.ts';
import { callTarget, type TargetOutcome } from '../call-target.ts';
import type { ConfiguredProvider, ModelCallRecord, RunStep, StepContext } from '../step.ts';
import { requireWork, toEmbedRequest } from './embed-request.ts';

/** Each target is a model call of the run, as in `callModel`. All vectors come from one target, but for those that were cached. */
export const runEmbed: RunStep<EmbedStep> = async (settings, context) => {
  const { wish, cached } = requireWork(context);
  const missing = wish.inputs.filter((_, index) => cached[index] === undefined);
  const first = await askTargets(settings, missing, context);
  // A model that was changed in its place makes vectors of another length than it did.
  const isOfOneLength = fits(first.vectors, cached);
  const last = isOfOneLength ? first : await askTargets(settings, wish.inputs, context);
  const outcomes = isOfOneLength ? first.outcomes : [...first.outcomes, ...last.outcomes];
  const known = wish.inputs.length - (isOfOneLength ? missing.length : wish.inputs.length);
  const trace = {
    input: describeEmbedding(wish),
    decision: `${describeTargets(outcomes)}; ${known} of ${wish.inputs.length} from the cache`,
  };
  const modelCalls: readonly ModelCallRecord[] = outcomes.map(({ record }) => record);
  if (last.vectors === undefined) {
    return { trace, modelCalls, end: { kind: 'failed', rejection: worstOf(last.outcomes) } };
  }
  const fresh = last.vectors.values();
  const vectors = wish.inputs.map(
    (_, index) => (isOfOneLength ? cached[index] : undefined) ?? fresh.next().value ?? new Float32Array(),
  );
  const output = describeVectors(vectors);
  return {
    trace: { ...trace, output },
    modelCalls,
    end: { kind: 'done', output, stopped: false, vectors },
  };
};

interface AskedTargets {
  readonly outcomes: readonly TargetOutcome[];
  /** Undefined where no target answered. */
  readonly vectors: readonly Float32Array[] | undefined;
}

async function askTargets(
  settings: EmbedStep,
  inputs: readonly EmbeddingInput[],
  context: StepContext,
): Promise<AskedTargets> {
  const { wish } = requireWork(context);
  const isOfCaller = settings.dimensions === undefined && wish.dimensions !== undefined;
  const ofCaller = new Set<RequestMember>(isOfCaller ? ['dimensions'] : []);
  const targets = [{ provider: settings.provider, model: settings.model }, ...settings.fallbacks];
  const outcomes: TargetOutcome[] = [];
  for (const [index, target] of targets.entries()) {
    const answered: Answered = { embeddings: undefined };
    const outcome = await callTarget(
      {
        provider: target.provider,
        request: toEmbedRequest(target, inputs),
        ofCaller,
        timeoutMs: settings.timeout,
        maxRetries: settings.retries,
        fallbacksLeft: targets.length - 1 - index,
        sink: undefined,
      },
      toEmbedContext(settings, inputs, { context, answered }),
    );
    outcomes.push(outcome);
    if ('result' in outcome) {
      return { outcomes, vectors: answered.embeddings?.vectors.map((vector) => Float32Array.from(vector)) };
    }
    if (outcome.endsRun) break;
  }
  return { outcomes, vectors: undefined };
}

/** The vectors of the last attempt that was answered. */
interface Answered {
  embeddings: Embeddings | undefined;
}

/** The same context with providers that embed `inputs`, whatever they are asked. */
function toEmbedContext(
  settings: EmbedStep,
  inputs: readonly EmbeddingInput[],
  { context, answered }: { readonly context: StepContext; readonly answered: Answered },
): StepContext {
  const dimensions = settings.dimensions ?? requireWork(context).wish.dimensions;
  const { inputType } = settings;
  const findProvider = (name: string): ConfiguredProvider | undefined => {
    const found = context.ports.findProvider(name);
    if (found === undefined) return undefined;
    const { embedding, timeoutMs } = found;
    if (embedding === undefined) {
      throw new ServiceError('configuration', { reason: `the provider ${name} makes no embeddings` });
    }
    return {
      timeoutMs,
      provider: {
        async generate({ model, signal, traceparent }) {
          const trace = traceparent === undefined ? {} : { traceparent };
          const request = { model, inputs, dimensions, inputType, signal, ...trace };
          answered.embeddings = await embedding.embed(request);
          const { tokensInput, modelVersion } = answered.embeddings;
          const usage = tokensInput === undefined ? undefined : { input: tokensInput, output: 0 };
          return { text: '', finish: 'stop', usage, modelVersion };
        },
      },
    };
  };
  return { ...context, ports: { ...context.ports, findProvider } };
}

/** True where the vectors have the length of those that are known, or there are none of either. */
function fits(
  vectors: readonly Float32Array[] | undefined,
  cached: readonly (Float32Array | undefined)[],
): boolean {
  const length = vectors?.[0]?.length;
  return length === undefined || cached.every((vector) => vector === undefined || vector.length === length);
}
