// Says what access control would decide and why, by deciding: for `neuron explain`, without a call and without a credential.

import { generateApiKey, type NewApiKey } from '../../access/api-key.ts';
import { toAccessFacts } from '../../access/credentials.ts';
import { decide } from '../../access/decide.ts';
import type { AccessStep, Decision } from '../../access/decision.ts';
import { toJwtMethod } from '../../access/jwt-method.ts';
import type { AccessRequest } from '../../access/request.ts';
import type { AccessSettings, NeuronAccess } from '../../access/settings.ts';
import { readToken } from '../../access/token-shape.ts';
import { type ErrorCode, statusOf } from '../../contract/error-codes.ts';
import type { KeyStore } from '../../ports/keys.ts';
import { makeExampleJwt, NO_JWTS } from './example-jwt.ts';

/** The caller to explain for; what is absent is absent from the call. */
export interface ExplainedCaller {
  readonly referer?: string;
  readonly origin?: string;
  readonly ip?: string;
}

/**
 * `anonymous`: without a credential. `withApiKey`: with a valid key of the organization; `withJwt`: with a valid token;
 * each where it makes a difference.
 */
export interface Explanation {
  readonly anonymous: Decision;
  readonly withApiKey: Decision | undefined;
  readonly withJwt: Decision | undefined;
}

/** A call of whichever neuron the settings are of. */
type AnyCall = Omit<AccessRequest, 'organization' | 'neuron'>;

/** A key of the right form whose secret is all zeros: it exists nowhere but in the store below. */
const makeExampleKey = () => generateApiKey({ bytes: (count) => new Uint8Array(count) });
const NO_KEYS: KeyStore = { read: async () => undefined };

/** Decides for a caller as the authorizer would, first without a credential, then with a valid one of each kind. */
export async function explain(settings: AccessSettings, caller: ExplainedCaller): Promise<Explanation> {
  const request: AnyCall = {
    sourceIp: caller.ip,
    referers: caller.referer === undefined ? [] : [caller.referer],
    origins: caller.origin === undefined ? [] : [caller.origin],
    authorizations: [],
    timeMs: 0,
  };
  const anonymous = await decide(settings, toAccessFacts(request), { keys: NO_KEYS, jwt: NO_JWTS });
  if (settings.outcome !== 'usable' || anonymous.outcome !== 'refused' || anonymous.code !== 'unauthorized') {
    return { anonymous, withApiKey: undefined, withJwt: undefined };
  }
  return {
    anonymous,
    withApiKey: await decideWithApiKey(settings, request),
    withJwt: await decideWithJwt(settings, request),
  };
}

async function decideWithApiKey(settings: NeuronAccess, request: AnyCall): Promise<Decision | undefined> {
  if (settings.access.apiKey !== true) return undefined;
  const example = makeExampleKey();
  const authenticated = { ...request, authorizations: [`Bearer ${example.key}`] };
  return decide(settings, toAccessFacts(authenticated), { keys: keysOf(settings, example), jwt: NO_JWTS });
}

async function decideWithJwt(settings: NeuronAccess, request: AnyCall): Promise<Decision | undefined> {
  const method = settings.access.jwt === undefined ? undefined : toJwtMethod(settings.access.jwt);
  if (method === undefined) return undefined;
  const { token, ports } = makeExampleJwt(method);
  const authenticated = { ...request, authorizations: [`Bearer ${token}`] };
  return decide(settings, toAccessFacts(authenticated), { keys: NO_KEYS, jwt: ports });
}

function keysOf({ organizationId }: NeuronAccess, { keyId, prefix, lastFour }: NewApiKey): KeyStore {
  const createdAt = '1970-01-01T00:00:00.000Z';
  const key = { keyId, prefix, lastFour, organizationId, name: 'example', createdAt, createdBy: 'explain' };
  return { read: async () => key };
}

/** One line per check in the order of checking, with a line for each of its parts, then what a caller gets. */
export function renderExplanation({ anonymous, withApiKey, withJwt }: Explanation): string[] {
  const steps = anonymous.steps.flatMap(renderStep);
  const kinds = [
    ...(withApiKey === undefined ? [] : [{ credential: 'API key', decision: withApiKey }]),
    ...(withJwt === undefined ? [] : [{ credential: 'JWT', decision: withJwt }]),
  ];
  if (kinds.length === 0) return [...steps, `Any caller like this: ${answerOf(anonymous)}`];
  const names = kinds.map(({ credential }) => credential).join(' or ');
  return [
    ...steps,
    `Without a valid ${names}: ${answerOf(anonymous)}`,
    ...kinds.map(({ credential, decision }) => `With a valid ${credential}: ${answerOf(decision)}`),
  ];
}

function renderStep({ check, verdict, reason, details = [] }: AccessStep): string[] {
  const head = `${check.padEnd(12)}${verdict.padEnd(9)}${reason}`;
  return [head, ...details.map((detail) => `${' '.repeat(12)}- ${detail}`)];
}

/** The code that a denied caller gets. */
export function codeOf(decision: Exclude<Decision, { outcome: 'allow' }>): ErrorCode {
  if (decision.outcome === 'refused') return decision.code;
  return decision.outcome === 'unavailable' ? 'dependency_unavailable' : decision.outcome;
}

function answerOf(decision: Decision): string {
  if (decision.outcome === 'allow') return `allowed as ${decision.authentication}`;
  const code = codeOf(decision);
  return `${statusOf(code)} ${code}`;
}

/** Names as they are in the token, in its order. */
export interface TokenNames {
  readonly header: readonly string[];
  readonly claims: readonly string[];
}

/** Undefined for a text that is not a JWT, such as an API key. Values are left out, since they may be personal or secret. */
export function describeToken(text: string): TokenNames | undefined {
  const reading = readToken(text);
  if ('reason' in reading) return undefined;
  const { header, claims } = reading.token;
  return { header: Object.keys(header), claims: Object.keys(claims) };
}
