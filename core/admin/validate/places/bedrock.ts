// Validates which models and guardrails on Bedrock settings name: the role of a stage may call those of the stage settings and no others.

import { isServiceGuard, type ServiceGuard } from '../../../settings/guards/guards-schema.ts';
import type { Organization } from '../../../settings/organization-schema.ts';
import type { Path } from '../../../settings/path.ts';
import { isBedrockModelId } from '../../../settings/scalars.ts';
import { memberOf, textMemberOf } from '../../../text/json.ts';
import { errorAt, type PartDiagnostic, warningAt } from '../../diagnostic.ts';
import { findPaths } from '../../find-paths.ts';

/** The stage setting `bedrock` of one region. */
interface BedrockGrant {
  readonly region: string;
  readonly models?: readonly string[] | undefined;
  readonly guardrails?: readonly string[] | undefined;
  readonly guardrailProfiles?: readonly string[] | undefined;
  readonly guardrailChecks?: boolean | undefined;
}

export type BedrockGrants = readonly BedrockGrant[];

/** The rights of a stage's role on Bedrock. */
export interface BedrockBounds {
  readonly stage: string;
  readonly allowed: BedrockGrants;
}

/** Where a neuron names a provider together with a model. */
const CALLS = [
  ['flow', '**', 'callModel'],
  ['flow', '**', 'callModel', 'targets', '*'],
  ['flow', '**', 'callModel', 'fallbacks', '*'],
  ['flow', '**', 'embed'],
  ['flow', '**', 'embed', 'fallbacks', '*'],
  ['caching', 'semantic', 'embedding'],
] as const;

interface NamedModel {
  readonly path: Path;
  readonly region: string;
  readonly model: string;
}

/**
 * An error for each model that is not allowed, with the line of the stage settings that would allow all of them. Without a stage: for
 * each that none could allow. `document` is a neuron as written.
 */
export function validateBedrock(
  document: unknown,
  { providers }: Organization,
  bounds: BedrockBounds | undefined,
): PartDiagnostic[] {
  const rejected = findNamedModels(document, providers).filter(({ region, model }) =>
    bounds === undefined ? !isBedrockModelId(model) : !mayCall(bounds.allowed, region, model),
  );
  return rejected.map(({ path, region, model }) =>
    errorAt(
      path,
      bounds !== undefined && isBedrockModelId(model)
        ? `may not be called in ${region} by this stage: have \`${renderSetting(rejected, bounds.allowed)}\` in lib/stages/${bounds.stage}.ts, and deploy`
        : 'must be the id of a foundation model or of an inference profile of AWS, such as us.amazon.nova-lite-v1:0',
    ),
  );
}

/** The guardrail of a step: each of its models must be on Bedrock, in a region where the stage allows the guardrail. */
export function validateStepGuardrails(
  document: unknown,
  { providers }: Organization,
  bounds: BedrockBounds | undefined,
): PartDiagnostic[] {
  return findPaths(document, ['flow', '**', 'callModel']).flatMap(({ path, value }) => {
    const id = textMemberOf(memberOf(value, 'guardrail'), 'id');
    if (id === undefined) return [];
    const at = [...path, 'guardrail'];
    const others = ['targets', 'fallbacks'].flatMap((name) => findPaths(value, [name, '*']));
    return [value, ...others.map((one) => one.value)].flatMap((target) => {
      const name = textMemberOf(target, 'provider');
      const provider = name !== undefined && Object.hasOwn(providers, name) ? providers[name] : undefined;
      if (provider === undefined) return [];
      if (provider.type !== 'bedrock')
        return [
          errorAt(at, `is applied by Bedrock alone, and the step asks ${name} of type ${provider.type}`),
        ];
      const grant = { region: provider.region, guardrails: [id] };
      if (bounds === undefined || bounds.allowed.some((one) => covers(one, grant))) return [];
      return [
        errorAt(
          [...at, 'id'],
          notAllowed(`may not be applied in ${provider.region} by this stage`, [grant], bounds),
        ),
      ];
    });
  });
}

/** Says, where the stage is unknown, that its list was not checked. */
export function warnOfUnknownStage(document: unknown, { providers }: Organization): PartDiagnostic[] {
  const [first] = findNamedModels(document, providers);
  if (first === undefined) return [];
  return [warningAt(first.path, UNCHECKED)];
}

const UNCHECKED =
  'is on Bedrock; whether the stage allows it was not checked: `neuron apply --dry-run` checks it against a stack';

