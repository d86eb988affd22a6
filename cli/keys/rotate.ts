// `neuron keys rotate`: another text for a key, which keeps its id, limits and neurons. The text before it ends after an overlap.
import { generateApiKey } from '../../core/access/api-key.ts';
import type { KeyRotationOutcome } from '../../core/ports/keys.ts';
import { toIso } from '../../core/time/iso.ts';
import { KEY_ARGUMENT, ORGANIZATION, parseDurationMs } from '../command/arguments.ts';
import { command, option } from '../command/command.ts';
import type { ListedKey } from '../json/keys.ts';
import { CommandFailure } from '../output/failure.ts';
import { requireKey, requireOrganization, unknownKey } from '../session/require-stored.ts';
import { createAuditStamp } from '../session/stamped-writes.ts';
import { revokedKey } from './key-arguments.ts';

/** The new text as `--json` shows it, the only place where `key` appears. */
interface RotatedKey extends Pick<ListedKey, 'keyId' | 'prefix' | 'lastFour'> {
  readonly key: string;
  readonly organization: string;
  /** Until then the text before it is valid too. */
  readonly overlapEndsAt: string;
}

const DAY_MS = 86_400_000;

export const keysRotate = command({
  name: 'rotate',
  description:
    'Makes another text of an API key and prints it once. The one before it ends after an overlap.',
  arguments: { organization: ORGANIZATION, key: KEY_ARGUMENT },
  options: {
    overlapMs: option(
      '--overlap <duration>',
      'how long both are valid, such as 1h; 0s ends the one before at once',
      parseOverlapMs,
      {
        default: DAY_MS,
        shown: '24h',
      },
    ),
  },
  async run({ organization: slug, key: named, overlapMs }, { out, connect }) {
    const ports = await connect();
    const organization = await requireOrganization(ports.store, slug);
    const { keyId, name } = await requireKey(ports.keys, organization, named);
    const { since: rotatedAt, by: rotatedBy } = await createAuditStamp(ports);
    const overlapEndsAt = toIso(Date.parse(rotatedAt) + overlapMs);
    await out.confirm(`Rotate key ${keyId} (${name}) of ${slug}? Its present text ends at ${overlapEndsAt}.`);
    const { key, digest, prefix, lastFour } = generateApiKey(ports.random, keyId);
    const rotation = { digest, prefix, lastFour, rotatedAt, rotatedBy, overlapEndsAt };
    const failure = toFailure(await ports.keys.rotate(organization.id, keyId, rotation), slug, keyId);
    if (failure !== undefined) throw failure;
    const rotated: RotatedKey = { key, keyId, prefix, lastFour, organization: slug, overlapEndsAt };
    out.value(rotated, key);
    const before =
      overlapMs === 0 ? 'The one before is not valid any more.' : `Both are valid until ${overlapEndsAt}.`;
    out.message(
      `Key ${keyId} of ${slug} has a new text, with the same limits and neurons. ${before}\nThe key is not shown again. Never put it in the code of a web page or app.`,
    );
  },
});

function parseOverlapMs(text: string): number {
  return text === '0s' ? 0 : parseDurationMs(text);
}

function toFailure(
  outcome: KeyRotationOutcome,
  organization: string,
  keyId: string,
): CommandFailure | undefined {
  switch (outcome) {
    case 'rotated':
      return undefined;
    case 'revoked':
      return revokedKey(organization, keyId);
    case 'unknown':
      return unknownKey(organization, keyId);
    case 'conflict':
      return new CommandFailure({
        what: `Key ${keyId} of ${organization} was changed by someone else meanwhile. Nothing was changed.`,
        remedy: 'Run the command again.',
      });
  }
}
