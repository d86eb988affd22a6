// Makes the settings of an organization out of a configuration of LiteLLM: its providers, prices and limits, and a neuron for each model name.
import { findPrice } from '../../core/pricing/cost.ts';
import { type OrganizationDocument, organizationSchema } from '../../core/settings/organization-schema.ts';
import type { Deployment, LiteLlmConfig } from './config.ts';
import { findUntaken } from './members.ts';
import { type ModelGroup, type Target, toNeuron, toSlugs } from './models.ts';
import { type KeyNames, nameProvider, type ProviderDocument, toEndpoint } from './providers.ts';
import type { ImportedSettings, ImportNote, Note } from './write-imported.ts';

const WILDCARD = 'a name with *: pass the names that callers send, such as --models gpt-4.1,gpt-4.1-mini';

/** Kinds of models that a neuron can be made of; LiteLLM's default is `chat`. */
const MODES = ['chat', 'completion', 'responses', 'embedding'];

/** `models`: names that callers send, for those with `*`. */
export function toSettings(
  config: LiteLlmConfig,
  organization: string,
  models: readonly string[] = [],
): ImportedSettings {
  const notes: ImportNote[] = [];
  const note: Note = (path, text) => void notes.push({ path, text });
  const { groups, providers, secrets } = placeDeployments(expandWildcards(config.model_list, models), note);
  const slugs = toSlugs([...groups.keys()]);
  const aliases = aliasesOf(config, groups, note);
  const neurons = [...groups.values()].map((group) =>
    toNeuron(group, {
      organization,
      config,
      groups,
      note,
      slug: slugs.get(group.name) ?? '',
      names: [group.name, ...(aliases.get(group.name) ?? [])],
    }),
  );
  const prices = pricesOf(groups);
  const usageLimits = budgetOf(config, note);
  const document = {
    organization,
    providers: Object.fromEntries(providers),
    ...(Object.keys(prices).length === 0 ? {} : { prices }),
    ...(usageLimits.length === 0 ? {} : { usageLimits }),
  } satisfies OrganizationDocument;
  if (usageLimits.length > 0) noteUnpriced(groups, document, note);
  for (const [path, text] of findUntaken(config)) note(path, text);
  return { organization: document, neurons, secrets, notes };
}

function placeDeployments(deployments: readonly Deployment[], note: Note) {
  const providers = new Map<string, ProviderDocument>();
  const secrets = new Map<string, string>();
  const keys: KeyNames = new Map();
  const groups = new Map<string, { name: string; placed: Target[] }>();
  for (const deployment of deployments) {
    const { model_name: name, litellm_params: params, model_info: info } = deployment;
    const path = `model_list: ${name}`;
    const endpoint = toEndpoint(params, keys);
    if (info?.mode && !MODES.includes(info.mode)) note(path, `${info.mode}: there is no such route here`);
    else if (`${name}${params.model}`.includes('*')) note(path, WILDCARD);
    else if ('missing' in endpoint) note(`${path} (${params.model})`, endpoint.missing);
    else {
      const provider = nameProvider(endpoint.vendor, endpoint.provider, providers);
      if (endpoint.secret !== undefined) secrets.set(endpoint.secret.name, endpoint.secret.from);
      const group = groups.get(name) ?? { name, placed: [] };
      groups.set(name, group);
      group.placed.push({ deployment, provider, endpoint });
    }
  }
  return { groups: groups as ReadonlyMap<string, ModelGroup>, providers, secrets };
}

/** A deployment for each name that callers send and that no whole name takes: `anthropic/*` for `anthropic/claude-haiku-4-5`. */
function expandWildcards(deployments: readonly Deployment[], models: readonly string[]): Deployment[] {
  const patterns = deployments.map(({ model_name: name }) => name);
  // As LiteLLM chooses: a whole name, else the longest pattern.
  const byLength = patterns.toSorted((a, b) => b.length - a.length);
  const choose = (name: string) =>
    patterns.includes(name) ? name : byLength.find((pattern) => matches(name, pattern));
  return deployments.flatMap((deployment) => {
    const { model_name: pattern, litellm_params: params } = deployment;
    const sent = pattern.includes('*') ? models.filter((name) => choose(name) === pattern) : [];
    if (sent.length === 0) return [deployment];
    return sent.map((name) => {
      const [before = '', after = ''] = pattern.split('*');
      const rest = name.slice(before.length, name.length - after.length);
      const model = params.model.replace('*', () => rest);
      return { ...deployment, model_name: name, litellm_params: { ...params, model } };
    });
  });
}

