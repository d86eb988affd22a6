// Judges which models on Bedrock a neuron names: the role of a stage may call those of the stage settings and no others.
import { findPaths } from './find-paths.ts';
import { type Finding, findingAt, type SourceDocument } from './finding.ts';
import type { Organization } from './organization-schema.ts';
import { isBedrockModelId } from './scalars.ts';

/** The stage setting `bedrock`: models and inference profiles by region. */
export type BedrockModels = readonly { readonly region: string; readonly models: readonly string[] }[];

/** What a stage lets its role call. */
export interface BedrockBounds {
  readonly stage: string;
  readonly allowed: BedrockModels;
}

/** Where a neuron names a provider together with a model. */
const CALLS = [
  ['flow', '**', 'callModel'],
  ['flow', '**', 'callModel', 'fallbacks', '*'],
  ['caching', 'semantic', 'embedding'],
] as const;

interface NamedModel {
  readonly path: Finding['path'];
  readonly region: string;
  readonly model: string;
}

/** A refusal for each model that is not allowed, with the line of the stage settings that would allow all of them. */
export function judgeBedrock(
  source: SourceDocument,
  { providers }: Organization,
  { stage, allowed }: BedrockBounds,
): Finding[] {
  const named = CALLS.flatMap((at) =>
    findPaths(source.value, at).flatMap(({ path, value }) => toNamedModel(path, value, providers)),
  );
  const refused = named.filter(({ region, model }) => !mayCall(allowed, region, model));
  const line = renderSetting(
    refused.filter(({ model }) => isBedrockModelId(model)),
    allowed,
  );
  return refused.map(({ path, region, model }) =>
    findingAt(
      source,
      path,
      isBedrockModelId(model)
        ? `may not be called in ${region} by this stage: have \`${line}\` in lib/stages/${stage}.ts, and deploy`
        : 'must be the id of a foundation model or of an inference profile of AWS, such as us.amazon.nova-lite-v1:0',
    ),
  );
}

function toNamedModel(
  path: Finding['path'],
  value: unknown,
  providers: Organization['providers'],
): NamedModel[] {
  if (typeof value !== 'object' || value === null) return [];
  const { provider: name, model } = value as { readonly provider?: unknown; readonly model?: unknown };
  if (typeof name !== 'string' || typeof model !== 'string' || !Object.hasOwn(providers, name)) return [];
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
    ...missing,
  ];
  for (const { region, model } of pairs) models.set(region, (models.get(region) ?? new Set()).add(model));
  const entries = [...models].map(
    ([region, ids]) => `{ region: '${region}', models: [${[...ids].map((id) => `'${id}'`).join(', ')}] }`,
  );
  return `bedrock: [${entries.join(', ')}],`;
}
