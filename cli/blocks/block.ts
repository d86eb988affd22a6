// `neuron block` and `unblock`: refuse one caller of an organization or a neuron until a time. Only commands set blocks, no settings file.
import { InvalidArgumentError } from 'commander';
import { MAX_BLOCKS } from '../../core/settings/blocks/blocks.ts';
import { toIso } from '../../core/time/iso.ts';
import { parseDurationMs, parseTarget } from '../command/arguments.ts';
import { argument, command, option } from '../command/command.ts';
import { CommandFailure, usageFailure } from '../output/failure.ts';
import { settingsTakeEffect } from '../session/propagation-delay.ts';
import { createAuditStamp } from '../session/stamped-writes.ts';
import { renderTarget } from '../session/target.ts';
import { blockList } from './list.ts';
import { currentBlocks, requireOwner, requireSubject, writeBlocks } from './stored-blocks.ts';
import { readSubject, renderSubject, SUBJECT_CONFLICTS, SUBJECT_OPTIONS, sameSubject } from './subject.ts';

const MAX_DAYS = 90;

/** Milliseconds, of at most 90 days: a block is no settings file, which says who is let in. */
export function parseBlockLength(text: string): number {
  const ms = parseDurationMs(text);
  if (ms > MAX_DAYS * 86_400_000)
    throw new InvalidArgumentError(
      `It must be ${MAX_DAYS}d at most. For longer, revoke the key, or change the neuron's access.`,
    );
  return ms;
}

const TARGET = argument('<organization[/neuron]>', 'the organization, or one of its neurons', parseTarget);

/** Where the caller is blocked already, the end changes. */
export const block = command({
  name: 'block',
  arguments: { target: TARGET },
  options: {
    ...SUBJECT_OPTIONS,
    lengthMs: option('--for <duration>', 'how long, such as 2h, at most 90d', parseBlockLength),
  },
  conflicts: SUBJECT_CONFLICTS,
  commands: [blockList],
  help: 'A user is blocked by the name that the log shows; a caller with an API key has none, so block its key. Blocks are states, not settings: `neuron apply` leaves them alone.',
  async run({ target, lengthMs, ...named }, { out, connect }) {
    const typed = readSubject(named);
    if (lengthMs === undefined) throw usageFailure('No end was given.', 'Pass --for, such as --for 2h.');
    const ports = await connect();
    const owner = await requireOwner(target, ports);
    const subject = await requireSubject(typed, owner, ports);
    const name = renderTarget(target);
    await out.confirm(`Block ${renderSubject(subject)} of ${name}? Its calls are then answered 429.`);
    const nowMs = ports.clock.now();
    const stamp = await createAuditStamp(ports);
    const added = { ...subject, until: toIso(nowMs + lengthMs), ...stamp };
    const others = currentBlocks(owner, nowMs).filter((one) => !sameSubject(one, subject));
    if (others.length >= MAX_BLOCKS)
      throw new CommandFailure({
        what: `${name} has ${MAX_BLOCKS} blocks, which is the maximum.`,
        why: 'Each request is compared with all of them.',
        remedy: `Run \`neuron block list ${name}\`, and block a range of addresses in place of many.`,
      });
    await writeBlocks(owner, [...others, added], ports);
    out.value(
      { target: name, block: added },
      `Blocked ${renderSubject(subject)} of ${name} until ${added.until}. ${settingsTakeEffect(ports.stack)}`,
    );
  },
});

export const unblock = command({
  name: 'unblock',
  arguments: { target: TARGET },
  options: SUBJECT_OPTIONS,
  conflicts: SUBJECT_CONFLICTS,
  async run({ target, ...subjects }, { out, connect }) {
    const typed = readSubject(subjects);
    const ports = await connect();
    const owner = await requireOwner(target, ports);
    const subject = await requireSubject(typed, owner, ports);
    const name = renderTarget(target);
    const blocks = currentBlocks(owner, ports.clock.now());
    const left = blocks.filter((one) => !sameSubject(one, subject));
    const value = { target: name, ...subject, unblocked: left.length < blocks.length };
    if (!value.unblocked)
      return out.value(value, `${renderSubject(subject)} of ${name} is not blocked by such a block.`);
    await out.confirm(`Unblock ${renderSubject(subject)} of ${name}?`);
    await writeBlocks(owner, left, ports);
    out.value(value, `Unblocked ${renderSubject(subject)} of ${name}. ${settingsTakeEffect(ports.stack)}`);
  },
});
