// Validates which models on Bedrock a neuron names: the role of a stage may call those of the stage settings and no others.

import type { Organization } from '../../settings/organization-schema.ts';
import type { Path } from '../../settings/path.ts';
import { isBedrockModelId } from '../../settings/scalars.ts';
import { textMemberOf } from '../../text/json.ts';
import { errorAt, type PartDiagnostic, warningAt } from '../diagnostic.ts';
import { findPaths } from '../find-paths.ts';

/** The stage setting `bedrock`: models and inference profiles by region. */
export type BedrockModels = readonly { readonly region: string; readonly models: readonly string[] }[];

/** The models on Bedrock that the role of a stage may call. */
export interface BedrockBounds {
  readonly stage: string;
  readonly allowed: BedrockModels;
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

/** Says, where the stage is unknown, that its list was not checked. */
export function warnOfUnknownStage(document: unknown, { providers }: Organization): PartDiagnostic[] {
  const [first] = findNamedModels(document, providers);
  if (first === undefined) return [];
  const message =
    'is on Bedrock; whether the stage allows it was not checked: `neuron apply --dry-run` checks it against a stack';
  return [warningAt(first.path, message)];
}

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

function mayCall(allowed: BedrockModels, region: string, model: string): boolean {
  return allowed.some((one) => one.region === region && one.models.includes(model));
}

/** The whole setting as it is to be: what is allowed already, and what is missing. */
function renderSetting(missing: readonly NamedModel[], allowed: BedrockModels): string {
  const models = new Map<string, Set<string>>();
  const pairs = [
    ...allowed.flatMap(({ region, models: ids }) => ids.map((model) => ({ region, model }))),
    ...missing.filter(({ model }) => isBedrockModelId(model)),
  ];
  for (const { region, model } of pairs) models.set(region, (models.get(region) ?? new Set()).add(model));
  const entries = [...models].map(
    ([region, ids]) => `{ region: '${region}', models: [${[...ids].map((id) => `'${id}'`).join(', ')}] }`,
  );
  return `bedrock: [${entries.join(', ')}],`;
}
