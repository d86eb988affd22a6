// Validates what model calls accept of callers and ask of models: what could never work is an error, at the call.
import { REASONING_EFFORTS, type ReasoningEffort } from '../../contract/reasoning-efforts.ts';
import { allTargets, primaryTargets } from '../../settings/call-targets.ts';
import { type CallModel, type Flow, type Step, takesMaxTokens } from '../../settings/flow-schema.ts';
import type { Organization, Provider } from '../../settings/organization-schema.ts';
import type { Path } from '../../settings/path.ts';
import { valueAt } from '../../text/json.ts';
import { errorAt, type PartDiagnostic, warningAt } from '../diagnostic.ts';
import { validateEmbeddings } from './embeddings.ts';
import { isKnownFor, type ModelTrait } from './model-traits.ts';
import { validateOutputSchema } from './output-schema.ts';
import { validatePassThrough } from './pass-through.ts';

/** A model call with its path from the flow, and the step that may follow it; undefined where nothing does. */
interface PlacedCall {
  readonly call: CallModel;
  readonly path: Path;
  readonly follower: string | undefined;
}

/** A model that a call may ask: its own, or a fallback. */
interface Target {
  readonly path: Path;
  readonly name: string;
  readonly model: string;
  readonly provider: Provider;
}

/** Validates a flow that the schema has parsed. `written` is the document as it stands in its file. */
export function validateConversations(
  flow: Flow,
  written: unknown,
  organization: Organization | undefined,
): PartDiagnostic[] {
  const ofCalls = placeCalls(flow).flatMap((placed) => [
    ...validateCall(placed),
    ...targetsOf(placed, organization).flatMap((target) => validateTarget(placed, target, written)),
  ]);
  return [...ofCalls, ...validateEmbeddings(flow, organization), ...validatePassThrough(flow, organization)];
}

/** The step that ends a run, and so may follow a call whose answer goes back to the caller. */
const ENDS = 'serveOutput';

function placeCalls(list: Flow, path: Path = [], afterList?: string): readonly PlacedCall[] {
  return list.flatMap((step, index) => {
    const [name = '', settings] = Object.entries(step)[0] ?? [];
    const after =
      list
        .slice(index + 1)
        .map(nameOf)
        .find((one) => one !== ENDS) ?? afterList;
    const here = [...path, index];
    if ('callModel' in step) return [{ call: step.callModel, path: [...here, name], follower: after }];
    return (['then', 'else', 'a', 'b'] as const).flatMap((branch) => {
      const inner: unknown = (settings as Readonly<Record<string, unknown>>)[branch];
      return Array.isArray(inner) ? placeCalls(inner as Flow, [...here, name, branch], after) : [];
    });
  });
}

function nameOf(step: Step): string {
  return Object.keys(step)[0] ?? '';
}

function validateCall({ call, path, follower }: PlacedCall): PartDiagnostic[] {
  const { accepts, history, outputSchema, promptCache } = call;
  const at = (what: CallModel['accepts'][number]): Path => [...path, 'accepts', accepts.indexOf(what)];
  return [
    ...validateRepeats(call, path),
    ...(accepts.includes('tools') && follower !== undefined
      ? [
          errorAt(
            at('tools'),
            `returns calls of tools to the caller, so no step but serveOutput may follow, and ${follower} does: take tools out of accepts, or move the call to the end`,
          ),
        ]
      : []),
    ...warnOfCuts(call, path),
    ...(accepts.includes('history') && !history
      ? [errorAt(at('history'), 'contradicts `history: false`: take one of them out')]
      : []),
    ...(accepts.includes('cacheControl') && promptCache === 'off'
      ? [errorAt(at('cacheControl'), 'contradicts `promptCache: off`: take one of them out')]
      : []),
    ...(accepts.includes('schema') && outputSchema !== undefined
      ? [errorAt(at('schema'), 'would never count beside outputSchema: take one of them out')]
      : []),
    ...accepts.flatMap((what, index) =>
      accepts.indexOf(what) < index ? [errorAt([...path, 'accepts', index], `repeats ${what}`)] : [],
    ),
  ];
}

/** Less cuts what agents write. */
const ENOUGH_TOKENS = 16_384;

/** A limit that callers who bring their own prompts cannot raise. */
function warnOfCuts(call: CallModel, path: Path): PartDiagnostic[] {
  const { accepts, limitsTokens, maxTokens } = call;
  const takesParameters = takesMaxTokens(call);
  if (maxTokens >= ENOUGH_TOKENS || (takesParameters && !limitsTokens)) return [];
  if (!takesParameters && !accepts.includes('tools')) return [];
  const remedy = takesParameters
    ? 'take it out, and what a caller asks for counts, up to the maximum of the model'
    : 'write more, or accept parameters and write none';
  const at = limitsTokens ? [...path, 'maxTokens'] : path;
  return [warningAt(at, `cuts answers at ${maxTokens} tokens, whatever the caller asks for: ${remedy}`)];
}

