// Makes the settings of an organization out of configurations of Portkey's gateway: a neuron for each, or one for each target of conditions.
import { isDeepStrictEqual } from 'node:util';
import { toCallMembers } from '../call-members.ts';
import { MAX_RETRIES, MAX_TIMEOUT_S, toSlugs } from '../models.ts';
import { nameProvider, type ProviderDocument } from '../providers.ts';
import type { ImportedSettings, ImportNote, Note } from '../write-imported.ts';
import type { Call, NamedConfig } from './config.ts';
import { endpointOf } from './endpoint.ts';
import { findUntaken } from './members.ts';
import { inherit, planOf } from './plan.ts';

interface Import {
  readonly organization: string;
  /** Names that callers send, for configurations that leave the model to them. */
  readonly models: readonly string[];
  readonly providers: Map<string, ProviderDocument>;
  readonly secrets: Map<string, string>;
  /** Names of secrets, by key. */
  readonly keys: Map<string, string>;
  /** Names of models that a neuron has already. */
  readonly taken: Set<string>;
}

const CHOSEN = '{{model}}';

export function toSettings(
  configs: readonly NamedConfig[],
  organization: string,
  models: readonly string[] = [],
): ImportedSettings {
  const notes: ImportNote[] = [];
  const noteFor =
    (name: string): Note =>
    (path, text) =>
      void notes.push({ path: `${name}: ${path}`, text });
  const maps = { providers: new Map<string, ProviderDocument>(), secrets: new Map<string, string>() };
  const state: Import = { organization, models, ...maps, keys: new Map(), taken: new Set() };
  const split = numbered(configs.flatMap((named) => splitConditions(named, noteFor(named.name))));
  const slugs = toSlugs(split.map(({ name }) => name));
  const neurons = split.flatMap((named) => {
    const neuron = toNeuron(named, slugs.get(named.name) ?? '', state, noteFor(named.name));
    return neuron === undefined ? [] : [neuron];
  });
  for (const { name, config } of configs)
    for (const [path, text] of findUntaken(config)) noteFor(name)(path, text);
  const { providers, secrets } = state;
  return {
    organization: { organization, providers: Object.fromEntries(providers) },
    neurons,
    secrets,
    notes,
  };
}

/** A second configuration of the same name gets a number. */
function numbered(configs: readonly NamedConfig[]): NamedConfig[] {
  const counts = new Map<string, number>();
  return configs.map(({ name, ...rest }) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return { ...rest, name: count === 1 ? name : `${name} ${count}` };
  });
}

/** Undefined where nothing of a configuration can be called; the notes say why. */
function toNeuron(
  { config, name, models }: NamedConfig,
  slug: string,
  state: Import,
  note: Note,
): Record<string, unknown> | undefined {
  const { weighted, fallbacks } = planOf(config, note);
  const place = (call: Call) => placeCall(call, state, note);
  const targets = weighted.flatMap(({ leaf, weight }) => {
    const reference = place(leaf);
    return reference === undefined ? [] : [{ ...reference, weight }];
  });
  const others = fallbacks.flatMap((leaf) => place(leaf) ?? []);
  const calls = [...targets, ...others];
  if (calls.length === 0)
    return void note(`the neuron ${slug}`, 'none of its targets can be called: left out');
  const isOpen = calls.some(({ model }) => model === CHOSEN);
  const wanted = models ?? (isOpen ? state.models : calls.slice(0, 1).map(({ model }) => model));
  const names = wanted.filter((one) => !state.taken.has(one));
  for (const one of names) state.taken.add(one);
  if (isOpen && names.length === 0) {
    const why =
      state.models.length === 0 ? 'the file does not name the model' : 'another neuron has its models';
    const remedy = 'import it alone with --models and the names that its callers send';
    return void note(`the neuron ${slug}`, `${why}: left out; ${remedy}`);
  }
  const [first] = weighted;
  const all = [...weighted.map(({ leaf }) => leaf), ...fallbacks];
  if (all.some((leaf) => !hasEqualParameters(leaf, first?.leaf)))
    note('override_params', 'a step has one set of parameters: those of the first target were taken');
  const step = { ...toCallMembers(targets, others, note), ...parametersOf(first?.leaf, note) };
  return {
    neuron: `${state.organization}/${slug}`,
    ...(name === slug ? {} : { name: name.slice(0, 100) }),
    ...(names.length === 0 ? {} : { models: names }),
    access: { apiKey: true },
    maxInputBytes: 1_000_000,
    ...cachingOf(first?.leaf, note),
    flow: [{ callModel: step }],
  };
}

