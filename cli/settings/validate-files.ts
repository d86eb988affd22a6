// Reads and judges the settings files that a command was given, all findings at once.
import { createInstructionFiles } from '../../adapters/files/instruction-files.ts';
import type { Given } from '../../core/admin/apply/changes.ts';
import { type Diagnostic, renderDiagnostic, renderPath } from '../../core/admin/diagnostic.ts';
import {
  findNamedOrganizations,
  type ValidationContext,
  validateDocuments,
} from '../../core/admin/validate/documents.ts';
import { inlineFiles } from '../../core/admin/validate/inline-files.ts';
import { type ReadSharedSecret, validateSharedSecrets } from '../../core/admin/validate/shared-secrets.ts';
import { printableLine } from '../output/printable.ts';
import { readSettingsFiles } from './settings-files.ts';

/** What was read and what is to be said about it. `refusals` stop everything. */
export interface ValidatedFiles {
  readonly given: Given;
  readonly files: number;
  readonly documents: number;
  readonly refusals: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

/** What files are judged against; `readStored` is given the slugs of organizations that no file holds. */
interface FileContext extends Omit<ValidationContext, 'stored' | 'complete'> {
  readonly readStored?: (slugs: readonly string[]) => Promise<ReadonlyMap<string, unknown>>;
  /** Absent where nobody may read secrets: then they are not judged. */
  readonly readSharedSecret?: ReadSharedSecret;
}

/** Reads files and folders, relative to `folder`. Throws `CommandFailure` where one cannot be read at all. */
export async function validateFiles(
  paths: readonly string[],
  folder: string,
  { readStored, readSharedSecret, ...context }: FileContext,
): Promise<ValidatedFiles> {
  const read = readSettingsFiles(paths, folder);
  const files = createInstructionFiles(folder);
  const inlined = read.documents.map((document) => inlineFiles(document, files));
  const documents = inlined.map(({ document }) => document);
  const findings = inlined.flatMap((one) => one.findings);
  const stored = await readStored?.(findNamedOrganizations(documents));
  const complete = read.findings.length === 0;
  const judgement = validateDocuments(documents, { ...context, stored, complete });
  const secrets =
    readSharedSecret === undefined
      ? { refusals: [], warnings: [] }
      : await validateSharedSecrets(documents, readSharedSecret);
  return {
    given: judgement.given,
    files: read.files.length,
    documents: documents.length,
    refusals: [...read.findings, ...findings, ...judgement.refusals, ...secrets.refusals].toSorted(byPlace),
    warnings: [...judgement.warnings, ...secrets.warnings].toSorted(byPlace),
  };
}

/** File by file, from top to bottom. */
function byPlace(one: Diagnostic, other: Diagnostic): number {
  if (one.file !== other.file) return one.file < other.file ? -1 : 1;
  return one.line - other.line || one.column - other.column;
}

/** A finding as `--json` shows it. */
export function toListedDiagnostic(
  severity: 'error' | 'warning',
  finding: Diagnostic,
): Readonly<Record<string, unknown>> {
  const { file, line, column, path, message } = finding;
  return { severity, file, line, column, path: renderPath(path), message };
}

/** A finding on one harmless line, in the form that editors and terminals turn into a link. */
export function renderHarmless(finding: Diagnostic): string {
  return printableLine(renderDiagnostic(finding));
}
