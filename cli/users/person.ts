// Finds the organization and the time in which a person may be in the tables, for the commands of persons.
import { InvalidArgumentError } from 'commander';
import { CHANGE_RETENTION_MS } from '../../core/contract/change-entry.ts';
import type { Person } from '../../core/ports/personal-data.ts';
import { conditionId, type TokenCondition } from '../../core/settings/access-schema.ts';
import { memberOf, toJsonObject, toList } from '../../core/text/json.ts';
import { utf8Bytes } from '../../core/text/utf8.ts';
import { argument } from '../command/command.ts';
import type { Ports } from '../session/ports.ts';
import { requireOrganization } from '../session/require-stored.ts';

const MAX_USERNAME_BYTES = 1_024;
const DAY_MS = 86_400_000;

export const USERNAME = argument(
  '<username>',
  'the name as `neuron logs` shows it; that of an end user of a key begins with nrn_KEY_ID/',
  (text) => {
    if (text !== '' && utf8Bytes(text) <= MAX_USERNAME_BYTES && text.isWellFormed()) return text;
    throw new InvalidArgumentError('It must be a username of 1 to 1,024 bytes.');
  },
);

export interface FoundPerson {
  readonly person: Person;
  readonly organization: { readonly id: string; readonly slug: string };
  readonly neuronIds: readonly string[];
  /** Ids of the conditions on claims of their limits. */
  readonly conditions: readonly string[];
}

/** Throws `CommandFailure` where the organization does not exist. Nothing is older than the organization, or than a year. */
export async function findPerson(
  slug: string,
  username: string,
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<FoundPerson> {
  const organization = await requireOrganization(store, slug);
  const nowMs = clock.now();
  const createdMs = Date.parse(organization.createdAt);
  const fromMs = Math.max(nowMs - CHANGE_RETENTION_MS - DAY_MS, (createdMs || 0) - DAY_MS);
  const neurons = await store.listNeurons(organization);
  return {
    person: { organizationId: organization.id, username, fromMs, toMs: nowMs + DAY_MS },
    organization: { id: organization.id, slug },
    neuronIds: neurons.map(({ id }) => id),
    conditions: neurons.flatMap(({ document }) => findConditions(document)),
  };
}

/** Counters of a rule with a condition have it in their keys. */
function findConditions(document: unknown): readonly string[] {
  return toList(memberOf(document, 'rateLimits')).flatMap((rule) => {
    const when = toJsonObject(memberOf(rule, 'when'));
    const isWhole = typeof when?.['claim'] === 'string' && Array.isArray(when['is']);
    return isWhole ? [conditionId(when as unknown as TokenCondition)] : [];
  });
}
