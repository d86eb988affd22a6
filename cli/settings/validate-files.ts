// Reads and validates settings files, and collects all diagnostics.
import type { SettingsInput } from '../../core/admin/apply/changes.ts';
import { byPlace, type Diagnostic, renderDiagnostic, splitBySeverity } from '../../core/admin/diagnostic.ts';
import {
  findNamedOrganizations,
  type ValidationContext,
  validateDocuments,
} from '../../core/admin/validate/documents.ts';
import type { ReadTests } from '../../core/admin/validate/read-documents.ts';
import { type ReadSharedSecret, validateSharedSecrets } from '../../core/admin/validate/shared-secrets.ts';
import { validateTests } from '../../core/admin/validate/tests.ts';
import { renderPath } from '../../core/settings/path.ts';
import { printableLine } from '../output/printable.ts';
import { type MergedFiles, readWithOverlays, type SettingsPaths } from './read-with-overlays.ts';

/** Errors prevent every write. Errors and warnings are sorted by place. */
export interface ValidatedFiles {
  readonly input: SettingsInput;
  readonly files: number;
  readonly documents: number;
  /** Empty where they were not asked for. */
  readonly tests: readonly ReadTests[];
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

/** `readStored` gets the slugs of organizations that are in no file. */
export interface FileContext extends Omit<ValidationContext, 'stored' | 'complete'> {
  readonly readStored?: (slugs: readonly string[]) => Promise<ReadonlyMap<string, unknown>>;
  /** Secrets are not validated without it. */
  readonly readSharedSecret?: ReadSharedSecret;
  /** Tests are validated too. Without it they are ignored: nothing is applied of them. */
  readonly withTests?: true;
}

/** Throws `CommandFailure` where a path cannot be read. */
export async function validateFiles(paths: SettingsPaths, context: FileContext): Promise<ValidatedFiles> {
  return validateMerged(readWithOverlays(paths), context);
}

/** Validates documents that were read already. */
export async function validateMerged(
  { documents, ...read }: MergedFiles,
  { readStored, readSharedSecret, withTests, ...context }: FileContext,
): Promise<ValidatedFiles> {
  const stored = await readStored?.(findNamedOrganizations(documents));
  const complete = read.diagnostics.length === 0;
  const { input, diagnostics } = validateDocuments(documents, { ...context, stored, complete });
  const ofSecrets =
    readSharedSecret === undefined ? [] : await validateSharedSecrets(documents, readSharedSecret);
  const ofTests = withTests === true ? validateTests(documents) : { tests: [], diagnostics: [] };
  const all = [
    ...ofTests.diagnostics,
    ...read.diagnostics,
    ...read.ofParts,
    ...diagnostics,
    ...ofSecrets,
  ].toSorted(byPlace);
  const { tests } = ofTests;
  return { input, tests, files: read.files.length, documents: documents.length, ...splitBySeverity(all) };
}

export function toListedDiagnostic(diagnostic: Diagnostic): Readonly<Record<string, unknown>> {
  const { severity, file, line, column, path, message } = diagnostic;
  return { severity, file, line, column, path: renderPath(path), message };
}

/** One escaped line, in a form that editors and terminals turn into a link. */
export function renderDiagnosticLine(diagnostic: Diagnostic): string {
  return printableLine(renderDiagnostic(diagnostic));
}