/** A model that is asked twice would have one circuit for both. */
function validateRepeats(call: CallModel, path: Path): PartDiagnostic[] {
  const names = primaryTargets(call).map(({ provider, model }) => `${provider}/${model}`);
  return names.flatMap((name, index) =>
    names.indexOf(name) < index
      ? [errorAt([...path, 'targets', index], `repeats ${name}: give the first one a higher weight`)]
      : [],
  );
}

/** None for providers that do not exist: that is an error of its own. */
function targetsOf({ call, path }: PlacedCall, organization: Organization | undefined): readonly Target[] {
  const providers = organization?.providers ?? {};
  return allTargets(call).flatMap(({ at, provider: name, model }) => {
    const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
    return provider === undefined ? [] : [{ path: [...path, ...at], name, model, provider }];
  });
}

function validateTarget({ call, path }: PlacedCall, target: Target, written: unknown): PartDiagnostic[] {
  const { provider, name, model } = target;
  const isKnown = (trait: ModelTrait): boolean => isKnownFor(trait, provider.type, model);
  const label = `${name}/${model}`;
  const finding = isVendor(provider) ? errorAt : warningAt;
  const wantsSchema = call.outputSchema !== undefined || call.accepts.includes('schema');
  const schemaMember = call.outputSchema === undefined ? 'schema in accepts' : 'outputSchema';
  const sampling = (['temperature', 'topP'] as const).filter((member) => call[member] !== undefined);
  return [
    ...(wantsSchema && isKnown('takesNoSchema')
      ? [
          finding(
            target.path,
            `asks ${label}, which has no structured output: take ${schemaMember} out, or call another model`,
          ),
        ]
      : []),
    ...(call.accepts.includes('images') && isKnown('takesNoImages')
      ? [
          finding(
            target.path,
            `asks ${label}, which takes no images: take images out of accepts, or call another model`,
          ),
        ]
      : []),
    ...validateStops(call, path, target),
    ...validateEffort(call, path, target, isKnown('takesNoEffort')),
    ...(isKnown('rejectsSampling')
      ? sampling.map((member) =>
          warningAt(
            [...path, member],
            `is refused by ${label}, as far as is known, and every call would be answered 500 configuration: take it out, or call another model`,
          ),
        )
      : []),
    ...(isKnown('thinks') &&
    valueAt(written, ['flow', ...path, 'maxTokens']) === undefined &&
    call.maxTokens === 1024
      ? [
          warningAt(
            target.path,
            `asks ${label}, which thinks before it answers, and its thoughts count towards maxTokens, 1024 when absent: write maxTokens, 16384 for example`,
          ),
        ]
      : []),
    ...(call.outputSchema === undefined
      ? []
      : validateOutputSchema([...path, 'outputSchema'], call.outputSchema, target)),
  ];
}

function validateStops({ stopSequences }: CallModel, path: Path, target: Target): PartDiagnostic[] {
  const { provider, name } = target;
  const hasNone = provider.type === 'openai' && provider.api === 'responses';
  if (stopSequences === undefined || !hasNone) return [];
  const message = `has no counterpart at ${name}, whose \`api: responses\` has no stop sequences: take it out`;
  return [errorAt([...path, 'stopSequences'], message)];
}

/** Anthropic's effort has no `none` and no `minimal`. */
const ANTHROPIC_EFFORTS: readonly ReasoningEffort[] = REASONING_EFFORTS.filter(
  (effort) => effort !== 'none' && effort !== 'minimal',
);

function validateEffort(
  { reasoningEffort }: CallModel,
  path: Path,
  { provider, name, model }: Target,
  takesNone: boolean,
): PartDiagnostic[] {
  if (reasoningEffort === undefined) return [];
  const at = [...path, 'reasoningEffort'];
  // Known from reports of others alone, which no vendor's page backs.
  if (takesNone) {
    return [
      warningAt(
        at,
        `is unknown to ${name}/${model}, as far as is known, and every call would be answered 500 configuration: take it out, or call another model`,
      ),
    ];
  }
  if (provider.type === 'echo') return [warningAt(at, `does nothing at ${name}, which is of type echo`)];
  const isClaude = provider.type === 'anthropic' || (provider.type === 'bedrock' && /\bclaude-/.test(model));
  if (!isClaude || ANTHROPIC_EFFORTS.includes(reasoningEffort)) return [];
  return [errorAt(at, `must be one of ${ANTHROPIC_EFFORTS.join(', ')} for ${name}/${model}`)];
}

/** Vendors whose word is final on their own models. Other servers may drop what a model does not take, or serve another model by its name. */
const OPENAI_HOST = 'api.openai.com';

/** Whether a provider is the vendor that the names above are of. */
function isVendor(provider: Provider): boolean {
  if (provider.type === 'openai') return new URL(provider.baseUrl).hostname === OPENAI_HOST;
  if (provider.type === 'anthropic') return new URL(provider.baseUrl).hostname === 'api.anthropic.com';
  return provider.type === 'bedrock';
}
