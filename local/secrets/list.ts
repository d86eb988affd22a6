// ListSecrets: filters, order and pages.

import { type Input, invalid, optionalNumber, optionalText, optionalTexts } from './input.ts';
import { type Secret, SecretsError } from './secret.ts';

/** Answers ListSecrets; `describe` gives the members of one entry. @throws SecretsError */
export function listStoredSecrets(
  secrets: readonly Secret[],
  input: Input,
  describe: (secret: Secret) => Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const size = optionalNumber(input, 'MaxResults', 1, 100) ?? 100;
  const filters = ((input['Filters'] as readonly Input[] | undefined) ?? []).map(readFilter);
  const descending = optionalText(input, 'SortOrder') !== 'asc';
  // By the time of creation, which the name settles where it is the same.
  const ordered = secrets
    .filter(({ deletion }) => deletion === undefined || input['IncludePlannedDeletion'] === true)
    .filter((secret) => filters.every((passes) => passes(secret)))
    .toSorted((a, b) => a.createdAt - b.createdAt || (a.name < b.name ? -1 : 1));
  if (descending) ordered.reverse();
  const start = readToken(optionalText(input, 'NextToken'));
  const page = ordered.slice(start, start + size);
  const isLast = start + size >= ordered.length;
  return {
    SecretList: page.map((secret) => {
      const { VersionIdsToStages, ...entry } = describe(secret);
      return { ...entry, SecretVersionsToStages: VersionIdsToStages };
    }),
    ...(isLast ? {} : { NextToken: Buffer.from(String(start + size)).toString('base64') }),
  };
}

// Values of one filter are alternatives, a leading "!" negates, and a match is one of the beginning (API Reference, Filter).
function readFilter(filter: Input): (secret: Secret) => boolean {
  const read = textsOf[optionalText(filter, 'Key') ?? ''];
  if (read === undefined) throw invalid(`The filter ${String(filter['Key'])} is not supported.`);
  const values = optionalTexts(filter, 'Values') ?? [];
  return (secret) =>
    values.some((value) => {
      const negated = value.startsWith('!');
      const prefix = negated ? value.slice(1) : value;
      return read(secret).some((text) => text.startsWith(prefix)) !== negated;
    });
}

const textsOf: Readonly<Record<string, (secret: Secret) => readonly string[]>> = {
  name: ({ name }) => [name],
  description: ({ description }) => [description ?? ''],
  'tag-key': ({ tags }) => tags.map(({ Key }) => Key),
  'tag-value': ({ tags }) => tags.map(({ Value }) => Value),
  all: ({ name, description, tags }) => [
    name,
    description ?? '',
    ...tags.flatMap(({ Key, Value }) => [Key, Value]),
  ],
};

function readToken(token: string | undefined): number {
  const start = token === undefined ? 0 : Number(Buffer.from(token, 'base64').toString());
  if (Number.isInteger(start) && start >= 0) return start;
  throw new SecretsError('InvalidNextTokenException', 'Invalid pagination token.');
}
