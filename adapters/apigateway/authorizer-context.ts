// The authorizer context that the execution function gets: written here, read here, ASCII only.
import type { APIGatewayAuthorizerResultContext } from 'aws-lambda';
import type { Decision } from '../../core/access/decision.ts';
import type { ErrorCode } from '../../core/contract/error-codes.ts';
import type { Authentication } from '../../core/contract/log-entry.ts';
import { renderSettingsVersion, type SettingsVersion } from '../../core/settings/usable-settings.ts';
import { storedUsageLimitSchema, type UsageLimit } from '../../core/settings/usage-limits.ts';

/** Codes of denials that the execution function answers; `unauthorized` on OpenAI's routes only, elsewhere API Gateway answers it. */
const DENIAL_CODES = [
  'unauthorized',
  'referer_not_allowed',
  'ip_not_allowed',
  'access_closed',
] as const satisfies ErrorCode[];

/** A code with which the authorizer denies a caller. */
export type DenialCode = (typeof DENIAL_CODES)[number];

/** The admission of a request, or why the execution function must reject it with its own code. */
export type AuthorizerContext =
  | {
      readonly outcome: 'allow';
      readonly organization: string;
      readonly neuron: string;
      readonly organizationId: string;
      readonly neuronId: string;
      readonly authentication: Authentication;
      readonly keyId: string | undefined;
      /** Absent where the key has no limits of its own. */
      readonly keyLimits?: readonly UsageLimit[] | undefined;
      readonly username: string | undefined;
      /** Write numbers of the settings that the decision was made with. */
      readonly settingsVersion: string;
    }
  /** A live key of the organization whose URL was called. It admits to no neuron by itself. */
  | ProvenKeyContext
  /** Access control denied the caller, and the authorizer has put the log entry. */
  | { readonly outcome: 'denied'; readonly code: DenialCode }
  | {
      readonly outcome: 'not_found' | 'configuration' | 'unavailable';
      /** For the log: constant text, in ASCII. */
      readonly reason?: string | undefined;
    };

/** The facts about a key that was proven for an organization; the rest of it decides on nothing. */
export interface ProvenKeyContext {
  readonly outcome: 'key';
  readonly organization: string;
  readonly organizationId: string;
  readonly keyId: string;
  /** Absent where the key has no limits of its own. */
  readonly keyLimits?: readonly UsageLimit[] | undefined;
  /** Ids of the neurons that it is for; absent for a key of all. */
  readonly neuronIds?: readonly string[] | undefined;
}

/** API Gateway takes 8 KB from an authorizer (apigateway/latest/developerguide/limits.html); an id has 24 characters. */
const MAX_NEURON_IDS = 250;

const AUTHENTICATIONS: readonly string[] = [
  'public',
  'referer',
  'ip',
  'apiKey',
  'jwt',
] satisfies Authentication[];

/** The admission to a neuron, named by its address, with the settings that the decision was made with. */
export function toAllowed(
  { organization, neuron }: { readonly organization: string; readonly neuron: string },
  decision: Extract<Decision, { outcome: 'allow' }>,
  version: SettingsVersion,
): Extract<AuthorizerContext, { outcome: 'allow' }> {
  const { authentication, organizationId, neuronId, keyId, keyLimits, username } = decision;
  return {
    outcome: 'allow',
    organization,
    neuron,
    organizationId,
    neuronId,
    authentication,
    keyId,
    keyLimits,
    username,
    settingsVersion: renderSettingsVersion(version),
  };
}

/** The context of an Allow policy. The username is base64url, since context values must be ASCII. */
export function renderContext(authorizerContext: AuthorizerContext): APIGatewayAuthorizerResultContext {
  if (authorizerContext.outcome === 'denied') return { outcome: 'denied', code: authorizerContext.code };
  if (authorizerContext.outcome === 'key') return renderProvenKey(authorizerContext);
  if (authorizerContext.outcome !== 'allow') {
    const { outcome, reason } = authorizerContext;
    return { outcome, ...(reason === undefined ? {} : { reason }) };
  }
  const { keyId, keyLimits = [], username, ...rest } = authorizerContext;
  return {
    ...rest,
    ...(keyId === undefined ? {} : { keyId }),
    ...(keyLimits.length === 0 ? {} : { keyLimits: renderKeyLimits(keyLimits) }),
    ...(username === undefined ? {} : { username: Buffer.from(username).toString('base64url') }),
  };
}