/** Other names of a model: `model_group_alias: { gpt-4: gpt-4o }` or `{ model: gpt-4o, hidden: true }`. */
function aliasesOf(
  { router_settings: router }: LiteLlmConfig,
  groups: ReadonlyMap<string, ModelGroup>,
  note: Note,
): ReadonlyMap<string, readonly string[]> {
  const aliases = new Map<string, string[]>();
  for (const [alias, target] of Object.entries(router?.model_group_alias ?? {})) {
    const named =
      typeof target === 'string' ? target : (target as { readonly model?: unknown } | null)?.model;
    const name = String(named);
    if (groups.has(name) && !groups.has(alias)) aliases.set(name, [...(aliases.get(name) ?? []), alias]);
    else
      note(
        `router_settings.model_group_alias.${alias}`,
        `${name} is no model of this file, or the alias is one itself`,
      );
  }
  return aliases;
}

function matches(name: string, pattern: string): boolean {
  const [before = '', after] = pattern.split('*');
  if (after === undefined || name.length < pattern.length - 1) return false;
  return name.startsWith(before) && name.endsWith(after);
}

/** Dollars per million tokens, from dollars per token. */
function pricesOf(groups: ReadonlyMap<string, ModelGroup>): NonNullable<OrganizationDocument['prices']> {
  const prices: NonNullable<OrganizationDocument['prices']> = {};
  for (const { placed } of groups.values()) {
    for (const { deployment, provider, endpoint } of placed) {
      const { litellm_params: params, model_info: info } = deployment;
      const costs = { ...info, ...params };
      const [input, output] = [costs.input_cost_per_token, costs.output_cost_per_token ?? 0];
      if (input == null) continue;
      const more = {
        cachedInput: costs.cache_read_input_token_cost,
        cacheWrite: costs.cache_creation_input_token_cost,
        reasoning: costs.output_cost_per_reasoning_token,
      };
      const known = Object.entries(more).flatMap(([name, cost]) =>
        cost == null ? [] : [[name, perMillion(cost)]],
      );
      prices[`${provider}/${endpoint.model}`] = {
        input: perMillion(input),
        output: perMillion(output),
        ...(Object.fromEntries(known) as object),
      };
    }
  }
  return prices;
}

/** A limit of cost needs the price of every model, and LiteLLM brings prices that its file does not have. */
function noteUnpriced(
  groups: ReadonlyMap<string, ModelGroup>,
  document: OrganizationDocument,
  note: Note,
): void {
  const parsed = organizationSchema.safeParse(document);
  // An invalid member is left out later, with its reason.
  if (!parsed.success) return;
  const placed = [...groups.values()].flatMap((group) => group.placed);
  const unpriced = placed
    .filter(({ provider, endpoint }) => findPrice(parsed.data, provider, endpoint.model) === undefined)
    .map(({ provider, endpoint }) => `${provider}/${endpoint.model}`);
  for (const model of new Set(unpriced))
    note(
      `prices: ${model}`,
      'the file has no price for it, and the budget needs one: add it to `prices`, or `apply` refuses the budget',
    );
}

function perMillion(dollarsPerToken: number): number {
  return Math.round(dollarsPerToken * 1e12) / 1e6;
}

function budgetOf({ litellm_settings: settings }: LiteLlmConfig, note: Note) {
  const { max_budget: budget, budget_duration: duration } = settings ?? {};
  if (budget == null) return [];
  const period = /^(?:1d|24h|86400s)$/.test(duration ?? '') ? ('day' as const) : ('month' as const);
  if (period === 'month' && !/^(?:30d|1mo)$/.test(duration ?? ''))
    note(
      'litellm_settings.budget_duration',
      `${duration ?? 'none'}: limits are for a day or a month here, so the budget became one of a month`,
    );
  return [{ metric: 'cost' as const, limit: budget, period }];
}
