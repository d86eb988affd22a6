// Opens the versions that a test is about: files, versions of the stack, or neurons at an address.
import type { TestsDocument } from '../../core/settings/tests/tests-schema.ts';
import { embedTexts } from '../../core/tests/run/embed-texts.ts';
import { runNeuron } from '../../core/tests/run/run-neuron.ts';
import type { TestedNeuron } from '../../core/tests/run/tested-neuron.ts';
import type { CallNeuron, EmbedTexts } from '../../core/tests/suite/case-neurons.ts';
import type { Side } from '../../core/tests/suite/run-suite.ts';
import type { Session } from '../session/session.ts';
import { type FindNeuron, findInFiles, findStored } from './find-neurons.ts';
import { openAtAddress, readAddress } from './open-address.ts';
import { openOutside } from './open-outside.ts';
import type { TestOptions } from './options.ts';
import { readSuite, type SuiteFiles } from './read-suite.ts';

interface OpenSides {
  /** The tested version, then the one that it is compared with. */
  readonly sides: readonly Side[];
  /** Tests files whose recordings are read too. */
  readonly further: readonly string[];
  readonly outside: ReturnType<typeof openOutside>;
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
  readonly outside: ReturnType<typeof openOutside>;
}

/** Every neuron is found before the first run. */
export async function openSide(
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

function callHere(neuron: TestedNeuron, outside: SideContext['outside']): CallNeuron {
  return (request, open) => runNeuron(neuron, request, { ...outside, ...open });
}

function embedHere(neuron: TestedNeuron, outside: SideContext['outside']): EmbedTexts {
  return (texts, open) => embedTexts(neuron, texts, { ...outside, ...open });
}
