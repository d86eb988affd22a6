// Finds the neuron that a call of an organization's URL names in its body, as its own URL would have it.
//
// A name that is refused and one that nobody has end alike, after the same reads in the same order: the names from the store, then
// the settings behind them from the store. `end/level-time.ts` levels the rest of their time. A name that was found for this key a
// moment ago is used first, and asks no store.
import { type ProvenKeyContext, toAllowed } from '../../../adapters/apigateway/authorizer-context.ts';
import type { ExecutionRequest } from '../../../adapters/apigateway/proxy-event.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';
import { MAX_UNKNOWN_NAMES } from '../../../core/settings/names/found-neurons.ts';
import {
  type ChosenName,
  listedNamesFor,
  matchesName,
  parseChosenName,
  slugInName,
} from '../../../core/settings/names/model-names.ts';
import { type KnownSettings, LATEST } from '../../../core/settings/settings-cache.ts';
import type { UsableSettings } from '../../../core/settings/usable-settings.ts';
import { readModel } from '../../../core/surfaces/parse.ts';
import type { ExecutionPorts, Run } from '../run.ts';
import { decideOn, type KeyAdmission, type KeyFacts, readKeyFacts } from './key-access.ts';
import { toSubject } from './settings.ts';

export type FindPorts = Pick<ExecutionPorts, 'settings' | 'modelNames' | 'foundNeurons' | 'unknownNames'>;

/** No neuron has it: it is no slug. Its settings are read for a name that nobody has. */
const NO_SLUG = '-';

const UNKNOWN =
  'The model does not exist, or this API key may not call it. GET the models of this base URL for those that it may call.';

/** A call whose key was proven, and the name that it asks for. */
interface Search {
  readonly request: ExecutionRequest;
  readonly proven: ProvenKeyContext;
  readonly facts: KeyFacts;
  readonly chosen: ChosenName;
}

/** A neuron that the key may call. */
interface FoundNeuron {
  readonly slug: string;
  readonly settings: UsableSettings;
  readonly decision: KeyAdmission;
}

/**
 * Makes the request of a run one of the neuron that it names. Does nothing on a neuron's own URL and for a caller without a live key. 404
 * `model_not_found` for every name that its key may not call, with the first such neuron as the subject of the log; 400 for a body without a
 * `model`; 429 `rate_limited` for a key that sent too many such names in a minute; 503 `dependency_unavailable`.
 */
export async function findNeuron(run: Run, ports: FindPorts): Promise<void> {
  const { request } = run;
  const { ofOrganization, authorizerContext: proven } = request;
  if (ofOrganization === undefined || proven?.outcome !== 'key') return;
  run.provenKeyId = proven.keyId;
  const model = request.models?.id ?? readModel(request.unparsed);
  const chosen = parseChosenName(model);
  // A version is no model of a list.
  const isListed = request.models !== undefined && chosen?.revision !== undefined;
  if (chosen === undefined || isListed) throw notFound('no neuron can have this name');
  const search = { request, proven, chosen, facts: readKeyFacts(ofOrganization) };
  const found = (await findAgain(search, ports)) ?? (await findAnew(run, search, ports));
  ports.foundNeurons.put(toAsked(search), found.slug);
  run.request = toOwnRequest(search, model, found);
}

/** The neuron that the key reached by this name a moment ago, if it still may. */
async function findAgain(search: Search, ports: FindPorts): Promise<FoundNeuron | undefined> {
  const slug = ports.foundNeurons.get(toAsked(search));
  if (slug === undefined) return undefined;
  return reach(slug, await readSettings(search, slug, ports), search);
}

