// Proves a live key of an organization, which is all that is known of a call of its URL: the body names the neuron.
import { authenticate } from '../../core/access/credentials.ts';
import type { JwtPorts } from '../../core/access/jwt.ts';
import type { AccessFacts } from '../../core/access/request.ts';
import type { KeyGrants, KeyStore, StoredKey } from '../../core/ports/keys.ts';

/** Every caller without a live key gets the same 401, also where there is no such organization. */
export type KeyProof =
  /** It says nothing yet about any neuron. */
  | {
      readonly outcome: 'proven';
      readonly organizationId: string;
      readonly key: StoredKey;
      readonly keyGrants: KeyGrants | undefined;
    }
  | { readonly outcome: 'invalid'; readonly reason: string }
  | { readonly outcome: 'unavailable'; readonly reason: string; readonly cause: unknown };

interface ProofPorts {
  readonly keys: KeyStore;
  /** The id of the organization that the path names; undefined where there is none. */
  readonly findOrganizationId: () => Promise<string | undefined>;
}

/** Nothing but a key is verified here. */
const NO_TOKENS = {} as JwtPorts;

/** Reads nothing for a caller without a well-formed key, and the organization beside the key for any other. Never throws. */
export async function proveKey(
  facts: AccessFacts,
  { keys, findOrganizationId }: ProofPorts,
): Promise<KeyProof> {
  const { credential } = facts;
  if (credential.kind === 'none') return invalid(credential.reason);
  if (credential.kind !== 'apiKey') return invalid('the URL of an organization takes API keys only');
  if (credential.digest === undefined) return invalid('the API key is malformed');
  let key: StoredKey | undefined;
  let organizationId: string | undefined;
  try {
    [key, organizationId] = await Promise.all([keys.read(credential.digest), findOrganizationId()]);
  } catch (cause) {
    return { outcome: 'unavailable', reason: 'the API key or its organization could not be read', cause };
  }
  if (key === undefined) return invalid('the API key is unknown');
  if (organizationId === undefined) return invalid('the organization is unknown');
  return checkLife(key, organizationId, facts);
}

/** By the same checks as on a neuron's own URL: that of a neuron which the key is for. */
async function checkLife(key: StoredKey, organizationId: string, facts: AccessFacts): Promise<KeyProof> {
  const neuronId = key.neurons?.[0] ?? '';
  const slug = key.neuronPatterns?.[0] ?? '';
  const ids = { organizationId, neuronId, slug };
  const neuron = { outcome: 'usable', ...ids, access: { apiKey: true }, conditions: [] } as const;
  const { result } = await authenticate(neuron, facts, { keys: { read: async () => key }, jwt: NO_TOKENS });
  if (result.outcome !== 'valid' || result.authentication !== 'apiKey') return invalid(result.reason);
  return { outcome: 'proven', organizationId, key, keyGrants: result.keyGrants };
}

function invalid(reason: string): KeyProof {
  return { outcome: 'invalid', reason };
}