function hasEqualParameters(one: Call, other: Call | undefined): boolean {
  const [a, b] = [one, other].map((call) => ({ ...call?.override_params, model: undefined }));
  return isDeepStrictEqual(a, b);
}

function placeCall(call: Call, { providers, secrets, keys }: Import, note: Note) {
  const endpoint = endpointOf(call, keys, note);
  if (endpoint === undefined) return undefined;
  if (endpoint.secret !== undefined) secrets.set(endpoint.secret.name, endpoint.secret.from);
  return {
    provider: nameProvider(endpoint.vendor, endpoint.provider, providers),
    model: endpoint.model === '' ? CHOSEN : endpoint.model,
    type: endpoint.provider.type,
  };
}

/** A configuration without conditions as it is; else one for each target, with the models that its condition asks for. */
function splitConditions(named: NamedConfig, note: Note): NamedConfig[] {
  const { strategy, targets, ...around } = named.config;
  if (strategy?.mode !== 'conditional') return [named];
  const conditions = strategy.conditions ?? [];
  return (targets ?? []).map((target, index) => {
    const own = target.name ?? `${index + 1}`;
    const asked = conditions.filter((one) => one['then'] === own).map((one) => one['query']);
    const models = asked.flatMap(modelsIn);
    const name = `${named.name} ${own}`;
    if (asked.some((query) => modelsIn(query).length === 0))
      note(
        `strategy.conditions: ${own}`,
        `nothing looks at such a condition: callers choose the neuron of ${name}`,
      );
    return { name, config: inherit(around, target), ...(models.length === 0 ? {} : { models }) };
  });
}

/** `{ 'params.model': { $eq: 'gpt-4o' } }` and `$in`; none for conditions on anything else. */
function modelsIn(query: unknown): string[] {
  const entries = typeof query === 'object' && query !== null ? Object.entries(query) : [];
  const [only, ...others] = entries as readonly (readonly [string, unknown])[];
  if (only === undefined || others.length > 0 || only[0] !== 'params.model') return [];
  const value = (typeof only[1] === 'object' && only[1] !== null ? only[1] : { $eq: only[1] }) as Readonly<
    Record<string, unknown>
  >;
  const listed = '$eq' in value ? [value['$eq']] : value['$in'];
  return Array.isArray(listed) ? listed.filter((one): one is string => typeof one === 'string') : [];
}

const PARAMETERS: Readonly<Record<string, string>> = {
  temperature: 'temperature',
  top_p: 'topP',
  seed: 'seed',
  max_tokens: 'maxTokens',
  max_completion_tokens: 'maxTokens',
  stop: 'stopSequences',
  reasoning_effort: 'reasoningEffort',
};

/** Members of the step, as the first target has them. */
function parametersOf(call: Call | undefined, note: Note): Record<string, unknown> {
  const step: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(call?.override_params ?? {})) {
    const member = PARAMETERS[name];
    if (member !== undefined) step[member] = name === 'stop' && typeof value === 'string' ? [value] : value;
    else if (name !== 'model') note(`override_params.${name}`, 'a step has no such member: callers send it');
  }
  const { retry, request_timeout: milliseconds } = call ?? {};
  if (retry?.attempts) step['retries'] = Math.min(MAX_RETRIES, Math.max(0, Math.round(retry.attempts)));
  if (milliseconds) {
    const seconds = Math.max(1, Math.round(milliseconds / 1000));
    if (seconds > MAX_TIMEOUT_S) note('request_timeout', `a call has at most ${MAX_TIMEOUT_S} s here`);
    step['timeout'] = `${Math.min(MAX_TIMEOUT_S, seconds)}s`;
  }
  return step;
}

function cachingOf(call: Call | undefined, note: Note): Record<string, unknown> {
  const { mode, max_age: seconds } = call?.cache ?? {};
  if (!mode) return {};
  if (mode === 'semantic')
    note(
      'cache.mode',
      'semantic: `caching.semantic` needs a model of embeddings (docs/caching.md); caching is exact',
    );
  const ttl = seconds ? { ttl: `${Math.max(1, Math.round(seconds))}s` } : {};
  return { caching: { exact: true, ...ttl } };
}