async function findAnew(run: Run, search: Search, ports: FindPorts): Promise<FoundNeuron> {
  const { request, proven } = search;
  const retryAfterMs = ports.unknownNames.retryAfterMs(proven.keyId, request.timeMs);
  if (retryAfterMs > 0) {
    const reason = `the key sent more than ${MAX_UNKNOWN_NAMES} names of no neuron in a minute`;
    throw new ServiceError('rate_limited', { retryAfterMs, reason });
  }
  const slugs = await findSlugs(search, ports);
  const candidates = slugs.length === 0 ? [NO_SLUG] : slugs;
  const known = await Promise.all(candidates.map((slug) => readSettings(search, slug, ports, LATEST)));
  let reason: string | undefined;
  for (const [index, slug] of candidates.entries()) {
    const settings = known[index];
    const found = await reach(slug, settings, search, (refusal) => {
      run.subject ??= toSubject({ ...search.request, neuron: slug }, settings);
      reason ??= refusal;
    });
    if (found !== undefined) return found;
  }
  ports.unknownNames.add(proven.keyId, request.timeMs, 1);
  throw notFound(reason ?? 'no neuron has this name');
}

/** The neurons that the name may mean: by its slug first, then by the name itself, then by each wildcard, longest first. */
async function findSlugs(
  search: Search,
  { modelNames, foundNeurons }: FindPorts,
): Promise<readonly string[]> {
  const { organization, organizationId } = search.proven;
  const { name } = search.chosen;
  const listed = await modelNames.find(organization, listedNamesFor(name)).catch((cause: unknown) => {
    // For as long as settings are: a name that was found before.
    const neuron = foundNeurons.get(toAsked(search), true);
    if (neuron === undefined) throw unavailable(cause);
    return [{ neuron, organizationId }];
  });
  const slugs = listed.filter((one) => one.organizationId === organizationId).map(({ neuron }) => neuron);
  return [...new Set([slugInName(name, organization) ?? [], slugs].flat())];
}

async function readSettings(
  { proven }: Search,
  slug: string,
  { settings }: FindPorts,
  atLeast?: typeof LATEST,
): Promise<KnownSettings> {
  try {
    return await settings.read(proven.organization, slug, atLeast);
  } catch (cause) {
    throw unavailable(cause);
  }
}

/** Undefined where the name is not the neuron's, or the neuron's own URL would refuse the request. */
async function reach(
  slug: string,
  known: KnownSettings | undefined,
  { request, proven, chosen, facts }: Search,
  onRejection: (reason: string) => void = () => {},
): Promise<FoundNeuron | undefined> {
  if (known === undefined || !known.verdict.usable) return undefined;
  const { settings } = known.verdict;
  const { organizationId, neuronId, neuron } = settings;
  const isNamed =
    slugInName(chosen.name, proven.organization) === slug ||
    neuron.models?.some((listed) => matchesName(listed, chosen.name)) === true;
  if (!isNamed || organizationId !== proven.organizationId) return undefined;
  // A tool has one name, and a neuron is one where its settings say so.
  if (request.surface === 'mcp' && (neuron.mcp === undefined || chosen.name !== slug)) return undefined;
  const decision = await decideOn({ organizationId, neuronId, slug, access: neuron.access }, facts, proven);
  if (decision.outcome === 'allow') return { slug, settings, decision };
  onRejection(decision.reason);
  return undefined;
}

/** The request as it would have come to the neuron's own URL. */
function toOwnRequest(
  { request, proven, chosen }: Search,
  model: string,
  { slug, settings, decision }: FoundNeuron,
): ExecutionRequest {
  return {
    ...request,
    neuron: slug,
    revision: chosen.revision,
    chosen: { model, name: chosen.name },
    authorizerContext: toAllowed(
      { organization: proven.organization, neuron: slug },
      decision,
      settings.version,
    ),
  };
}

function toAsked({ proven: { keyId, organizationId }, chosen: { name } }: Search) {
  return { keyId, organizationId, name };
}

function notFound(reason: string): ServiceError {
  return new ServiceError('model_not_found', { detail: UNKNOWN, reason });
}

function unavailable(cause: unknown): ServiceError {
  return new ServiceError('dependency_unavailable', { reason: 'the settings could not be read', cause });
}
