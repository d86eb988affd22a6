// Validates the settings files that a stage names, as `neuron apply` does: what it would refuse fails at synth.

import { globSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { createInstructionFiles } from '../../adapters/files/instruction-files.ts';
import { parseYaml } from '../../adapters/yaml/parse-yaml.ts';
import { type Diagnostic, renderDiagnostic, splitBySeverity } from '../../core/admin/diagnostic.ts';
import { validateDocuments } from '../../core/admin/validate/documents.ts';
import { inlineFiles } from '../../core/admin/validate/inline-files.ts';
import type { Stage } from '../config/config.ts';
import { StageError } from '../config/stage-error.ts';

/**
 * Reads the files below the stage's setting `neurons`, relative to `folder`. Throws one error with every diagnostic: file, line, path, remedy.
 * Stored organizations and secrets are not checked: only the deployed stack knows them.
 */
export function validateNeurons(stage: Stage, folder: string): void {
  const { neurons, maxDeadline, transferMode, domain, providerHosts } = stage;
  if (neurons === undefined) return;
  const read = findFiles(neurons, folder).map((file) =>
    parseYaml(file, readFileSync(resolve(folder, file), 'utf8')),
  );
  const files = createInstructionFiles(folder);
  const inlined = read.flatMap(({ documents }) => documents).map((document) => inlineFiles(document, files));
  const syntax = read.flatMap(({ diagnostics }) => diagnostics);
  const { diagnostics } = validateDocuments(
    inlined.map(({ document }) => document),
    {
      addresses: { allowLoopback: false },
      ownHost: domain?.name,
      providerHosts,
      maxDeadlineMs: maxDeadline,
      transferMode,
      bedrock: { stage: stage.name, allowed: stage.bedrock },
      stored: undefined,
      complete: syntax.length === 0,
    },
  );
  const ofFiles = inlined.flatMap((one) => one.diagnostics);
  throwErrors(neurons, splitBySeverity([...syntax, ...ofFiles, ...diagnostics]).errors);
}

function findFiles(path: string, folder: string): string[] {
  const absolute = resolve(folder, path);
  const status = statSync(absolute, { throwIfNoEntry: false });
  if (status === undefined)
    throw new StageError(`The stage setting neurons names ${path}, which does not exist.`);
  if (!status.isDirectory()) return [relative(folder, absolute)];
  const found = globSync('**/*.{yaml,yml}', { cwd: absolute, exclude: ['**/node_modules/**', '**/.*/**'] });
  if (found.length === 0)
    throw new StageError(`The stage setting neurons names ${path}, which has no .yaml or .yml file.`);
  return found.toSorted().map((file) => relative(folder, join(absolute, file)));
}

function throwErrors(path: string, errors: readonly Diagnostic[]): void {
  if (errors.length === 0) return;
  const lines = errors.map((error) => `  ${renderDiagnostic(error)}`);
  throw new StageError(`The settings of ${path} would be refused by \`neuron apply\`:\n${lines.join('\n')}`);
}
