// Validates the values of shared secrets that neurons name, where they may be read: with a value that others know, anybody can sign.
import { findSecretFlaw, findSecretWeakness } from '../../access/shared-secret-strength.ts';
import { mapAtOnce } from '../../async/at-once.ts';
import { SHARED_SECRET_ALGORITHMS } from '../../settings/access-schema.ts';
import { type Diagnostic, errorAt, locateAll, type SourceDocument, warningAt } from '../diagnostic.ts';
import { findPaths } from '../find-paths.ts';

const SECRETS_AT_ONCE = 16;

/** The value of a secret for JWTs by the organization's slug and its name; undefined where none is set. */
export type ReadSharedSecret = (organization: string, name: string) => Promise<string | undefined>;

/** A secret that is not set yet is valid here. No message says anything of a value but its size. */
export async function validateSharedSecrets(
  documents: readonly SourceDocument[],
  read: ReadSharedSecret,
): Promise<readonly Diagnostic[]> {
  const named = documents.flatMap((document) => findNames(document));
  const values = await mapAtOnce(named, SECRETS_AT_ONCE, ({ organization, name }) =>
    read(organization, name),
  );
  return named.flatMap(({ document, path, name, organization, algorithms }, index) => {
    const value = values[index];
    if (value === undefined) return [];
    const describe = (flaw: string) => `names ${name}, which ${flaw}. ${remedyOf(organization, name)}`;
    const flaw = findSecretFlaw(value);
    if (flaw !== undefined) return locateAll(document, [errorAt(path, describe(flaw))]);
    const weakness = findSecretWeakness(value, algorithms);
    if (weakness === undefined) return [];
    // A rotation must end a weak secret: the authorizer takes none as the previous one.
    const toDiagnostic = path.at(-1) === 'previous' ? errorAt : warningAt;
    return locateAll(document, [toDiagnostic(path, describe(weakness))]);
  });
}

function findNames(document: SourceDocument) {
  return findPaths(document.value, ['access', 'jwt', 'sharedSecret', '*']).flatMap(({ path, value }) => {
    const [neuron] = findPaths(document.value, ['neuron']);
    const [organization] = String(neuron?.value).split('/');
    const listed = findPaths(document.value, ['access', 'jwt', 'algorithms', '*']).map((one) => one.value);
    const algorithms = SHARED_SECRET_ALGORITHMS.filter((algorithm) => listed.includes(algorithm));
    return organization === undefined || typeof value !== 'string'
      ? []
      : [{ document, path, name: value, organization, algorithms }];
  });
}

function remedyOf(organization: string, name: string): string {
  return `Set another value with \`neuron secrets set ${organization} ${name} --for jwt\`.`;
}
