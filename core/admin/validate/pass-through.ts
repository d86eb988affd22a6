// Validates flows that pass requests for messages on: to providers that take them as they are, and without settings that could not count.
import { allTargets } from '../../settings/call-targets.ts';
import type { CallModel, Flow } from '../../settings/flow-schema.ts';
import type { Organization } from '../../settings/organization-schema.ts';
import type { Path } from '../../settings/path.ts';
import { walkFlow } from '../../settings/walk-flow.ts';
import { errorAt, type PartDiagnostic } from '../diagnostic.ts';

/** Paths begin at the flow. */
export function validatePassThrough(flow: Flow, organization: Organization | undefined): PartDiagnostic[] {
  return passedCalls(flow).flatMap(({ call, path }) => [
    ...validateFlow(flow, call, path),
    ...validateMembers(call, path),
    ...validateTargets(call, path, organization),
  ]);
}

/** The calls that pass requests on. */
export function passedCalls(flow: Flow): readonly { readonly call: CallModel; readonly path: Path }[] {
  return [...walkFlow(flow)].flatMap(({ step, path }) =>
    step !== undefined && 'callModel' in step && step.callModel.accepts.includes('passThrough')
      ? [{ call: step.callModel, path: [...path, 'callModel'] }]
      : [],
  );
}

function validateFlow(flow: Flow, call: CallModel, path: Path): PartDiagnostic[] {
  const other = flow.find(
    (step) => !('systemInstructions' in step || ('callModel' in step && step.callModel === call)),
  );
  if (other === undefined) return [];
  const [name] = Object.keys(other);
  const message = `passes requests on as they are, so its flow may have systemInstructions beside it alone, and has ${name}`;
  return [errorAt(atPassThrough(call, path), message)];
}

/** Members of a step that decide on the request or its answer. */
const MEMBERS = [
  'prompt',
  'examples',
  'temperature',
  'topP',
  'stopSequences',
  'seed',
  'outputSchema',
  'reasoningEffort',
  'guardrail',
] as const satisfies readonly (keyof CallModel)[];

function validateMembers(call: CallModel, path: Path): PartDiagnostic[] {
  const message =
    'would not count for requests that are passed on: take it out, or passThrough out of accepts';
  const set: readonly string[] = MEMBERS.filter((member) => call[member] !== undefined);
  return [...set, ...(call.history ? [] : ['history'])].map((member) => errorAt([...path, member], message));
}

function validateTargets(
  call: CallModel,
  path: Path,
  organization: Organization | undefined,
): PartDiagnostic[] {
  return allTargets(call).flatMap(({ at, provider: name, model }) => {
    const type = Object.hasOwn(organization?.providers ?? {}, name)
      ? organization?.providers[name]?.type
      : undefined;
    if (type === undefined || type === 'anthropic' || (type === 'bedrock' && model.includes('claude')))
      return [];
    const message = `asks ${name}/${model}, and requests are passed on to Claude at providers of type anthropic or bedrock alone`;
    return [errorAt([...path, ...at], message)];
  });
}

function atPassThrough({ accepts }: CallModel, path: Path): Path {
  return [...path, 'accepts', accepts.indexOf('passThrough')];
}
