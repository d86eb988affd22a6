// Opens the versions that a test is about: files, versions of the stack, or neurons at an address.
import type { TestsDocument } from '../../core/settings/tests/tests-schema.ts';
import { embedTexts, runNeuron } from '../../core/tests/run/run-neuron.ts';
import type { OutsidePorts } from '../../core/tests/run/run-ports.ts';
import type { TestedNeuron } from '../../core/tests/run/tested-neuron.ts';
import type { CallNeuron, EmbedTexts } from '../../core/tests/suite/run-case.ts';
import type { Side } from '../../core/tests/suite/run-suite.ts';
import { usageFailure } from '../output/failure.ts';
import type { Session } from '../session/session.ts';
import { readProvidedToken } from '../session/token.ts';
import { type FindNeuron, findInFiles, findStored } from './find-neurons.ts';
import { openOutside } from './open-outside.ts';
import type { TestOptions } from './options.ts';
import { readSuite, type SuiteFiles } from './read-suite.ts';
import { type Address, callAtAddress } from './url-neuron.ts';

interface OpenSides {
  /** The tested version, then the one that it is compared with. */
  readonly sides: readonly Side[];
  /** Tests files whose recordings are read too. */
  readonly further: readonly string[];
  readonly outside: OutsidePorts;
}

/** Throws `CommandFailure` for a neuron that is nowhere. */
export async function openSides(
  options: TestOptions,
  suite: SuiteFiles,
  session: Session,
  notes: Set<string>,
): Promise<OpenSides> {
  const outside = openOutside(session, notes);
  const documents = suite.tests.map(({ document }) => document);
  const inFiles = findInFiles(suite.settings, session);
  if (options.url !== undefined) {
    const address = await readAddress(options.url, options, session);
    return { sides: [openAtAddress(address, documents)], further: [], outside };
  }
  const { revision, against } = options;
  const find = revision === undefined ? inFiles : findStored(revision, session);
  const tested = await openSide(labelOf(revision, suite), find, { inFiles, documents, outside });
  if (against === undefined) return { sides: [tested], further: [], outside };
  const other = await findOther(against, options, session);
  const before = await openSide(against, other.find, { inFiles, documents, outside });
  return { sides: [tested, before], further: other.further, outside };
}

/** `files` where they have the neurons themselves, else what runs is deployed. */
function labelOf(revision: string | undefined, { settings, tests }: SuiteFiles): string {
  if (revision !== undefined) return revision;
  const names = new Set(settings.neurons.map(({ organization, slug }) => `${organization}/${slug}`));
  return tests.every(({ document }) => names.has(document.tests)) ? 'files' : 'deployed';
}

async function findOther(
  against: string,
  { overlay }: TestOptions,
  session: Session,
): Promise<{ readonly find: FindNeuron; readonly further: readonly string[] }> {
  if (/^(?:deployed|v[1-9][0-9]*)$/.test(against)) return { find: findStored(against, session), further: [] };
  const suite = await readSuite([against], overlay ?? [], session);
  return { find: findInFiles(suite.settings, session), further: suite.tests.map(({ file }) => file) };
}

interface SideContext {
  /** Judges are the same for both versions. */
  readonly inFiles: FindNeuron;
  readonly documents: readonly TestsDocument[];
  readonly outside: OutsidePorts;
}

/** Every neuron is found before the first run. */
async function openSide(
  label: string,
  find: FindNeuron,
  { inFiles, documents, outside }: SideContext,
): Promise<Side> {
  const opened = new Map<TestsDocument, ReturnType<Side['neuronsOf']>>();
  for (const document of documents) {
    const { tests, judge, embeddings } = document;
    opened.set(document, {
      neuron: callHere(await find(tests), outside),
      judge: judge === undefined ? undefined : callHere(await inFiles(judge), outside),
      embeddings: embeddings === undefined ? undefined : embedHere(await inFiles(embeddings), outside),
    });
  }
  return { label, neuronsOf: (document) => requireOpened(opened.get(document)) };
}

function requireOpened<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('the document was not opened');
  return value;
}

function callHere(neuron: TestedNeuron, outside: OutsidePorts): CallNeuron {
  return (request, open) => runNeuron(neuron, request, { ...outside, ...open });
}

function embedHere(neuron: TestedNeuron, outside: OutsidePorts): EmbedTexts {
  return (texts, open) => embedTexts(neuron, texts, { ...outside, ...open });
}

async function readAddress(
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
function openAtAddress(address: Address, documents: readonly TestsDocument[]): Side {
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
