// Reads the text of a draft: a flow, with its variables, and nothing else.
import { createInstructionFiles } from '../../../adapters/files/instruction-files.ts';
import { parseYaml } from '../../../adapters/yaml/parse-yaml.ts';
import { type Diagnostic, errorAt, locateAll, type SourceDocument } from '../../../core/admin/diagnostic.ts';
import { type InstructionFiles, inlineFiles } from '../../../core/admin/validate/inline-files.ts';
import { isJsonObject } from '../../../core/text/json.ts';
import { usageFailure } from '../../output/failure.ts';
import type { Terminal } from '../../output/terminal.ts';
import { type MergedFiles, readSettingsFiles } from '../../settings/read-with-overlays.ts';

/** Those of a version. */
export const MEMBERS: readonly string[] = ['flow', 'variables'];
const STDIN = 'standard input';

/** One document with nothing but a flow and its variables; others are errors in the result. */
export async function readFlow(path: string, terminal: Terminal): Promise<MergedFiles> {
  const { files, documents, diagnostics } = await readDocuments(path, terminal);
  const inlined = documents.map((document) => inlineFiles(document, filesFor(path, terminal)));
  const [first, ...others] = documents;
  return {
    files,
    documents: inlined.slice(0, 1).map(({ document }) => document),
    diagnostics,
    ofParts: [
      ...inlined.flatMap((one) => one.diagnostics),
      ...(first === undefined ? [] : checkMembers(first)),
      ...others.flatMap((one) => locateAll(one, [errorAt([], 'is a second document: a draft is one flow')])),
    ],
  };
}

async function readDocuments(
  path: string,
  { stdin, folder }: Terminal,
): Promise<Pick<MergedFiles, 'files' | 'documents' | 'diagnostics'>> {
  if (path !== '-') return readSettingsFiles([path], folder);
  const text = stdin.isTerminal ? '' : await stdin.readAll();
  const parsed = parseYaml(STDIN, text);
  if (parsed.documents.length === 0 && parsed.diagnostics.length === 0)
    throw usageFailure(
      'There is no flow on standard input.',
      'Pipe one in, such as that of `neuron versions show ORGANIZATION/NEURON v3`, or pass --flow FILE.',
    );
  return { files: [STDIN], ...parsed };
}

/** Standard input has no folder, and a page that sends a draft must not choose files to read. */
function filesFor(path: string, { folder }: Terminal): InstructionFiles {
  if (path !== '-') return createInstructionFiles(folder);
  return { read: () => ({ error: 'is not read for a flow on standard input: write `text` in its place' }) };
}

function isMember(name: string): boolean {
  return MEMBERS.includes(name);
}

function checkMembers(document: SourceDocument): readonly Diagnostic[] {
  const { value } = document;
  if (!isJsonObject(value)) return locateAll(document, [errorAt([], 'must have `flow`')]);
  const others = Object.keys(value).filter((name) => !isMember(name));
  return locateAll(document, [
    ...others.map((name) => errorAt([name], 'is no part of a version: a draft has `flow` and `variables`')),
    ...(value['flow'] === undefined ? [errorAt([], 'must have `flow`')] : []),
  ]);
}

/** The members of a version alone, of any value. */
export function keepMembers(value: unknown): object {
  return Object.fromEntries(
    Object.entries(isJsonObject(value) ? value : {}).filter(([name]) => isMember(name)),
  );
}