function findNamedModels(document: unknown, providers: Organization['providers']): readonly NamedModel[] {
  return CALLS.flatMap((pattern) =>
    findPaths(document, pattern).flatMap(({ path, value }) => toNamedModel(path, value, providers)),
  );
}

function toNamedModel(path: Path, value: unknown, providers: Organization['providers']): NamedModel[] {
  const [name, model] = [textMemberOf(value, 'provider'), textMemberOf(value, 'model')];
  if (name === undefined || model === undefined || !Object.hasOwn(providers, name)) return [];
  const provider = providers[name];
  return provider?.type === 'bedrock' ? [{ path: [...path, 'model'], region: provider.region, model }] : [];
}

function mayCall(allowed: BedrockGrants, region: string, model: string): boolean {
  return allowed.some((one) => one.region === region && one.models?.includes(model) === true);
}

/** The whole setting as it is to be: what is allowed already, and what is missing. */
function renderSetting(missing: readonly NamedModel[], allowed: BedrockGrants): string {
  const models = missing.filter(({ model }) => isBedrockModelId(model));
  return renderGrants([...allowed, ...models.map(({ region, model }) => ({ region, models: [model] }))]);
}

/** Grants of one region are written as one. */
function renderGrants(grants: BedrockGrants): string {
  const regions = [...new Set(grants.map(({ region }) => region))];
  const entries = regions.map((region) => {
    const own = grants.filter((one) => one.region === region);
    const lists = LISTS.flatMap((name) => {
      const ids = [...new Set(own.flatMap((one) => one[name] ?? []))];
      return ids.length === 0 ? [] : [`${name}: [${ids.map((id) => `'${id}'`).join(', ')}]`];
    });
    const checks = own.some(({ guardrailChecks }) => guardrailChecks === true)
      ? ['guardrailChecks: true']
      : [];
    return `{ ${[`region: '${region}'`, ...lists, ...checks].join(', ')} }`;
  });
  return `bedrock: [${entries.join(', ')}],`;
}

const LISTS = ['models', 'guardrails', 'guardrailProfiles'] as const;

/**
 * An error for each guard of the organization's library whose guardrail, or whose checks, the stage does not allow; without a stage one
 * warning for all. A guard without a region is of the stage's own, whose name is not known here: then any region counts.
 */
export function validateBedrockGuards(
  { guards = {} }: Organization,
  bounds: BedrockBounds | undefined,
): PartDiagnostic[] {
  const named = Object.entries(guards).flatMap(([name, guard]) => {
    const grant = isServiceGuard(guard) ? toGrant(guard) : undefined;
    return grant === undefined ? [] : [{ path: ['guards', name], grant }];
  });
  const [first] = named;
  if (first === undefined) return [];
  if (bounds === undefined) return [warningAt(first.path, UNCHECKED)];
  const missing = named.filter(({ grant }) => !bounds.allowed.some((one) => covers(one, grant)));
  const grants = missing.map(({ grant }) => ({ ...grant, region: grant.region ?? 'REGION' }));
  return missing.map(({ path, grant: { region, guardrails = [] } }) => {
    const what = guardrails.length === 0 ? 'checks of Bedrock' : `the guardrail ${guardrails.join()}`;
    const where = region === undefined ? '' : ` in ${region}`;
    return errorAt(path, notAllowed(`asks ${what}${where}, which this stage may not`, grants, bounds));
  });
}

function notAllowed(what: string, missing: BedrockGrants, { stage, allowed }: BedrockBounds): string {
  return `${what}: have \`${renderGrants([...allowed, ...missing])}\` in lib/stages/${stage}.ts, and deploy`;
}

type WantedGrant = Omit<BedrockGrant, 'region'> & { readonly region: string | undefined };

function toGrant(guard: ServiceGuard): WantedGrant | undefined {
  if (guard.type === 'bedrockChecks') return { region: guard.region, guardrailChecks: true };
  return guard.type === 'bedrock' ? { region: guard.region, guardrails: [guard.guardrail] } : undefined;
}

function covers(allowed: BedrockGrant, { region, guardrails = [], guardrailChecks }: WantedGrant): boolean {
  if (region !== undefined && allowed.region !== region) return false;
  if (guardrailChecks === true && allowed.guardrailChecks !== true) return false;
  return guardrails.every((id) => allowed.guardrails?.includes(id) === true);
}
