// Stage settings outside of the sources: one YAML or JSON document, named by `-c settings=FILE`.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseYaml } from '../../adapters/yaml/parse-yaml.ts';
import { renderDiagnostic } from '../../core/admin/diagnostic.ts';
import { findNearest } from '../../core/settings/members.ts';
import type { StageSettings } from './config.ts';
import { StageError } from './stage-error.ts';

/** The member that names the stage from which omitted settings come. */
const LIKE = 'like';
const DEFAULT_LIKE = 'prod';

/**
 * Settings of a file, on top of those of the stage that its member `like` names; by default of `prod`. A member that is null is taken away. The
 * result is not validated yet, except that it has a name of its own. `folder` is where relative paths begin.
 */
export function readStageFile(
  path: string,
  folder: string,
  stages: Readonly<Record<string, StageSettings>>,
): Readonly<Record<string, unknown>> {
  const { [LIKE]: like = DEFAULT_LIKE, ...own } = readObject(path, folder);
  const base = typeof like === 'string' && Object.hasOwn(stages, like) ? stages[like] : undefined;
  if (base === undefined) throw new StageError(explainLike(path, like, Object.keys(stages)));
  if (typeof own['name'] !== 'string')
    throw new StageError(
      `The settings file ${path} has no name. Add a line such as name: prod; stacks and secrets have it.`,
    );
  const merged = { ...base, ...own };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
}

function readObject(path: string, folder: string): Readonly<Record<string, unknown>> {
  const { documents, diagnostics } = parseYaml(path, readText(path, folder));
  if (diagnostics.length > 0) {
    const lines = diagnostics.map((diagnostic) => `  ${renderDiagnostic(diagnostic)}`);
    throw new StageError(`The settings file ${path} cannot be read:\n${lines.join('\n')}`);
  }
  const [document, ...others] = documents;
  const value: unknown = document?.value;
  if (others.length > 0 || typeof value !== 'object' || value === null || Array.isArray(value))
    throw new StageError(
      `The settings file ${path} must hold the settings of one stage. Write one document such as name: prod.`,
    );
  return value as Readonly<Record<string, unknown>>;
}

function readText(path: string, folder: string): string {
  try {
    return readFileSync(resolve(folder, path), 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new StageError(
      `The settings file "${path}" cannot be read (${code}). Pass -c settings=FILE with a file that exists.`,
    );
  }
}

function explainLike(path: string, like: unknown, known: readonly string[]): string {
  const nearest = findNearest(String(like), known);
  const hint = nearest === undefined ? '.' : `; did you mean ${nearest}?`;
  return `The settings file ${path} says like: ${String(like)}, which is no stage${hint} Choose one of ${known.join(', ')}.`;
}
