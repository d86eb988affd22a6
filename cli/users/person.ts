// Finds the organization and the time in which a person may be in the tables, for the commands of persons.
import { InvalidArgumentError } from 'commander';
import { CHANGE_RETENTION_MS } from '../../core/contract/change-entry.ts';
import type { Person } from '../../core/ports/personal-data.ts';
import { conditionId, type TokenCondition } from '../../core/settings/access-schema.ts';
import { memberOf, toJsonObject, toList } from '../../core/text/json.ts';
import { namesPerson } from '../../core/text/names-person.ts';
import { utf8Bytes } from '../../core/text/utf8.ts';
import { argument } from '../command/command.ts';
import { usageFailure } from '../output/failure.ts';
import type { Output } from '../output/print.ts';
import { findNamesOfUser } from '../session/names-of-user.ts';
import type { Ports } from '../session/ports.ts';
import { requireOrganization } from '../session/require-stored.ts';

const MAX_USERNAME_BYTES = 1_024;
const DAY_MS = 86_400_000;

export const USERNAME = argument(
  '<username>',
  'the name as tokens have it, or its digest; that of an end user of a key begins with nrn_KEY_ID/',
  (text) => {
    if (text !== '' && utf8Bytes(text) <= MAX_USERNAME_BYTES && text.isWellFormed()) return text;
    throw new InvalidArgumentError('It must be a username of 1 to 1,024 bytes.');
  },
);

export interface FoundPerson {
  /** One for each name: as it was typed, and its digest under `usernameAs: hmac`. */
  readonly persons: readonly Person[];
  readonly organization: { readonly id: string; readonly slug: string };
  readonly neuronIds: readonly string[];
  /** Ids of the conditions on claims of their limits. */
  readonly conditions: readonly string[];
}

/** Throws `CommandFailure` where the organization does not exist. Nothing is older than the organization, or than a year. */
export async function findPerson(
  slug: string,
  username: string,
  { store, clock, secretReader }: Pick<Ports, 'store' | 'clock' | 'secretReader'>,
  out: Pick<Output, 'message'>,
): Promise<FoundPerson> {
  const organization = await requireOrganization(store, slug);
  const nowMs = clock.now();
  const createdMs = Date.parse(organization.createdAt);
  const fromMs = Math.max(nowMs - CHANGE_RETENTION_MS - DAY_MS, (createdMs || 0) - DAY_MS);
  const neurons = await store.listNeurons(organization);
  const owner = { organizationId: organization.id, organization: slug };
  const names = await findNamesOfUser(username, owner, { store, secretReader }, out);
  return {
    persons: names.map((name) => ({
      organizationId: organization.id,
      username: name,
      fromMs,
      toMs: nowMs + DAY_MS,
      otherNames: names.filter((other) => other !== name),
    })),
    organization: { id: organization.id, slug },
    neuronIds: neurons.map(({ id }) => id),
    conditions: neurons.flatMap(({ document }) => findConditions(document)),
  };
}

/** The reason of an erasure stays. */
export function rejectName(reason: string | undefined, { persons }: FoundPerson): void {
  const names = persons.map(({ username }) => username);
  if (reason === undefined || !namesPerson(reason, names)) return;
  throw usageFailure(
    '--reason holds the name that is to be erased.',
    'Refer to the request instead: the reason stays in the log of changes.',
  );
}

/** Counters of a rule with a condition have it in their keys. */
function findConditions(document: unknown): readonly string[] {
  return toList(memberOf(document, 'rateLimits')).flatMap((rule) => {
    const when = toJsonObject(memberOf(rule, 'when'));
    const isWhole = typeof when?.['claim'] === 'string' && Array.isArray(when['is']);
    return isWhole ? [conditionId(when as unknown as TokenCondition)] : [];
  });
}
