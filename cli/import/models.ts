// Turns LiteLLM's list of models into neurons: one for each name, which keeps the name.
import { isSlug } from '../../core/contract/slugs.ts';
import { type Reference, toCallMembers, type WeightedReference } from './call-members.ts';
import type { Deployment, LiteLlmConfig } from './config.ts';
import type { Endpoint } from './providers.ts';
import type { Note } from './write-imported.ts';

/** A deployment with its provider's name in the organization. */
export interface Target {
  readonly deployment: Deployment;
  readonly provider: string;
  readonly endpoint: Endpoint;
}

/** The deployments of one model name. */
export interface ModelGroup {
  readonly name: string;
  readonly placed: readonly Target[];
}

/** A step that embeds has no more. */
const MAX_FALLBACKS = 5;
export const MAX_RETRIES = 5;
export const MAX_TIMEOUT_S = 240;

/** Slugs for names: `gpt-4.1-mini` is `gpt-4-1-mini`. A second name of the same slug gets a number. */
export function toSlugs(names: readonly string[]): ReadonlyMap<string, string> {
  const slugs = new Map<string, string>();
  for (const name of names) {
    const plain = name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .slice(0, 55)
      .replaceAll(/^-+|-+$/g, '');
    const base = isSlug(plain) ? plain : plain === '' ? 'any' : `model-${plain}`;
    const taken = new Set(slugs.values());
    let slug = base;
    for (let count = 2; taken.has(slug); count += 1) slug = `${base}-${count}`;
    slugs.set(name, slug);
  }
  return slugs;
}

/** The document of a neuron. `names`: those under which callers find it. */
export function toNeuron(
  group: ModelGroup,
  { organization, slug, names, config, groups, note }: NeuronInput,
): Record<string, unknown> {
  const path = `model_list: ${group.name}`;
  const isEmbedding = group.placed.some(({ deployment }) => deployment.model_info?.mode === 'embedding');
  const step = isEmbedding
    ? { embed: toEmbed(group, path, note) }
    : { callModel: toCall(group, config, groups, path, note) };
  const ttl = config.litellm_settings?.cache_params?.ttl;
  const isCached = config.litellm_settings?.cache === true;
  return {
    neuron: `${organization}/${slug}`,
    models: names,
    access: { apiKey: true },
    maxInputBytes: 1_000_000,
    ...(toRateLimits(group).length === 0 ? {} : { rateLimits: toRateLimits(group) }),
    ...(isCached
      ? { caching: { exact: true, ...(ttl ? { ttl: `${Math.max(1, Math.round(ttl))}s` } : {}) } }
      : {}),
    flow: [step],
  };
}

export interface NeuronInput {
  readonly organization: string;
  readonly slug: string;
  readonly names: readonly string[];
  readonly config: LiteLlmConfig;
  readonly groups: ReadonlyMap<string, ModelGroup>;
  readonly note: Note;
}

function toCall(
  group: ModelGroup,
  config: LiteLlmConfig,
  groups: ReadonlyMap<string, ModelGroup>,
  path: string,
  note: Note,
): Record<string, unknown> {
  const { litellm_settings: settings, router_settings: router } = config;
  const params = group.placed[0]?.deployment.litellm_params;
  const retries = params?.num_retries ?? params?.max_retries ?? router?.num_retries ?? settings?.num_retries;
  const seconds = params?.timeout ?? router?.timeout ?? settings?.request_timeout;
  if (seconds && seconds > MAX_TIMEOUT_S)
    note(path, `a timeout of ${seconds} s: a call has at most ${MAX_TIMEOUT_S} s here`);
  const stop = typeof params?.stop === 'string' ? [params.stop] : params?.stop;
  const fallbacks = fallbacksOf(group, config, groups, path, note);
  return {
    ...toCallMembers(toTargets(group), fallbacks, (_, text) => note(path, text)),
    ...drop({
      temperature: params?.temperature,
      topP: params?.top_p,
      seed: params?.seed,
      maxTokens: params?.max_completion_tokens ?? params?.max_tokens,
      stopSequences: stop,
      reasoningEffort: params?.reasoning_effort,
      retries: retries == null ? undefined : Math.min(MAX_RETRIES, retries),
      timeout: seconds == null ? undefined : `${Math.min(MAX_TIMEOUT_S, Math.max(1, Math.round(seconds)))}s`,
    }),
  };
}

/** Deployments without a weight count as one of weight 1. */
function toTargets({ placed }: ModelGroup): WeightedReference[] {
  return placed.map((one) => ({
    ...toReference(one),
    weight: Math.max(0, one.deployment.litellm_params.weight ?? 1),
  }));
}

function toReference({ provider, endpoint }: Target): Reference {
  return { provider, model: endpoint.model, type: endpoint.provider.type };
}

function toEmbed(group: ModelGroup, path: string, note: Note): Record<string, unknown> {
  const [first, ...others] = group.placed;
  if (others.length > 0)
    note(path, 'several deployments of embeddings: the first one is called, the others are its fallbacks');
  const dimensions = first?.deployment.litellm_params.dimensions;
  return {
    provider: first?.provider,
    model: first?.endpoint.model,
    ...drop({ dimensions }),
    ...(others.length === 0
      ? {}
      : {
          fallbacks: others
            .slice(0, MAX_FALLBACKS)
            .map(({ provider, endpoint }) => ({ provider, model: endpoint.model })),
        }),
  };
}

function fallbacksOf(
  { name }: ModelGroup,
  { litellm_settings: settings, router_settings: router }: LiteLlmConfig,
  groups: ReadonlyMap<string, ModelGroup>,
  path: string,
  note: Note,
): Reference[] {
  const listed = [...(router?.fallbacks ?? []), ...(settings?.fallbacks ?? [])].flatMap(
    (one) => one[name] ?? [],
  );
  const wanted =
    listed.length > 0 ? listed : (settings?.default_fallbacks ?? router?.default_fallbacks ?? []);
  return wanted.flatMap((one) => {
    const other = typeof one === 'string' ? groups.get(one) : undefined;
    if (one === name) return [];
    const [placed] = other?.placed ?? [];
    if (placed === undefined) {
      note(
        path,
        `the fallback ${typeof one === 'string' ? one : JSON.stringify(one)} is no model of this file`,
      );
      return [];
    }
    return [toReference(placed)];
  });
}

/** Limits of deployments are those of their vendor: together they are what the neuron can pass on. */
function toRateLimits({ placed }: ModelGroup): Record<string, unknown>[] {
  const sumOf = (member: 'rpm' | 'tpm') =>
    placed.reduce(
      (sum, { deployment }) => sum + (deployment.litellm_params[member] ?? deployment[member] ?? Number.NaN),
      0,
    );
  const limits = [
    { metric: 'requests', limit: sumOf('rpm') },
    { metric: 'tokens', limit: sumOf('tpm') },
  ];
  return limits
    .filter(({ limit }) => Number.isFinite(limit) && limit >= 1)
    .map(({ metric, limit }) => ({ metric, scope: 'total', limit: Math.floor(limit), period: '1m' }));
}

function drop(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null),
  );
}
