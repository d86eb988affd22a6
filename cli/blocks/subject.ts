// The caller that a block is for: a user, an address or a range, or an API key.
import { InvalidArgumentError } from 'commander';
import { parseRange, sizeOfRange } from '../../core/settings/blocks/range.ts';
import type { Block } from '../../core/settings/stored-settings.ts';
import { keyOption, userOption } from '../command/arguments.ts';
import { option, type ValuesOf } from '../command/command.ts';
import type { Conflict } from '../command/conflicts.ts';
import { usageFailure } from '../output/failure.ts';

/** The shortest prefixes: a wider range is a pause by another name. */
const MIN_PREFIX = { 4: 8, 6: 19 } as const;
const BITS = { 4: 32, 6: 128 } as const;

export const SUBJECT_OPTIONS = {
  user: userOption('a user, by the name in the log: compared exactly, with its letter case'),
  ip: option(
    '--ip <range>',
    'an address, or a range such as 203.0.113.0/24 or 2001:db8::/48',
    parseBlockedRange,
  ),
  key: keyOption('an API key'),
};

export const SUBJECT_CONFLICTS: readonly Conflict<keyof typeof SUBJECT_OPTIONS>[] = [
  { option: 'user', with: ['ip', 'key'] },
  { option: 'ip', with: ['key'] },
];

type Subject = Pick<Block, 'kind' | 'value'>;

/** In the spelling in which it is stored. */
export function parseBlockedRange(text: string): string {
  const range = parseRange(text);
  if (range === undefined)
    throw new InvalidArgumentError(
      'It must be an IP address, or a range such as 203.0.113.0/24 whose bits beyond the prefix are zero.',
    );
  const { family } = range;
  if (sizeOfRange(range) > 1n << BigInt(BITS[family] - MIN_PREFIX[family]))
    throw new InvalidArgumentError(
      `It must be no wider than /${MIN_PREFIX[family]}. To close it for everybody, use \`neuron pause\`.`,
    );
  return range.text;
}

/** The one subject that the options name; a key as it was typed. Throws where there is none. */
export function readSubject({ user, ip, key }: ValuesOf<typeof SUBJECT_OPTIONS>): Subject {
  if (user !== undefined) return { kind: 'user', value: user };
  if (ip !== undefined) return { kind: 'ip', value: ip };
  if (key !== undefined) return { kind: 'key', value: key };
  throw usageFailure('Nobody was named.', 'Pass one of --user, --ip and --key.');
}

export function sameSubject(one: Subject, other: Subject): boolean {
  return one.kind === other.kind && one.value === other.value;
}

export function renderSubject({ kind, value }: Subject): string {
  return `${{ user: 'user', ip: 'address', key: 'API key' }[kind]} ${value}`;
}
