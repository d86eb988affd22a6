// Verifies an export by its manifest: every member of it, its files by their digests, its entries by the chains beside it. Reads no table.
import { systemClock } from '../../../adapters/platform/clock.ts';
import type { RequiredHead } from '../../../core/admin/verify-log/check-chain.ts';
import { type VerificationSources, verifyLog } from '../../../core/admin/verify-log/verify-log.ts';
import { parseHead } from '../../../core/logs/seals/seal.ts';
import { SERVICE_CHAIN } from '../../../core/ports/seals.ts';
import { EXIT, type ExitCode } from '../../output/failure.ts';
import type { Output } from '../../output/print.ts';
import { compareHeads, type ExportedHead, readHeads } from '../export/check-heads.ts';
import { type OpenExport, openExport, readManifest } from '../export/open-export.ts';
import { createExportReport } from './export-report.ts';
import { createVerificationProgress, printVerification } from './print-verification.ts';
import type { KeptHead } from './required-heads.ts';

/** True for names of manifests. No organization has such a name. */
export function isManifest(text: string | undefined): text is string {
  return text?.endsWith('.manifest.json') ?? false;
}

/** `kept`: a head of the organization's chain. */
export async function verifyExport(path: string, kept: KeptHead | undefined, out: Output): Promise<ExitCode> {
  const report = createExportReport(out);
  const { problems, manifest } = await readManifest(path, systemClock.now());
  report.manifest(problems);
  // Without a period and a time nothing can be compared.
  if (manifest === undefined) return EXIT.failed;
  const exported = openExport(path, manifest);
  report.files(await exported.findOtherFiles());
  const heads = await readHeads(exported);
  report.manifest(compareHeads(exported, heads));
  const isHeadKept = kept !== undefined;
  const { organization, organizationId } = manifest;
  const newest = heads.byChain.get(organizationId);
  const checks = exported.createChecks();
  const erasures = await exported.erasures();
  const ofOwn = { chain: organizationId, organization, newest, kept };
  const isOwnIntact = await printVerification(
    report.during(verifyChain(exported, ofOwn, { entries: exported.entries(checks), erasures }, out), checks),
    { ...ofOwn, subject: `${organization} in this export`, isHeadKept, exported: manifest },
    out,
  );
  const ofService = {
    chain: SERVICE_CHAIN,
    organization: undefined,
    newest: heads.byChain.get(SERVICE_CHAIN),
    kept: undefined,
  };
  const isServiceIntact = await printVerification(
    report.during(verifyChain(exported, ofService, { entries: exported.entries() }, out), undefined),
    { ...ofService, subject: 'changes of the service in this export', isHeadKept, exported: manifest },
    out,
  );
  return isOwnIntact && isServiceIntact ? EXIT.done : EXIT.failed;
}

interface ExportedChain {
  readonly chain: string;
  readonly organization: string | undefined;
  readonly newest: ExportedHead | undefined;
  readonly kept: KeptHead | undefined;
}

/** Only what the newest seal dates may have expired: the manifest alone excuses nothing. */
function verifyChain(
  exported: OpenExport,
  { chain, organization, newest, kept }: ExportedChain,
  sources: Pick<VerificationSources, 'entries' | 'erasures'>,
  out: Output,
) {
  const { from, to, startedAt, seals } = exported.manifest;
  const exportedMs = Date.parse(startedAt);
  const heads: RequiredHead[] = [];
  const beside = parseHead(seals.heads[chain] ?? '');
  if (beside !== undefined) heads.push({ source: 'table', ...beside });
  if (kept !== undefined) heads.push({ source: 'kept', ...kept });
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const nowMs = Math.min(exportedMs, newest?.sealedAtMs ?? 0);
  const find: OpenExport['find'] = (position) => exported.find(position);
  return verifyLog(
    { chain, organization, fromMs, toMs, nowMs, exportedMs, heads },
    { seals: exported.seals(chain), find, ...sources },
    createVerificationProgress(systemClock, out),
  );
}
