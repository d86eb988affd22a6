// Reads the cases that a draft is tried on: those of one neuron in tests documents, the first ones of them.
import { parseYaml } from '../../../adapters/yaml/parse-yaml.ts';
import { byPlace, type Diagnostic, type SourceDocument } from '../../../core/admin/diagnostic.ts';
import { validateTests } from '../../../core/admin/validate/tests.ts';
import type { TestsDocument } from '../../../core/settings/tests/tests-schema.ts';
import { CommandFailure } from '../../output/failure.ts';
import type { Terminal } from '../../output/terminal.ts';
import { readSettingsFiles } from '../../settings/read-with-overlays.ts';
import { renderDiagnosticLine } from '../../settings/validate-files.ts';

/** The first `limit` cases of this neuron. Throws `CommandFailure` where there are none, or invalid ones. */
export async function readCases(
  neuron: string,
  { path, limit }: { readonly path: string; readonly limit: number },
  terminal: Terminal,
): Promise<readonly TestsDocument[]> {
  const { documents, diagnostics } = await readDocuments(path, terminal);
  const { tests, diagnostics: ofTests } = validateTests(documents);
  const errors = [...diagnostics, ...ofTests];
  if (errors.length > 0)
    throw new CommandFailure({
      what: 'The cases are invalid, so nothing was run.',
      why: errors.toSorted(byPlace).map(renderDiagnosticLine).join('\n'),
    });
  const own = tests.flatMap(({ parsed }) => (parsed.tests === neuron ? [parsed] : []));
  if (own.length === 0)
    throw new CommandFailure({
      what: `There are no cases of ${neuron} in ${path === '-' ? STDIN : path}.`,
      remedy: `Pass a document that begins with \`tests: ${neuron}\` (docs/test.md).`,
    });
  return takeFirst(own, limit);
}

const STDIN = 'standard input';

async function readDocuments(
  path: string,
  { stdin, folder }: Terminal,
): Promise<{ readonly documents: readonly SourceDocument[]; readonly diagnostics: readonly Diagnostic[] }> {
  if (path !== '-') return readSettingsFiles([path], folder);
  return parseYaml('cases', stdin.isTerminal ? '' : await stdin.readAll());
}

function takeFirst(documents: readonly TestsDocument[], limit: number): readonly TestsDocument[] {
  let left = limit;
  return documents.flatMap((document) => {
    const cases = document.cases.slice(0, left);
    left -= cases.length;
    return cases.length === 0 ? [] : [{ ...document, cases }];
  });
}
