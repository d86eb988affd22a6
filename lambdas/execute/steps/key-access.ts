// Access by a key that the authorizer proved: the decision of each neuron's own URL about the same request.
import type { ProvenKeyContext } from '../../../adapters/apigateway/authorizer-context.ts';
import { toAccessFacts } from '../../../core/access/credentials.ts';
import { decide } from '../../../core/access/decide.ts';
import type { Decision } from '../../../core/access/decision.ts';
import type { JwtPorts } from '../../../core/access/jwt.ts';
import type { AccessFacts, AccessRequest } from '../../../core/access/request.ts';
import type { NeuronAccess } from '../../../core/access/settings.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';
import type { StoredKey } from '../../../core/ports/keys.ts';

/** The facts about a request whose key was proven. */
export type KeyFacts = AccessFacts & { readonly credential: { readonly kind: 'apiKey' } };

/** A neuron that the key may call, and as what. */
export type KeyAdmission = Extract<Decision, { outcome: 'allow' }>;

/** The facts of a request whose key the authorizer proved. */
export function readKeyFacts(request: AccessRequest): KeyFacts {
  const facts = toAccessFacts(request);
  const { credential } = facts;
  if (credential.kind === 'apiKey') return { ...facts, credential };
  throw new ServiceError('internal', {
    reason: 'the authorizer proved a key that the request does not carry',
  });
}

/** A decision about an API key reads none of them. */
const NO_TOKENS = {} as JwtPorts;

/** The key is as the authorizer read it for this very request: nothing is read again. */
export function decideOn(
  neuron: Omit<NeuronAccess, 'outcome' | 'conditions'>,
  facts: KeyFacts,
  proven: ProvenKeyContext,
): Promise<Decision> {
  const { organizationId, neuronId, slug, access } = neuron;
  const keys = { read: async () => toStoredKey(proven) };
  const settings = { outcome: 'usable', organizationId, neuronId, slug, access, conditions: [] } as const;
  return decide(settings, facts, {
    keys,
    jwt: NO_TOKENS,
  });
}

/** The authorizer found the key alive; its names and times decide on nothing. */
function toStoredKey({
  keyId,
  organizationId,
  keyLimits,
  keyGrants,
  neuronIds,
  neuronPatterns,
}: ProvenKeyContext): StoredKey {
  const { pausedForSeconds, ...grants } = keyGrants ?? {};
  return {
    ...grants,
    keyId,
    organizationId,
    name: '',
    prefix: '',
    lastFour: '',
    createdAt: '',
    createdBy: '',
    ...(keyLimits === undefined ? {} : { usageLimits: [...keyLimits] }),
    ...(neuronIds === undefined ? {} : { neurons: [...neuronIds] }),
    ...(neuronPatterns === undefined ? {} : { neuronPatterns: [...neuronPatterns] }),
    ...(pausedForSeconds === undefined
      ? {}
      : { pause: { retryAfterSeconds: pausedForSeconds, since: '', by: '' } }),
  };
}
