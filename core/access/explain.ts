// Says what access control would decide and why, by deciding: for `neuron explain`, without a call and without a credential.
import { statusOf } from '../contract/error-codes.ts';
import type { KeyStore } from '../ports/keys.ts';
import { generateApiKey } from './api-key.ts';
import { decide } from './decide.ts';
import type { Decision } from './decision.ts';
import type { AccessRequest } from './request.ts';
import type { AccessSettings, UsableSettings } from './settings.ts';

/** The caller to explain for; what is absent is absent from the call. */
export interface ExplainedCaller {
  readonly referer?: string;
  readonly ip?: string;
}

/** `anonymous`: without a credential. `withApiKey`: with a key of the organization that holds, where that makes a difference. */
export interface Explanation {
  readonly anonymous: Decision;
  readonly withApiKey: Decision | undefined;
}

/** A key of the right form whose secret is all zeros: it exists nowhere but in the store below. */
const EXAMPLE_KEY = generateApiKey({ fraction: () => 0, bytes: (count) => new Uint8Array(count) });
const NO_KEYS: KeyStore = { read: async () => undefined };

/** Decides for a caller as the authorizer would, first without a credential, then with one that holds. */
export async function explain(settings: AccessSettings, caller: ExplainedCaller): Promise<Explanation> {
  const request: AccessRequest = {
    organization: '',
    neuron: '',
    sourceIp: caller.ip,
    referers: caller.referer === undefined ? [] : [caller.referer],
    authorizations: [],
    timeMs: 0,
  };
  const anonymous = await decide(settings, request, { keys: NO_KEYS });
  if (settings.outcome !== 'usable' || anonymous.outcome !== 'refused' || anonymous.code !== 'unauthorized') {
    return { anonymous, withApiKey: undefined };
  }
  const authenticated = { ...request, authorizations: [`Bearer ${EXAMPLE_KEY.key}`] };
  return { anonymous, withApiKey: await decide(settings, authenticated, { keys: exampleKeys(settings) }) };
}

function exampleKeys({ organizationId }: UsableSettings): KeyStore {
  const { keyId, prefix, lastFour } = EXAMPLE_KEY;
  const createdAt = '1970-01-01T00:00:00.000Z';
  const key = { keyId, prefix, lastFour, organizationId, name: 'example', createdAt, createdBy: 'explain' };
  return { read: async () => key };
}

/** One line per check in the order of checking, then what a caller gets. */
export function renderExplanation({ anonymous, withApiKey }: Explanation): string[] {
  const steps = anonymous.steps.map(
    ({ check, verdict, reason }) => `${check.padEnd(12)}${verdict.padEnd(9)}${reason}`,
  );
  if (withApiKey === undefined) return [...steps, `Any caller like this: ${answerOf(anonymous)}`];
  return [
    ...steps,
    `Without a valid API key: ${answerOf(anonymous)}`,
    `With a valid API key: ${answerOf(withApiKey)}`,
  ];
}

function answerOf(decision: Decision): string {
  switch (decision.outcome) {
    case 'allow':
      return `allowed as ${decision.authentication}`;
    case 'refused':
      return `${statusOf(decision.code)} ${decision.code}`;
    case 'not_found':
      return `${statusOf('not_found')} not_found`;
    case 'unavailable':
      return `${statusOf('dependency_unavailable')} dependency_unavailable`;
  }
}
