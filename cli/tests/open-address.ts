// Opens the neurons of a stage at its address.
import type { TestsDocument } from '../../core/settings/tests/tests-schema.ts';
import type { Side } from '../../core/tests/suite/run-suite.ts';
import { usageFailure } from '../output/failure.ts';
import type { Session } from '../session/session.ts';
import { readProvidedToken } from '../session/token.ts';
import type { TestOptions } from './options.ts';
import { type Address, callAtAddress } from './url-neuron.ts';

/** Throws `CommandFailure` for a version without its preview key. */
export async function readAddress(
  baseUrl: string,
  { revision }: TestOptions,
  { terminal }: Session,
): Promise<Address> {
  const token = (await readProvidedToken(undefined, terminal))?.token ?? '';
  if (revision === undefined) return { baseUrl, token, revision };
  const key = terminal.environment['NEURON_PREVIEW_KEY']?.trim();
  if (key) return { baseUrl, token, revision: { id: revision, key } };
  throw usageFailure(
    '--url with --revision needs the preview key of the version, and NEURON_PREVIEW_KEY is not set.',
    'Run `neuron versions key ORGANIZATION/NEURON ID --new` to create one.',
  );
}

/** The judge is the deployed one of the same stage. */
export function openAtAddress(address: Address, documents: readonly TestsDocument[]): Side {
  const withEmbeddings = documents.find(({ embeddings }) => embeddings !== undefined);
  if (withEmbeddings !== undefined)
    throw usageFailure(
      `${withEmbeddings.tests} compares vectors, which --url has no call for.`,
      'Leave --url out, or take the `similar` assertions into a file of their own.',
    );
  const { baseUrl } = address;
  return {
    label: address.revision === undefined ? baseUrl : `${address.revision.id} at ${baseUrl}`,
    neuronsOf: ({ tests, judge }) => ({
      neuron: callAtAddress(tests, address, globalThis.fetch),
      judge:
        judge === undefined
          ? undefined
          : callAtAddress(judge, { ...address, revision: undefined }, globalThis.fetch),
      embeddings: undefined,
    }),
  };
}
