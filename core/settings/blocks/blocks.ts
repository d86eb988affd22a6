// Blocks of single callers of an organization or a neuron: set by a command, each with an end, stored beside a pause.
import { ServiceError } from '../../contract/service-error.ts';
import { isIpAddress } from '../ip-address.ts';
import type { Block, StoredSettings } from '../stored-settings.ts';
import { type AddressRange, includesAddress, parseRange } from './range.ts';

/** Max. blocks of an organization or a neuron: each request of a neuron is compared with those of both. */
export const MAX_BLOCKS = 100;

/** The caller of a request. The name of an end user may come later than the others. */
export interface BlockableCaller {
  readonly username?: string | undefined;
  readonly keyId?: string | undefined;
  readonly sourceIp: string;
}

/** A block, parsed once for each read of the settings. */
export interface UsableBlock extends Block {
  readonly untilMs: number;
  /** For an address. */
  readonly range?: AddressRange;
}

/** Those that can be used: one that somebody wrote by hand may be malformed, and closes nothing. */
export function toUsableBlocks({
  organization,
  neuron,
}: Pick<StoredSettings, 'organization' | 'neuron'>): readonly UsableBlock[] {
  return [...(organization?.blocks ?? []), ...(neuron?.blocks ?? [])].flatMap((block) => {
    const untilMs = Date.parse(block.until);
    const range = block.kind === 'ip' ? parseRange(block.value) : undefined;
    if (Number.isNaN(untilMs) || (block.kind === 'ip' && range === undefined)) return [];
    return [{ ...block, untilMs, ...(range === undefined ? {} : { range }) }];
  });
}

/**
 * Throws `ServiceError` `caller_blocked` (429) with the time until the block ends, for a caller that one of the blocks is for. Usernames are
 * compared exactly. The reason names no caller: the entry has its own members for that.
 */
export function requireUnblocked(
  blocks: readonly UsableBlock[],
  caller: BlockableCaller,
  nowMs: number,
): void {
  if (blocks.length === 0) return;
  const holding = blocks.filter((block) => block.untilMs > nowMs && isFor(block, caller));
  const [first, ...others] = holding;
  if (first === undefined) return;
  const last = others.reduce((one, other) => (other.untilMs > one.untilMs ? other : one), first);
  const reason = `the ${SUBJECTS[last.kind]} is blocked until ${last.until}, by ${last.by}`;
  throw new ServiceError('caller_blocked', { retryAfterMs: last.untilMs - nowMs, reason });
}

const SUBJECTS = { user: 'user', ip: 'address', key: 'API key' } as const satisfies Record<
  Block['kind'],
  string
>;

function isFor({ kind, value, range }: UsableBlock, { username, keyId, sourceIp }: BlockableCaller): boolean {
  if (kind === 'user') return username === value;
  if (kind === 'key') return keyId === value;
  return range !== undefined && isIpAddress(sourceIp) && includesAddress(range, sourceIp);
}
