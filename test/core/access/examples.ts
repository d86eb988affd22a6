// A neuron, its keys and a caller to vary: what the tests of access control have in common.

import { generateApiKey, type NewApiKey } from '../../../core/access/api-key.ts';
import { toAccessFacts } from '../../../core/access/credentials.ts';
import { decide as decideFacts } from '../../../core/access/decide.ts';
import type { AccessRequest } from '../../../core/access/request.ts';
import type { AccessSettings, NeuronAccess } from '../../../core/access/settings.ts';
import type { StoredKey } from '../../../core/ports/keys.ts';
import { accessSchema } from '../../../core/settings/access-schema.ts';
import { createMemoryKeyStore, type MemoryKeyStore } from '../../support/memory/key-store.ts';
import { createMemoryRandom } from '../../support/memory/random.ts';
import type { CredentialKind } from './decision-table.ts';

export const NOW = Date.parse('2026-11-21T12:00:00.000Z');

/** Settings of `acme/support`; `access` as a file has it. */
export function settingsWith(access: unknown): NeuronAccess {
  return {
    outcome: 'usable',
    organizationId: 'org-acme',
    neuronId: 'neuron-support',
    slug: 'support',
    access: accessSchema.parse(access),
    conditions: [],
  };
}

/** A call without anything, from an address that no list holds. */
export function requestWith(parts: Partial<AccessRequest> = {}): AccessRequest {
  return {
    organization: 'acme',
    neuron: 'support',
    sourceIp: '192.0.2.1',
    referers: [],
    origins: [],
    authorizations: [],
    timeMs: NOW,
    ...parts,
  };
}

/** The decision on a request whose credential has yet to be read. */
export function decide(
  settings: AccessSettings,
  request: AccessRequest,
  ports: Parameters<typeof decideFacts>[2],
): ReturnType<typeof decideFacts> {
  return decideFacts(settings, toAccessFacts(request), ports);
}

/** What is stored of a key. */
export function storedKey(key: NewApiKey, parts: Partial<StoredKey> = {}): StoredKey {
  const { keyId, prefix, lastFour } = key;
  return {
    keyId,
    prefix,
    lastFour,
    organizationId: 'org-acme',
    name: 'back end',
    createdAt: '2026-01-01T00:00:00.000Z',
    createdBy: 'arn:aws:iam::111122223333:user/op',
    ...parts,
  };
}

/** A store with a key of each kind, and the Authorization headers that present them. */
export async function createKeyring(): Promise<{
  readonly keys: MemoryKeyStore;
  readonly headers: Readonly<Record<CredentialKind, readonly string[]>>;
  readonly validKeyId: string;
}> {
  const random = createMemoryRandom(7);
  const keys = createMemoryKeyStore();
  const add = async (parts: Partial<StoredKey> = {}) => {
    const made = generateApiKey(random);
    await keys.create(made.digest, storedKey(made, parts));
    return made;
  };
  const valid = await add();
  const present = ({ key }: NewApiKey) => [`Bearer ${key}`];
  const headers = {
    absent: [],
    valid: present(valid),
    unreachable: present(valid),
    doubled: [...present(valid), ...present(valid)],
    notBearer: [`Basic ${valid.key}`],
    jwt: ['Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl'],
    malformed: [`Bearer ${valid.key.slice(0, -1)}${valid.key.endsWith('0') ? '1' : '0'}`],
    unknown: present(generateApiKey(random)),
    revoked: present(await add({ revokedAt: '2026-11-21T11:59:59.999Z' })),
    expired: present(await add({ expiresAt: '2026-11-21T12:00:00.000Z' })),
    otherOrganization: present(await add({ organizationId: 'org-other' })),
    otherNeuron: present(await add({ neurons: ['neuron-other'] })),
  } satisfies Record<CredentialKind, readonly string[]>;
  return { keys, headers, validKeyId: valid.keyId };
}
