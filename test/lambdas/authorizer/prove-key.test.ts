// A live key of an organization, whatever neuron it asks for.
import { describe, expect, it } from 'vitest';
import { generateApiKey } from '../../../core/access/api-key.ts';
import { toAccessFacts } from '../../../core/access/credentials.ts';
import type { StoredKey } from '../../../core/ports/keys.ts';
import { proveKey } from '../../../lambdas/authorizer/authorize.ts';
import { NOW, requestWith, storedKey } from '../../core/access/examples.ts';
import { createMemoryRandom } from '../../support/memory/random.ts';

const made = generateApiKey(createMemoryRandom(3));
const facts = toAccessFacts(requestWith({ authorizations: [`Bearer ${made.key}`] }));

/** The proof for a stored key, and what was read for it. */
async function prove(
  parts: Partial<StoredKey> | undefined,
  { authorizations = [`Bearer ${made.key}`] } = {},
) {
  const reads: string[] = [];
  const proof = await proveKey(toAccessFacts(requestWith({ authorizations })), {
    keys: {
      async read(digest) {
        reads.push(digest);
        return parts === undefined ? undefined : storedKey(made, parts);
      },
    },
    async findOrganizationId() {
      reads.push('organization');
      return 'org-acme';
    },
  });
  return { proof, reads };
}

const ago = new Date(NOW - 1).toISOString();

describe('a live key of the organization', () => {
  it('is proven with what is stored of it, whatever neurons it is for', async () => {
    const { proof, reads } = await prove({ neurons: ['neuron-other'] });
    expect(proof).toEqual({
      outcome: 'proven',
      organizationId: 'org-acme',
      key: storedKey(made, { neurons: ['neuron-other'] }),
    });
    expect(reads).toEqual([made.digest, 'organization']);
  });

  it.each([
    ['the API key is unknown', undefined],
    ['the API key belongs to another organization', { organizationId: 'org-globex' }],
    ['the API key is revoked', { revokedAt: ago }],
    ['the API key has expired', { expiresAt: ago }],
    ['the API key has expired', { expiresAt: 'never' }],
  ] as const)('refuses where %s', async (reason, parts) => {
    expect((await prove(parts)).proof).toEqual({ outcome: 'invalid', reason });
  });

  it('refuses where the organization is unknown', async () => {
    const ports = { keys: { read: async () => storedKey(made) }, findOrganizationId: async () => undefined };
    expect(await proveKey(facts, ports)).toEqual({
      outcome: 'invalid',
      reason: 'the organization is unknown',
    });
  });

  it.each([
    ['no header', [], 'the request carries no Authorization header'],
    [
      'two headers',
      [`Bearer ${made.key}`, `Bearer ${made.key}`],
      'the request carries more than one Authorization header',
    ],
    ['a JWT', ['Bearer a.b.c'], 'the URL of an organization takes API keys only'],
    ['a key with a wrong checksum', [`Bearer ${made.key}x`], 'the API key is malformed'],
  ] as const)('refuses %s before anything is read', async (_what, authorizations, reason) => {
    const { proof, reads } = await prove({}, { authorizations: [...authorizations] });
    expect(proof).toEqual({ outcome: 'invalid', reason });
    expect(reads).toEqual([]);
  });

  it.each([['keys'], ['organizations']] as const)(
    'is unavailable, and never refused, while %s cannot be read',
    async (table) => {
      const orDown = async <Read>(name: string, found: Read): Promise<Read> => {
        if (name === table) throw new Error('down');
        return found;
      };
      const proof = await proveKey(facts, {
        keys: { read: () => orDown('keys', storedKey(made)) },
        findOrganizationId: () => orDown('organizations', 'org-acme'),
      });
      expect(proof).toEqual({
        outcome: 'unavailable',
        reason: 'the API key or its organization could not be read',
        cause: new Error('down'),
      });
    },
  );
});
