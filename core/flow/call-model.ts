// The step `callModel`: asks a model and makes its text the output.
import type { CallModel } from '../config/flow-schema.ts';
import { Refusal, toRefusal } from '../contract/refusal.ts';
import { type ModelRequest, type ModelResult, ProviderFailure } from '../ports/providers.ts';
import { attemptModelCall, DEFAULT_TIMEOUT_MS } from './attempt.ts';
import { toProviderRefusal } from './failure.ts';
import type { ConfiguredProvider, ModelCallRecord, RunStep, StepContext, StepOutcome } from './step.ts';
import { renderTemplate } from './template.ts';
import { type CountedTokens, countAnswered, countFailed } from './usage.ts';

type Attempted = Omit<ModelRequest, 'signal'>;

export const runCallModel: RunStep<CallModel> = async (settings, context) => {
  const configured = findProvider(settings, context);
  const request = buildRequest(settings, context);
  const { clock } = context.ports;
  const startedMs = clock.now();
  const record = (finish: string, tokens: CountedTokens, modelVersion?: string): ModelCallRecord => ({
    provider: settings.provider,
    model: settings.model,
    modelVersion,
    finish,
    tokensInput: tokens.input,
    tokensOutput: tokens.output,
    estimated: tokens.estimated,
    attempts: 1,
    latencyMs: Math.max(0, clock.now() - startedMs),
  });
  const target = `${settings.provider}/${settings.model}`;
  const trace = { input: request.prompt, decision: target };
  try {
    const timeoutMs = settings.timeout ?? configured.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const bounds = { timeoutMs, deadline: context.deadline, clock };
    const result = await attemptModelCall(configured.provider, request, bounds);
    const modelCall = record(result.finish, countAnswered(request, result.usage), result.modelVersion);
    return { ...toOutcome(result), trace: { ...trace, output: result.text }, modelCall };
  } catch (thrown) {
    const refusal = thrown instanceof ProviderFailure ? toProviderRefusal(thrown, target) : toRefusal(thrown);
    const finish = thrown instanceof ProviderFailure ? thrown.kind : refusal.code;
    const modelCall = record(finish, countFailed(request, thrown));
    return { trace, modelCall, end: { kind: 'failed', refusal } };
  }
};

function buildRequest(settings: CallModel, { state, values }: StepContext): Attempted {
  const { model, maxTokens, temperature, topP, stopSequences, seed } = settings;
  return {
    model,
    system: state.system,
    prompt: renderTemplate(settings.prompt, values),
    // Always sent: without it some providers reserve the model's maximum and throttle.
    maxTokens,
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(stopSequences === undefined ? {} : { stopSequences }),
    ...(seed === undefined ? {} : { seed }),
  };
}

function findProvider(settings: CallModel, { ports }: StepContext): ConfiguredProvider {
  const configured = ports.findProvider(settings.provider);
  if (configured !== undefined) return configured;
  throw new Refusal('configuration', { reason: `the organization has no provider ${settings.provider}` });
}

/** A content filter stops the run: what is left of the text is served as it is, an empty one not at all. */
function toOutcome(result: ModelResult): Pick<StepOutcome, 'state' | 'end'> {
  if (result.finish !== 'filtered') return { state: { output: result.text } };
  return { end: { kind: 'done', output: result.text === '' ? undefined : result.text, stopped: true } };
}
