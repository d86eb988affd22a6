// Reads and judges the settings files that a command was given, all findings at once.
import { createInstructionFiles } from '../adapters/files/instruction-files.ts';
import type { Given } from '../core/config/changes.ts';
import { type Finding, renderFinding, renderPath } from '../core/config/finding.ts';
import { inlineFiles } from '../core/config/inline-files.ts';
import { findNamedOrganizations, type JudgeContext, judgeDocuments } from '../core/config/judge.ts';
import { judgeSharedSecrets, type ReadSharedSecret } from '../core/config/judge-shared-secrets.ts';
import { printableLine } from './printable.ts';
import { readSettingsFiles } from './settings-files.ts';

/** What was read and what is to be said about it. `refusals` stop everything. */
export interface JudgedFiles {
  readonly given: Given;
  readonly files: number;
  readonly documents: number;
  readonly refusals: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/** What files are judged against; `readStored` is given the slugs of organizations that no file holds. */
export interface FileContext extends Omit<JudgeContext, 'stored' | 'complete'> {
  readonly readStored?: (slugs: readonly string[]) => Promise<ReadonlyMap<string, unknown>>;
  /** Absent where nobody may read secrets: then they are not judged. */
  readonly readSharedSecret?: ReadSharedSecret;
}

/** Reads files and folders, relative to `folder`. Throws `CommandFailure` where one cannot be read at all. */
export async function judgeFiles(
  paths: readonly string[],
  folder: string,
  { readStored, readSharedSecret, ...context }: FileContext,
): Promise<JudgedFiles> {
  const read = readSettingsFiles(paths, folder);
  const files = createInstructionFiles(folder);
  const inlined = read.documents.map((document) => inlineFiles(document, files));
  const documents = inlined.map(({ document }) => document);
  const findings = inlined.flatMap((one) => one.findings);
  const stored = await readStored?.(findNamedOrganizations(documents));
  const complete = read.findings.length === 0;
  const judgement = judgeDocuments(documents, { ...context, stored, complete });
  const secrets =
    readSharedSecret === undefined
      ? { refusals: [], warnings: [] }
      : await judgeSharedSecrets(documents, readSharedSecret);
  return {
    given: judgement.given,
    files: read.files.length,
    documents: documents.length,
    refusals: [...read.findings, ...findings, ...judgement.refusals, ...secrets.refusals].toSorted(byPlace),
    warnings: [...judgement.warnings, ...secrets.warnings].toSorted(byPlace),
  };
}

/** File by file, from top to bottom. */
function byPlace(one: Finding, other: Finding): number {
  if (one.file !== other.file) return one.file < other.file ? -1 : 1;
  return one.line - other.line || one.column - other.column;
}

/** A finding as `--json` shows it. */
export function toListedFinding(
  severity: 'error' | 'warning',
  finding: Finding,
): Readonly<Record<string, unknown>> {
  const { file, line, column, path, message } = finding;
  return { severity, file, line, column, path: renderPath(path), message };
}

/** A finding on one harmless line, in the form that editors and terminals turn into a link. */
export function renderHarmless(finding: Finding): string {
  return printableLine(renderFinding(finding));
}
