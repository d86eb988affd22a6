// Judges the values of shared secrets that neurons name, where somebody who may read them can say: a known one lets everybody in.
import { findSecretFlaw, findSecretWeakness } from '../../access/shared-secret-strength.ts';
import { type Diagnostic, diagnosticAt, type SourceDocument } from '../diagnostic.ts';
import { findPaths } from '../find-paths.ts';
import type { Diagnostics } from './validated.ts';

/** The value of a secret for JWTs by the organization's slug and its name; undefined where none is set. */
export type ReadSharedSecret = (organization: string, name: string) => Promise<string | undefined>;

/** Secrets that are not set are no finding here. No finding says anything of a value but its size. */
export async function validateSharedSecrets(
  documents: readonly SourceDocument[],
  read: ReadSharedSecret,
): Promise<Diagnostics> {
  const named = documents.flatMap((document) => findNames(document));
  const values = await Promise.all(named.map(({ organization, name }) => read(organization, name)));
  const judge = (of: (value: string) => string | undefined): Diagnostic[] =>
    named.flatMap(({ document, path, name, organization }, index) => {
      const value = values[index];
      const said = value === undefined ? undefined : of(value);
      return said === undefined
        ? []
        : [diagnosticAt(document, path, `names ${name}, which ${said}. ${remedyOf(organization, name)}`)];
    });
  return {
    refusals: judge(findSecretFlaw),
    warnings: judge((value) => (findSecretFlaw(value) === undefined ? findSecretWeakness(value) : undefined)),
  };
}

function findNames(document: SourceDocument) {
  return findPaths(document.value, ['access', 'jwt', 'sharedSecret', 'secret']).flatMap(({ path, value }) => {
    const [neuron] = findPaths(document.value, ['neuron']);
    const [organization] = String(neuron?.value).split('/');
    return organization === undefined || typeof value !== 'string'
      ? []
      : [{ document, path, name: value, organization }];
  });
}

function remedyOf(organization: string, name: string): string {
  return `Set another value with \`neuron secrets set ${organization} ${name} --for jwt\`.`;
}