/** A list that is too long for a context is a `configuration` error: a part of it would admit to less than the operator allows. */
function renderProvenKey({
  keyLimits = [],
  neuronIds,
  ...rest
}: ProvenKeyContext): APIGatewayAuthorizerResultContext {
  if ((neuronIds?.length ?? 0) > MAX_NEURON_IDS) {
    const reason = `the API key names more than ${MAX_NEURON_IDS} neurons, which the URL of an organization cannot take`;
    return { outcome: 'configuration', reason };
  }
  return {
    ...rest,
    ...(keyLimits.length === 0 ? {} : { keyLimits: renderKeyLimits(keyLimits) }),
    // A list without an id admits to no neuron, and must not be read as a key of all.
    ...(neuronIds === undefined ? {} : { neuronIds: `,${neuronIds.join(',')}` }),
  };
}

/** Undefined, which admits nobody, when it is not whole. */
function parseProvenKey(context: Readonly<Record<string, unknown>>): ProvenKeyContext | undefined {
  const organization = text(context, 'organization');
  const organizationId = text(context, 'organizationId');
  const keyId = text(context, 'keyId');
  const keyLimits = parseKeyLimits(text(context, 'keyLimits'));
  if (!organization || !organizationId || !keyId || keyLimits === 'malformed') return undefined;
  const neuronIds = text(context, 'neuronIds')?.split(',').slice(1);
  return { outcome: 'key', organization, organizationId, keyId, keyLimits, neuronIds };
}

/** Reads the context back; undefined, which admits nobody, when it is not whole. */
export function parseContext(
  context: Readonly<Record<string, unknown>> | null | undefined,
): AuthorizerContext | undefined {
  const outcome = context?.['outcome'];
  if (context === null || context === undefined) return undefined;
  if (outcome === 'not_found' || outcome === 'configuration' || outcome === 'unavailable') {
    return { outcome, reason: text(context, 'reason') };
  }
  if (outcome === 'denied') {
    const code = DENIAL_CODES.find((one) => one === context['code']);
    return code === undefined ? undefined : { outcome, code };
  }
  if (outcome === 'key') return parseProvenKey(context);
  if (outcome !== 'allow') return undefined;
  const authentication = text(context, 'authentication');
  const organization = text(context, 'organization');
  const neuron = text(context, 'neuron');
  const organizationId = text(context, 'organizationId');
  const neuronId = text(context, 'neuronId');
  const settingsVersion = text(context, 'settingsVersion');
  if (!organization || !neuron || !organizationId || !neuronId || !settingsVersion) return undefined;
  if (authentication === undefined || !AUTHENTICATIONS.includes(authentication)) return undefined;
  // A part of a key's limits would let more through than the operator allows.
  const keyLimits = parseKeyLimits(text(context, 'keyLimits'));
  if (keyLimits === 'malformed') return undefined;
  const username = text(context, 'username');
  return {
    outcome,
    organization,
    neuron,
    organizationId,
    neuronId,
    authentication: authentication as Authentication,
    keyId: text(context, 'keyId'),
    keyLimits,
    username: username === undefined ? undefined : Buffer.from(username, 'base64url').toString(),
    settingsVersion,
  };
}

function text(context: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = Object.hasOwn(context, name) ? context[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** At most about 150 characters, since a key has few limits. */
export function renderKeyLimits(limits: readonly UsageLimit[]): string {
  return limits.map(({ metric, limit, period }) => `${metric}:${limit}:${period}`).join(',');
}

/** Undefined where the key has no limits. */
export function parseKeyLimits(text: string | undefined): readonly UsageLimit[] | undefined | 'malformed' {
  if (text === undefined) return undefined;
  const limits = text.split(',').map((one) => {
    const [metric, limit = '', period, ...others] = one.split(':');
    const isWhole = others.length === 0 && /^\d+$/.test(limit);
    return storedUsageLimitSchema.safeParse(isWhole ? { metric, limit: Number(limit), period } : undefined);
  });
  return limits.every(({ success }) => success) ? limits.flatMap(({ data }) => data ?? []) : 'malformed';
}
