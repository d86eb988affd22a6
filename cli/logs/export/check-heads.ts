// Compares the seals of an export with the heads and the start that its manifest names.
import { renderHead } from '../../../core/logs/seals/seal.ts';
import { SERVICE_CHAIN, type SealHead } from '../../../core/ports/seals.ts';
import type { OpenExport } from './open-export.ts';
import type { ManifestProblem } from './parse-manifest.ts';

export type ExportedHead = Pick<SealHead, 'sequence' | 'hash' | 'sealedAtMs'>;

/** The newest link of each chain, and whether a line is of none. */
export interface ExportedHeads {
  readonly byChain: ReadonlyMap<string, ExportedHead>;
  readonly hasOthers: boolean;
}

export async function readHeads(exported: OpenExport): Promise<ExportedHeads> {
  const byChain = new Map<string, ExportedHead>();
  for (const chain of [exported.manifest.organizationId, SERVICE_CHAIN])
    for await (const { seal } of exported.seals(chain)) if (seal !== undefined) byChain.set(chain, seal);
  let hasOthers = false;
  for await (const _line of exported.seals('')) hasOthers = true;
  return { byChain, hasOthers };
}

/** The manifest names the newest link of each chain, and none is newer than the export. */
export function compareHeads(
  { manifest }: OpenExport,
  { byChain, hasOthers }: ExportedHeads,
): readonly ManifestProblem[] {
  const startedMs = Date.parse(manifest.startedAt);
  const problems: ManifestProblem[] = [];
  if (hasOthers) problems.push({ member: 'seals.file', problem: 'a line of it is no seal of this export' });
  for (const chain of [manifest.organizationId, SERVICE_CHAIN]) {
    const newest = byChain.get(chain);
    const named = manifest.seals.heads[chain] ?? null;
    if (named !== (newest === undefined ? null : renderHead(newest)))
      problems.push({ member: `seals.heads.${chain}`, problem: 'the newest seal is another' });
    if (newest !== undefined && newest.sealedAtMs > startedMs)
      problems.push({ member: 'startedAt', problem: `seal ${newest.sequence} is newer` });
  }
  return problems;
}
