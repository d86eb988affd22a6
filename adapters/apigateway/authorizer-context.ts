// The authorizer context that the execution function gets: written here, read here, ASCII only.
import type { APIGatewayAuthorizerResultContext } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Decision } from '../../core/access/decision.ts';
import type { ErrorCode } from '../../core/contract/error-codes.ts';
import type { Authentication } from '../../core/contract/log-entry.ts';
import type { KeyGrants } from '../../core/ports/keys.ts';
import { MAX_KEY_TAGS, tagsSchema } from '../../core/settings/names/tags.ts';
import { renderSettingsVersion, type SettingsVersion } from '../../core/settings/usable-settings.ts';
import { type KeyLimit, storedKeyLimitSchema } from '../../core/settings/usage-limits.ts';
import { isJsonObject } from '../../core/text/json.ts';

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
      readonly keyLimits?: readonly KeyLimit[] | undefined;
      /** Absent where the key has neither tags nor rights beside those of every key. */
      readonly keyGrants?: KeyGrants | undefined;
      readonly username: string | undefined;
      /** Ids of the conditions on claims that the caller's token fulfils; absent for none. */
      readonly conditions?: readonly string[] | undefined;
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
  readonly keyLimits?: readonly KeyLimit[] | undefined;
  readonly keyGrants?: KeyGrants | undefined;
  /** Ids of the neurons that it is for; absent for a key of all. */
  readonly neuronIds?: readonly string[] | undefined;
  /** Patterns of slugs of further ones. */
  readonly neuronPatterns?: readonly string[] | undefined;
}

/** API Gateway takes 8 KB from an authorizer (apigateway/latest/developerguide/limits.html); the rest of the answer needs some of it. */
const MAX_CONTEXT_BYTES = 7_400;

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
  const { authentication, organizationId, neuronId, keyId, keyLimits, keyGrants, username } = decision;
  const { conditions = [] } = decision;
  return {
    outcome: 'allow',
    organization,
    neuron,
    organizationId,
    neuronId,
    authentication,
    keyId,
    keyLimits,
    keyGrants,
    username,
    ...(conditions.length === 0 ? {} : { conditions }),
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
  const { keyId, keyLimits, keyGrants, username, conditions, ...rest } = authorizerContext;
  return {
    ...rest,
    ...(keyId === undefined ? {} : { keyId }),
    ...renderKeyLimits(keyLimits),
    ...renderKeyGrants(keyGrants),
    ...(conditions === undefined ? {} : { conditions: conditions.join(',') }),
    ...(username === undefined ? {} : { username: Buffer.from(username).toString('base64url') }),
  };
}

/** A list that is too long for a context is a `configuration` error: a part of it would admit to less than the operator allows. */
function renderProvenKey({
  keyLimits,
  keyGrants,
  neuronIds,
  neuronPatterns,
  ...rest
}: ProvenKeyContext): APIGatewayAuthorizerResultContext {
  const rendered = {
    ...rest,
    ...renderKeyLimits(keyLimits),
    ...renderKeyGrants(keyGrants),
    // A list without an id admits to no neuron, and must not be read as a key of all.
    ...(neuronIds === undefined ? {} : { neuronIds: `,${neuronIds.join(',')}` }),
    ...(neuronPatterns === undefined ? {} : { neuronPatterns: neuronPatterns.join(',') }),
  };
  if (JSON.stringify(rendered).length <= MAX_CONTEXT_BYTES) return rendered;
  const reason =
    'the API key names more neurons and tags than the URL of an organization can take: use patterns such as shop-*';
  return { outcome: 'configuration', reason };
}

/** Undefined, which admits nobody, when it is not whole. */
function parseProvenKey(context: Readonly<Record<string, unknown>>): ProvenKeyContext | undefined {
  const organization = text(context, 'organization');
  const organizationId = text(context, 'organizationId');
  const keyId = text(context, 'keyId');
  const keyLimits = parseKeyLimits(text(context, 'keyLimits'));
  const keyGrants = parseKeyGrants(text(context, 'keyGrants'));
  if (!organization || !organizationId || !keyId) return undefined;
  if (keyLimits === 'malformed' || keyGrants === 'malformed') return undefined;
  const neuronIds = text(context, 'neuronIds')?.split(',').slice(1);
  const neuronPatterns = text(context, 'neuronPatterns')?.split(',');
  return {
    outcome: 'key',
    organization,
    organizationId,
    keyId,
    keyLimits,
    keyGrants,
    neuronIds,
    neuronPatterns,
  };
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
  const keyGrants = parseKeyGrants(text(context, 'keyGrants'));
  if (keyLimits === 'malformed' || keyGrants === 'malformed') return undefined;
  const username = text(context, 'username');
  const conditions = text(context, 'conditions')?.split(',');
  return {
    outcome,
    organization,
    neuron,
    organizationId,
    neuronId,
    authentication: authentication as Authentication,
    keyId: text(context, 'keyId'),
    keyLimits,
    keyGrants,
    username: username === undefined ? undefined : Buffer.from(username, 'base64url').toString(),
    ...(conditions === undefined ? {} : { conditions }),
    settingsVersion,
  };
}

function text(context: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = Object.hasOwn(context, name) ? context[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** At most about 200 characters, since a key has few limits. No member where it has none. */
export function renderKeyLimits(limits: readonly KeyLimit[] = []): { readonly keyLimits?: string } {
  if (limits.length === 0) return {};
  return {
    keyLimits: limits.map(({ metric, limit, period }) => `${metric}:${limit}:${period}`).join(','),
  };
}

export function parseKeyLimits(text: string | undefined): readonly KeyLimit[] | undefined | 'malformed' {
  if (text === undefined) return undefined;
  const limits = text.split(',').map((one) => {
    const [metric, limit = '', period, ...others] = one.split(':');
    const isWhole = others.length === 0 && /^\d+$/.test(limit);
    return storedKeyLimitSchema.safeParse(isWhole ? { metric, limit: Number(limit), period } : undefined);
  });
  return limits.every(({ success }) => success) ? limits.flatMap(({ data }) => data ?? []) : 'malformed';
}

const grantsSchema = z.strictObject({
  tags: z.optional(tagsSchema(MAX_KEY_TAGS)),
  onBehalfOf: z.optional(z.boolean()),
  tagsFromCalls: z.optional(z.boolean()),
  pausedForSeconds: z.optional(z.int()),
});

/** Base64url, since tags may have any script. No member where the key has none. */
function renderKeyGrants(grants: KeyGrants | undefined): { readonly keyGrants?: string } {
  if (grants === undefined) return {};
  return { keyGrants: Buffer.from(JSON.stringify(grants)).toString('base64url') };
}

/** Undefined where the key has none. A part of them would let a paused key in, or count for another user. */
function parseKeyGrants(text: string | undefined): KeyGrants | undefined | 'malformed' {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    const parsed = grantsSchema.safeParse(isJsonObject(value) ? value : undefined);
    return parsed.success ? (parsed.data as KeyGrants) : 'malformed';
  } catch {
    return 'malformed';
  }
}
