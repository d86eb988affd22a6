// `neuron versions shadow start`: repeats a share of the runs with another version, after their answers.
import { InvalidArgumentError } from 'commander';
import { isOpen, startShadow } from '../../../core/admin/apply/shadows.ts';
import type { NeuronRecord } from '../../../core/ports/administration.ts';
import { parseShare, renderShare } from '../../../core/settings/rollout-schema.ts';
import { toIso } from '../../../core/time/iso.ts';
import { NEURON, parseDurationMs, VERSION } from '../../command/arguments.ts';
import { command, option } from '../../command/command.ts';
import { CommandFailure } from '../../output/failure.ts';
import { settingsTakeEffect } from '../../session/propagation-delay.ts';
import { requireVersion } from '../../session/require-stored.ts';
import { createAuditStamp, writeNeuron } from '../../session/stamped-writes.ts';
import { renderTarget } from '../../session/target.ts';
import { toValue } from './status.ts';

const MAX_DAYS = 30;
const MAX_DOLLARS = 100_000;

export const shadowStart = command({
  name: 'start',
  description: 'Repeats a share of the runs with a version, after their answers; nobody gets what it says.',
  arguments: { neuron: NEURON, id: VERSION },
  options: {
    share: option('--share <percent>', 'of the runs, such as 5%', toShare, { default: 500 }),
    budget: option('--budget <dollars>', 'what its model calls may cost in all', toMicrodollars, {
      default: 1_000_000,
    }),
    lengthMs: option('--for <duration>', `when it ends by itself, at most ${MAX_DAYS}d`, toLength, {
      default: 86_400_000,
    }),
  },
  help: 'Every model of the version needs a price. The budget is never exceeded: each call is reserved in it before.',
  async run({ neuron: target, id, share, budget, lengthMs }, { out, connect }) {
    const ports = await connect();
    const { neuron } = await requireVersion(ports.store, target, id);
    const name = renderTarget(target);
    const nowMs = ports.clock.now();
    requireStartable(neuron, { name, id, nowMs });
    const shadow = {
      id: Buffer.from(ports.random.bytes(8)).toString('hex'),
      version: id,
      basisPoints: share,
      budgetMicrodollars: budget,
      until: toIso(nowMs + lengthMs),
    };
    const started = startShadow(neuron, shadow, await createAuditStamp(ports));
    const dollars = `$${budget / 1e6}`;
    await out.confirm(
      `Repeat ${renderShare(share)} of the runs of ${name} with ${id}, for ${dollars} at most?`,
    );
    await writeNeuron(target.organization, started, ports);
    out.value(
      toValue(name, started),
      `${name}: ${id} repeats ${renderShare(share)} of the runs until ${shadow.until}, for ${dollars} at most. ${settingsTakeEffect(ports.stack)}`,
    );
  },
});

interface Wanted {
  readonly name: string;
  readonly id: string;
  readonly nowMs: number;
}

function requireStartable({ deployment, shadow }: NeuronRecord, { name, id, nowMs }: Wanted): void {
  if (shadow !== undefined && isOpen(shadow, nowMs))
    throw new CommandFailure({
      what: `${shadow.version} repeats runs of ${name} already, until ${shadow.until}.`,
      remedy: `Run \`neuron versions shadow stop ${name}\` first.`,
    });
  if (deployment === undefined)
    throw new CommandFailure({
      what: `${name} has no deployed version, whose runs could be repeated.`,
      remedy: `Run \`neuron versions deploy ${name} ${id}\`.`,
    });
  if (deployment.version === id)
    throw new CommandFailure({ what: `${id} of ${name} is deployed: its own runs are not repeated.` });
}

function toShare(text: string): number {
  const share = parseShare(text);
  if (share !== undefined) return share;
  throw new InvalidArgumentError('It must be a share from 0.01% to 100%, such as 5%.');
}

function toMicrodollars(text: string): number {
  const microdollars = /^[0-9]{1,6}(?:\.[0-9]{1,6})?$/.test(text) ? Math.round(Number(text) * 1e6) : 0;
  if (microdollars >= 1 && microdollars <= MAX_DOLLARS * 1e6) return microdollars;
  throw new InvalidArgumentError(
    `It must be an amount in dollars, at most ${MAX_DOLLARS}, such as 2 or 0.50.`,
  );
}

function toLength(text: string): number {
  const ms = parseDurationMs(text);
  if (ms >= 60_000 && ms <= MAX_DAYS * 86_400_000) return ms;
  throw new InvalidArgumentError(`It must be 1m to ${MAX_DAYS}d.`);
}
