// `neuron usage`: shows the usage of an organization by neuron, model, username, API key and day, with a forecast of the month.
import type { UsageQuery } from '../../core/ports/usage.ts';
import { parseOrganization, userOption } from '../command/arguments.ts';
import { argument, command, flag, option } from '../command/command.ts';
import { findLogOwner } from '../logs/find-log-owner.ts';
import { EXIT, usageFailure } from '../output/failure.ts';
import type { Output } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import { ALL_OPTIONS, showAll } from './all-view.ts';
import { showUsage } from './show-usage.ts';
import { showVerification } from './show-verification.ts';
import { type Dimension, parseDimension } from './usage-by.ts';
import { parsePeriod, toDays, type UsagePeriod } from './usage-period.ts';

interface UsageInput {
  readonly args: {
    readonly organization: string;
    readonly period: UsagePeriod;
    readonly deleted: string | undefined;
    readonly by: Dimension | undefined;
    readonly user: string | undefined;
  };
  readonly ports: Pick<Ports, 'store' | 'keys' | 'changes' | 'usage' | 'entries' | 'clock' | 'secretReader'>;
  readonly out: Output;
}

const ONE_OF = 'Pass an organization, such as acme, or --all.';

export const usage = command({
  name: 'usage',
  arguments: { organization: argument('[organization]', 'the organization', parseOrganization) },
  options: {
    all: flag('--all', 'show all organizations, the largest first, with alerts and limits nearly used'),
    ...ALL_OPTIONS,
    period: option(
      '--period <period>',
      'month or day (the current one), a month such as 2026-11, or a day such as 2026-11-21',
      parsePeriod,
      { default: 'month' },
    ),
    by: option(
      '--by <dimension>',
      'show one table alone: key, neuron, model, username, day, version, branch, rollout, feedback or tag:NAME; with --json one object a line',
      parseDimension,
    ),
    user: userOption('show the usage of this username alone'),
    deleted: option(
      '--deleted <id>',
      'show usage of the deleted organization with this id, whose slug is used again',
    ),
    verify: flag('--verify', 'recount from the log entries, and exit with 1 if the usage differs'),
  },
  conflicts: [
    { option: 'verify', with: ['by', 'user'], remedy: 'Pass one of them: --verify compares all.' },
    { option: 'user', with: ['by'], remedy: 'Pass one of them: --user shows one row of --by username.' },
    { option: 'all', with: ['by', 'deleted', 'verify', 'user'] },
  ],
  async run({ verify, all, sort, limit, organization, ...rest }, { out, connect }) {
    if (all) {
      if (organization !== undefined)
        throw usageFailure('An organization and --all were both given.', ONE_OF);
      const ports = await connect();
      const days = toDays(rest.period, ports.clock.now());
      await showAll(days, { sort, limit }, ports, out);
      return EXIT.done;
    }
    if (organization === undefined) throw usageFailure('No organization was given.', ONE_OF);
    if (sort !== undefined || limit !== undefined)
      throw usageFailure('--sort and --limit are options of --all.', 'Omit them, or pass --all.');
    const args = { organization, ...rest };
    const input = { args, ports: await connect(), out };
    const query = await toQuery(input);
    if (verify) return showVerification(query, input);
    await showUsage(query, input);
    return EXIT.done;
  },
});

async function toQuery({
  args: { organization, period, deleted },
  ports,
  out,
}: UsageInput): Promise<UsageQuery> {
  const days = toDays(period, ports.clock.now());
  const range = { deleted, fromMs: Date.parse(days.fromDay) };
  const { organizationId } = await findLogOwner({ organization, neuron: undefined }, range, ports, out);
  return { organizationId, ...days };
}
