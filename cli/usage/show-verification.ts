// Shows whether the usage of an organization agrees with the entries of its log.
import type { UsageQuery } from '../../core/ports/usage.ts';
import { EXIT, type ExitCode } from '../output/failure.ts';
import { count, type Output } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import { DIFFERENCE_COLUMNS, type NamedDifference } from './usage-view.ts';
import { type UsageDifference, verifyUsage } from './verify-usage.ts';

interface VerificationInput {
  readonly args: { readonly organization: string };
  readonly ports: Pick<Ports, 'store' | 'usage' | 'entries' | 'clock'>;
  readonly out: Output;
}

/** Fails where the rollups differ from the entries or have not caught up. */
export async function showVerification(
  query: UsageQuery,
  { args, ports, out }: VerificationInput,
): Promise<ExitCode> {
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
  { store }: VerificationInput['ports'],
): Promise<NamedDifference[]> {
  const record = differences.length === 0 ? undefined : await store.readOrganization(organization);
  const neurons = record?.id === organizationId ? await store.listNeurons(record) : [];
  const slugs = new Map(neurons.map(({ id, slug }) => [id, slug]));
  return differences.map((one) => ({ ...one, neuron: slugs.get(one.neuronId) ?? null }));
}
