// The state of the organizations that fail or run out: pauses, rollouts, guards that block or are down, and failures of the last hour.
import { formatNumber } from '../../data/format.ts';
import { pathTo, pathToNeuron } from '../../data/paths.ts';
import { useCommand } from '../../data/use-query.ts';
import type { OrganizationUsageValue, ServiceUsageValue, StatusValue } from '../../data/values.ts';
import { Badge, Card, type Tone } from '../../parts/layout.tsx';
import { QueryResult } from '../../parts/state.tsx';
import { Line } from '../../parts/text.tsx';

/** Each is a `neuron status`, whose reads are bounded. */
const MAX_LOOKED_AT = 4;
const REFRESH_MS = 60_000;
/** In sentences of the command. */
const ISO_TIME = /(\d{4}-\d\d-\d\d)T(\d\d:\d\d):[\d.]+Z/;

export function Attention({ usage }: { readonly usage: ServiceUsageValue }) {
  const chosen = chooseOrganizations(usage);
  return (
    <Card title="Now" wide>
      <p class="detail">
        {chosen.length === 1
          ? 'The organization that fails or runs out most, else costs most, in the last hour.'
          : `The ${chosen.length} organizations that fail or run out most, else cost most, in the last hour.`}
      </p>
      <div class="states">
        {chosen.map((organization) => (
          <State key={organization} organization={organization} />
        ))}
      </div>
    </Card>
  );
}

/** Those with alerts, limits nearly used or a guard that is down first, then those with most failures and blocked requests, then the largest. */
export function chooseOrganizations({ organizations, alerts }: ServiceUsageValue): readonly string[] {
  const alerted = new Set(alerts.map(({ organization }) => organization));
  const rank = (one: OrganizationUsageValue) =>
    (alerted.has(one.organization) || one.limits.length > 0 || one.guardNotJudged > 0 ? 1e15 : 0) +
    one.failed +
    one.guardBlocked;
  return organizations
    .toSorted((one, other) => rank(other) - rank(one))
    .slice(0, MAX_LOOKED_AT)
    .map(({ organization }) => organization);
}

function State({ organization }: { readonly organization: string }) {
  const status = useCommand<StatusValue>('status', { target: organization }, REFRESH_MS);
  return (
    <section class="state" aria-label={organization}>
      <h3>
        <a href={pathTo(organization, 'overview')}>{organization}</a>
      </h3>
      <QueryResult query={status} lines={2}>
        {({ values: [found] }) => found && <Lines status={found} />}
      </QueryResult>
    </section>
  );
}

function Lines({ status }: { readonly status: StatusValue }) {
  const lines = [...linesOfNeurons(status), ...linesOfGuards(status), ...linesOfFailures(status)];
  if (lines.length === 0)
    return (
      <p>
        <Badge tone="good">ok</Badge> Nothing failed, is paused, rolled out or blocked.
      </p>
    );
  return (
    <ul>
      {lines.map(({ tone, word, text, href }) => (
        <li key={`${word} ${text}`}>
          <Badge tone={tone}>{word}</Badge>{' '}
          <a href={href}>
            <Line text={text.replace(ISO_TIME, '$1 $2 UTC')} />
          </a>
        </li>
      ))}
    </ul>
  );
}

interface StateLine {
  readonly tone: Tone;
  readonly word: string;
  readonly text: string;
  readonly href: string;
}

function linesOfNeurons({ organization, closed, neurons }: StatusValue): readonly StateLine[] {
  const own: readonly StateLine[] =
    closed === null
      ? []
      : [{ tone: 'warn', word: 'closed', text: closed, href: pathTo(organization, 'neurons') }];
  return [
    ...own,
    ...neurons.flatMap((one): readonly StateLine[] => {
      const slug = one.neuron.split('/')[1] ?? '';
      const href = pathToNeuron(organization, slug);
      return [
        ...(one.closed === null
          ? []
          : [{ tone: 'warn' as const, word: 'closed', text: `${slug}: ${one.closed}`, href }]),
        ...(one.rollout === null
          ? []
          : [{ tone: 'accent' as const, word: 'rollout', text: `${slug}: ${one.rollout}`, href }]),
      ];
    }),
  ];
}

function linesOfGuards({ organization, guards }: StatusValue): readonly StateLine[] {
  const href = pathTo(organization, 'guards');
  const least = guards.complete ? '' : 'at least ';
  return guards.found.flatMap(({ guard, blocked, notJudged }): readonly StateLine[] => [
    ...(notJudged === 0
      ? []
      : [
          {
            tone: 'bad' as const,
            word: 'guard down',
            text: `${guard} did not judge ${least}${countRequests(notJudged)}`,
            href,
          },
        ]),
    ...(blocked === 0
      ? []
      : [
          {
            tone: 'warn' as const,
            word: 'guard',
            text: `${guard} blocked ${least}${countRequests(blocked)}`,
            href,
          },
        ]),
  ]);
}

function linesOfFailures({ organization, failures }: StatusValue): readonly StateLine[] {
  const least = failures.complete ? '' : 'at least ';
  return failures.codes.slice(0, 3).map(({ code, outcome, requests }) => ({
    tone: outcome === 'failed' ? 'bad' : 'warn',
    word: outcome,
    text: `${least}${countRequests(requests)} with ${code}`,
    href: pathTo(organization, 'logs', { outcome, since: '1h' }),
  }));
}

function countRequests(requests: number): string {
  return `${formatNumber(requests)} ${requests === 1 ? 'request' : 'requests'}`;
}
