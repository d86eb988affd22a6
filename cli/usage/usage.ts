// `neuron usage`: shows the usage of an organization by neuron, model, username, API key and day, with a forecast of the month.
import type { UsageQuery } from '../../core/ports/usage.ts';
import { ORGANIZATION, userOption } from '../command/arguments.ts';
import { command, flag, option } from '../command/command.ts';
import { parseMaximum, parseOrganization } from '../command/arguments.ts';
import { argument, command, flag, option } from '../command/command.ts';
import { findLogOwner } from '../logs/find-log-owner.ts';
import { EXIT, type ExitCode, usageFailure } from '../output/failure.ts';
import { count, type Output } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import { MAX_ORGANIZATIONS, readServiceUsage, USAGE_ORDERS } from './all-organizations.ts';
import { printServiceUsage } from './all-view.ts';
import { showUsage } from './show-usage.ts';
import { type Dimension, parseDimension } from './usage-by.ts';
import { parsePeriod, toDays, type UsagePeriod } from './usage-period.ts';
import { DIFFERENCE_COLUMNS, type NamedDifference } from './usage-view.ts';
import { type UsageDifference, verifyUsage } from './verify-usage.ts';

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

const DEFAULT_MAXIMUM = 20;
const ONE_OF = 'Pass an organization, such as acme, or --all.';

export const usage = command({
  name: 'usage',
  description:
    'Shows requests, tokens, cost and savings by neuron, model, username, key and day, with a forecast.',
  arguments: { organization: argument('[organization]', 'the organization', parseOrganization) },
  options: {
    all: flag('--all', 'show all organizations, the largest first, with alerts and limits nearly used'),
    sort: option('--sort <by>', 'order of organizations with --all (default: cost)', USAGE_ORDERS),
    limit: option(
      '--limit <number>',
      'organizations to show with --all (default: 20)',
      parseMaximum(MAX_ORGANIZATIONS),
    ),
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
  ],
  async run({ verify, ...args }, { out, connect }) {
    { option: 'all', with: ['by', 'deleted', 'verify'] },
    { option: 'verify', with: ['by'], remedy: 'Pass one of them: --verify compares all.' },
  ],
  async run({ verify, all, sort, limit, organization, ...rest }, { out, connect }) {
    if (all) {
      if (organization !== undefined)
        throw usageFailure('An organization and --all were both given.', ONE_OF);
      const ports = await connect();
      const days = toDays(rest.period, ports.clock.now());
      const query = { days, order: sort ?? 'cost', maximum: limit ?? DEFAULT_MAXIMUM };
      printServiceUsage(await readServiceUsage(query, ports), out);
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

/** Fails where the rollups differ from the entries or have not caught up. */
async function showVerification(query: UsageQuery, { args, ports, out }: UsageInput): Promise<ExitCode> {
  const { outcome, left, differences } = await verifyUsage(query, ports, () =>
    out.message('The usage does not match the log entries yet. Waiting for it to catch up.'),
  );
  const named = await nameNeurons(differences, args.organization, query, ports);
  const { fromDay, toDay } = query;
  const period = `from ${fromDay} to ${toDay}`;
  if (left > 0)
    out.message(
      `${count(left, 'neuron day')} ${left === 1 ? 'was' : 'were'} skipped: log entries have expired and cannot be recounted.`,
    );
  const what = `The usage of ${args.organization} ${period}`;
  if (out.json) {
    out.value({ organization: args.organization, fromDay, toDay, outcome, left, differences: named }, '');
  } else if (outcome === 'agrees') {
    out.value(undefined, `${what} matches its log entries.`);
  } else {
    out.list(named, DIFFERENCE_COLUMNS, '');
  }
  if (outcome === 'differs') out.warn(`${what} differs from its log entries.`);
  if (outcome === 'behind')
    out.warn(`${what} has not caught up with the newest entry, or calls keep coming. Try again later.`);
  return outcome === 'agrees' ? EXIT.done : EXIT.failed;
}

/** Neurons of a deleted organization stay without a slug, since another organization may have it now. */
async function nameNeurons(
  differences: readonly UsageDifference[],
  organization: string,
  { organizationId }: UsageQuery,
  { store }: UsageInput['ports'],
): Promise<NamedDifference[]> {
  const record = differences.length === 0 ? undefined : await store.readOrganization(organization);
  const neurons = record?.id === organizationId ? await store.listNeurons(record) : [];
  const slugs = new Map(neurons.map(({ id, slug }) => [id, slug]));
  return differences.map((one) => ({ ...one, neuron: slugs.get(one.neuronId) ?? null }));
}

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
