// Providers and guards by services whose calls go through recordings.
import * as z from 'zod/mini';
import type { ConfiguredProvider, FlowPorts } from '../../flow/step.ts';
import { type CostOfModel, spendingOf } from '../../guards/remote/charge.ts';
import { traitsOf } from '../../guards/remote/traits.ts';
import type { GuardService, GuardUsage, GuardVerdict } from '../../ports/guards.ts';
import {
  type EmbeddingProvider,
  type Embeddings,
  type ModelProvider,
  type ModelRequest,
  type ModelResult,
  ProviderFailure,
} from '../../ports/providers.ts';
import type { ServiceGuard } from '../../settings/guards/guards-schema.ts';
import type { RunRecorder } from './recorder.ts';
import { withoutSecrets } from './without-secrets.ts';

/** Failures that the same request would have again. Others are of the moment: the next recording makes the call again. */
const LASTING = ['rejected_input', 'context_too_long'] as const;

const tokens = z.int().check(z.gte(0));

const usageSchema = z.looseObject({ input: tokens, output: tokens });

const toolCallSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  arguments: z.union([z.string(), z.looseObject({})]),
});

const answerSchema = z.looseObject({
  text: z.string(),
  finish: z.enum(['stop', 'toolCalls', 'length', 'filtered', 'other']),
  usage: z.optional(usageSchema),
  toolCalls: z.optional(z.array(toolCallSchema)),
});

const failureSchema = z.strictObject({ failure: z.enum(LASTING), status: z.optional(z.int()) });

const vectorsSchema = z.looseObject({
  vectors: z.array(z.array(z.number())),
  tokensInput: z.optional(tokens),
});

const verdictSchema = z.looseObject({
  verdict: z.enum(['block', 'none']),
  finds: z.array(z.looseObject({ entity: z.string(), text: z.int() })),
  usage: z.looseObject({}),
});

interface RecordedRun {
  readonly recorder: RunRecorder;
  readonly costOf: FlowPorts['costOf'];
  /** The most that the next attempt can cost. */
  readonly mostOfAttempt: () => number | null;
}

/** The same provider, which answers whole: nothing streams in a test. */
export function recordProvider(
  name: string,
  { provider, embedding, timeoutMs }: ConfiguredProvider,
  run: RecordedRun,
): ConfiguredProvider {
  return {
    timeoutMs,
    provider: recordModels(name, provider, run),
    ...(embedding === undefined ? {} : { embedding: recordEmbeddings(name, embedding, run) }),
  };
}

function recordModels(name: string, provider: ModelProvider, run: RecordedRun): ModelProvider {
  const { stream: _, ...traits } = provider;
  return {
    ...traits,
    async generate(request) {
      const ended = await run.recorder.call<ModelResult | ProviderFailure>({
        target: `${name}/${request.model}`,
        request: toKeyed(request),
        costs: {
          most: run.mostOfAttempt(),
          costOf: ({ usage }) =>
            usage === undefined ? run.mostOfAttempt() : run.costOf(name, request.model, usage),
        },
        live: () => provider.generate(request).then(withoutSecrets, keepLasting),
        toRecord: (answer) =>
          answer instanceof ProviderFailure
            ? { failure: answer.kind, ...(answer.status === undefined ? {} : { status: answer.status }) }
            : { ...answer },
        fromRecord: readAnswer,
      });
      if (ended instanceof ProviderFailure) throw ended;
      return ended;
    },
  };
}

/** All that the model gets; not how long it may take, and whose trace it is in. */
function toKeyed({ signal: _signal, traceparent: _traceparent, ...request }: ModelRequest): unknown {
  return request;
}

function keepLasting(thrown: unknown): ProviderFailure {
  if (thrown instanceof ProviderFailure && LASTING.some((kind) => kind === thrown.kind)) return thrown;
  throw thrown;
}

function readAnswer(record: object): ModelResult | ProviderFailure | undefined {
  const failed = failureSchema.safeParse(record);
  if (failed.success) return new ProviderFailure(failed.data.failure, { status: failed.data.status });
  if (!answerSchema.safeParse(record).success) return undefined;
  // Members that JSON leaves out are undefined again.
  return { usage: undefined, modelVersion: undefined, ...record } as ModelResult;
}

function recordEmbeddings(name: string, embedding: EmbeddingProvider, run: RecordedRun): EmbeddingProvider {
  return {
    ...embedding,
    embed: ({ signal, traceparent: _, ...request }) =>
      run.recorder.call<Embeddings>({
        target: `${name}/${request.model}`,
        request,
        costs: {
          most: run.mostOfAttempt(),
          costOf: ({ tokensInput }) =>
            tokensInput === undefined
              ? run.mostOfAttempt()
              : run.costOf(name, request.model, { input: tokensInput, output: 0 }),
        },
        live: () => embedding.embed({ ...request, signal }),
        toRecord: (answer) => ({ ...answer }),
        fromRecord(record) {
          const { data } = vectorsSchema.safeParse(record);
          if (data?.vectors.length !== request.inputs.length) return undefined;
          return { tokensInput: undefined, ...record } as Embeddings;
        },
      }),
  };
}

/** A guard by a service, and what its calls cost by the prices of its settings or its model. */
interface RecordedGuard {
  readonly name: string;
  readonly guard: ServiceGuard;
  readonly service: () => Promise<GuardService>;
  readonly costOfModel: CostOfModel;
}

/** A guard whose service is asked through recordings. */
export function recordGuard(
  { name, guard, service, costOfModel }: RecordedGuard,
  recorder: RunRecorder,
): GuardService {
  const costOf = (usage: GuardUsage) => spendingOf(guard, [usage], costOfModel).costMicrodollars;
  return {
    inspect: ({ signal, ...request }) =>
      recorder.call<GuardVerdict>({
        target: `guard:${name}`,
        request,
        costs: {
          most: costOf(
            traitsOf(guard).mostUsage(
              guard,
              request.texts.map(({ text }) => text),
            ),
          ),
          costOf: ({ usage }) => costOf(usage),
        },
        live: async () => (await service()).inspect({ ...request, signal }),
        toRecord: (verdict) => ({ ...verdict }),
        fromRecord: (record) =>
          verdictSchema.safeParse(record).success ? (record as unknown as GuardVerdict) : undefined,
      }),
  };
}
