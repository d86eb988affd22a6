// Seals and heads of chains as items of the usage table.
import { HEADS_PARTITION } from '../../../core/contract/tables.ts';
import { SEAL_RETENTION_MS, type Seal, type SealHead } from '../../../core/ports/seals.ts';
import type { Item } from '../client.ts';

/** Digits of a sequence number, which is sorted as text. */
const DIGITS = 15;

export function chainPartition(chain: string): string {
  return `SEAL#${chain}`;
}

export function sealKeys({ chain, sequence }: Pick<Seal, 'chain' | 'sequence'>): { pk: string; sk: string } {
  return { pk: chainPartition(chain), sk: String(sequence).padStart(DIGITS, '0') };
}

export function headKeys(chain: string): { pk: string; sk: string } {
  return { pk: HEADS_PARTITION, sk: chain };
}

export function sealAttributes({ chain: _chain, sequence: _sequence, ...seal }: Seal): Item {
  return { ...seal, expiresAt: Math.ceil((seal.sealedAtMs + SEAL_RETENTION_MS) / 1000) };
}

/** Attributes of a head's item beside its key. It never expires: a chain goes on after any pause. */
export function headAttributes({ sequence, hash, sealedAtMs }: SealHead): Item {
  return { sequence, hash, sealedAtMs };
}

/** Reads a seal back; undefined where an attribute is missing or has another type. */
export function toSeal(chain: string, item: Item): Seal | undefined {
  const { format, previous, previousAtMs, sealedAtMs, lines, hash, expiresAt } = item;
  const sequence = sequenceOf(item['sk']);
  const seal = { format, chain, sequence, previous, previousAtMs, sealedAtMs, lines, hash };
  const isWhole =
    [format, sequence, previousAtMs, sealedAtMs].every((number) => Number.isSafeInteger(number)) &&
    [previous, lines, hash].every((text) => typeof text === 'string') &&
    expiresAt === Math.ceil((Number(sealedAtMs) + SEAL_RETENTION_MS) / 1000);
  return isWhole ? (seal as Seal) : undefined;
}

/** NaN for a sort key that is not a seal's. */
export function sequenceOf(sort: unknown): number {
  return typeof sort === 'string' && /^[0-9]{15}$/.test(sort) ? Number(sort) : Number.NaN;
}

/** A head from its own item, or from the newest seal of the chain; undefined without an item or a sequence number. */
export function toHead(chain: string, item: Item | undefined, sequence: unknown): SealHead | undefined {
  if (item === undefined || !Number.isSafeInteger(sequence) || Number(sequence) < 1) return undefined;
  const { hash, sealedAtMs } = item;
  return {
    chain,
    sequence: Number(sequence),
    // Missing only if someone changed the item: sealing goes on, and the next seal shows it.
    hash: typeof hash === 'string' ? hash : '',
    sealedAtMs: Number.isSafeInteger(sealedAtMs) ? Number(sealedAtMs) : 0,
  };
}
