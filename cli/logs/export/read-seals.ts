// Reads the seals of an export. Whatever somebody wrote there becomes a seal that is named, never a crash.
import { SERVICE_CHAIN, type Seal, type StoredSeal } from '../../../core/ports/seals.ts';
import { linesOfFile } from './read-spool.ts';

/** A line of the file of seals. */
export interface ExportedSeal extends StoredSeal {
  readonly chain: string;
}

/** Every line in order; one that is no link of this chain or that of the service has the chain ''. */
export async function* readSeals(path: string, organizationId: string): AsyncGenerator<ExportedSeal> {
  for await (const line of linesOfFile(path)) {
    const { chain, sequence, seal } = parseLine(line);
    const isKnown = chain === organizationId || chain === SERVICE_CHAIN;
    const isNumber = Number.isSafeInteger(sequence) && Number(sequence) > 0;
    yield {
      chain: isKnown ? chain : '',
      sequence: isNumber ? Number(sequence) : Number.NaN,
      seal: isNumber && isSealOf(seal, chain, sequence) ? seal : undefined,
    };
  }
}

function parseLine(line: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(line)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** The chain and the number of the line are those of the seal: another organization's seals would have fitting hashes, too. */
function isSealOf(value: unknown, chain: unknown, sequence: unknown): value is Seal {
  if (typeof value !== 'object' || value === null) return false;
  const seal = value as Readonly<Record<string, unknown>>;
  return (
    seal['chain'] === chain &&
    seal['sequence'] === sequence &&
    [seal['format'], seal['previousAtMs'], seal['sealedAtMs']].every(Number.isSafeInteger) &&
    [seal['previous'], seal['lines'], seal['hash']].every((text) => typeof text === 'string')
  );
}
