// Verifies an export by its manifest: its files by their digests, its entries by the chains beside it. Reads no table.
import { systemClock } from '../../../adapters/platform/clock.ts';
import type { RequiredHead } from '../../../core/admin/verify-log/check-chain.ts';
import { verifyLog } from '../../../core/admin/verify-log/verify-log.ts';
import { SERVICE_CHAIN } from '../../../core/ports/seals.ts';
import { EXIT, type ExitCode } from '../../output/failure.ts';
import type { Output } from '../../output/print.ts';
import { printableLine } from '../../output/printable.ts';
import { type OpenExport, openExport } from '../export/open-export.ts';
import { createVerificationProgress, printVerification } from './print-verification.ts';
import type { KeptHead } from './required-heads.ts';

/** True for names of manifests. No organization has such a name. */
export function isManifest(text: string | undefined): text is string {
  return text?.endsWith('.manifest.json') ?? false;
}

/** `kept`: a head of the organization's chain. */
export async function verifyExport(path: string, kept: KeptHead | undefined, out: Output): Promise<ExitCode> {
  const exported = await openExport(path);
  const { organization, organizationId } = exported.manifest;
  const changed = await exported.findChangedFiles();
  for (const file of changed)
    out.value(
      { kind: 'file', file },
      `${printableLine(file)} is not the file that the manifest describes: its SHA-256 differs`,
    );
  let isIntact = changed.length === 0;
  const chains = [
    { chain: organizationId, organization, subject: `${organization} in this export`, kept },
    {
      chain: SERVICE_CHAIN,
      organization: undefined,
      subject: 'changes of the service in this export',
      kept: undefined,
    },
  ];
  for (const { kept: own, ...verified } of chains) {
    const run = verifyChain(exported, verified, own, createVerificationProgress(systemClock, out));
    if (!(await printVerification(run, { ...verified, isHeadKept: kept !== undefined }, out)))
      isIntact = false;
  }
  return isIntact ? EXIT.done : EXIT.failed;
}

/** Verifies at the time when the export started: entries that had expired by then are rightly missing. */
function verifyChain(
  exported: OpenExport,
  { chain, organization }: { readonly chain: string; readonly organization: string | undefined },
  kept: KeptHead | undefined,
  onProgress: Parameters<typeof verifyLog>[2],
) {
  const { from, to, startedAt } = exported.manifest;
  const heads: RequiredHead[] = [];
  const beside = exported.head(chain);
  if (beside !== undefined) heads.push({ source: 'table', ...beside });
  if (kept !== undefined) heads.push({ source: 'kept', ...kept });
  const [fromMs, toMs, nowMs] = [Date.parse(from), Date.parse(to), Date.parse(startedAt)];
  const sources = {
    seals: exported.seals(chain),
    entries: exported.entries(),
    find: (position: Parameters<OpenExport['find']>[0]) => exported.find(position),
  };
  return verifyLog({ chain, organization, fromMs, toMs, nowMs, heads }, sources, onProgress);
}
