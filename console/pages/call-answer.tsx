// The answer of a call in the playground, its facts, and its entry in the log as soon as there is one.
import { useEffect } from 'preact/hooks';
import type { CallEvent } from '../../cli/console/api.ts';
import { formatCost, formatMs, formatNumber } from '../data/format.ts';
import { pathTo } from '../data/paths.ts';
import { useCommand } from '../data/use-query.ts';
import type { FullEntryValue } from '../data/values.ts';
import { Badge, Card, Figure } from '../parts/layout.tsx';
import { Block, Line } from '../parts/text.tsx';
import { Entry } from './logs/entry.tsx';

export interface CallState {
  readonly text: string;
  /** Pieces in which the text came. */
  readonly parts: number;
  readonly end?: Exclude<CallEvent, { readonly kind: 'delta' }>;
  readonly isRunning: boolean;
  readonly startedMs: number;
  readonly firstMs?: number;
  readonly endedMs?: number;
}

/** An entry is written a moment after the answer. */
const RETRY_MS = 700;

export function Answer({
  organization,
  state,
}: {
  readonly organization: string;
  readonly state: CallState;
}) {
  const { end, text, isRunning } = state;
  const output = end?.kind === 'result' ? (end.body.output ?? '') : text;
  const id = end?.headers['x-execution-id'];
  return (
    <>
      <Card title="Answer" wide aside={<Status state={state} />}>
        {end?.kind === 'error' ? (
          <p>
            <Line text={end.body.error} />
          </p>
        ) : (
          <Block
            text={isRunning && output === '' ? '…' : output}
            label="Output of the call"
            isGrowing={isRunning}
          />
        )}
        {end?.kind === 'result' && end.body.toolCalls && (
          <Block text={JSON.stringify(end.body.toolCalls, null, 2)} label="Calls of tools" />
        )}
        <Times state={state} />
      </Card>
      {id && end?.body && 'code' in end.body && end.body.code === 'not_found'
        ? null
        : id && <LogEntryCard key={id} organization={organization} id={id} />}
    </>
  );
}

function Status({ state: { end, isRunning, parts } }: { readonly state: CallState }) {
  if (isRunning || end === undefined)
    return parts === 0 ? (
      <Badge>waiting for the first text</Badge>
    ) : (
      <Badge tone="accent">text is streaming</Badge>
    );
  if (end.kind === 'error')
    return (
      <Badge tone="bad">
        {end.status} {end.body.code}
      </Badge>
    );
  const cache = end.headers['x-cache'];
  return (
    <span>
      {end.body.executionStopped && <Badge tone="warn">stopped</Badge>}{' '}
      <Badge tone="good">{end.status}</Badge> {cache && <Badge>cache {cache}</Badge>}
    </span>
  );
}

function Times({ state: { startedMs, firstMs, endedMs, parts } }: { readonly state: CallState }) {
  if (endedMs === undefined) return null;
  return (
    <p class="detail">
      {parts > 0 &&
        firstMs !== undefined &&
        `Streamed in ${formatNumber(parts)} ${parts === 1 ? 'part' : 'parts'}, the first after ${formatMs(firstMs - startedMs)}. `}
      Answered after {formatMs(endedMs - startedMs)}, measured by this page.
    </p>
  );
}

/** Requests the entry until it exists. */
function LogEntryCard({ organization, id }: { readonly organization: string; readonly id: string }) {
  const query = useCommand<FullEntryValue>('entry', { target: organization, id });
  const entry = query.data?.values[0];
  const isMissing = entry === undefined && !query.isLoading;
  useEffect(() => {
    if (!isMissing) return;
    const timer = setTimeout(query.reload, RETRY_MS);
    return () => clearTimeout(timer);
  }, [isMissing, query.reload]);
  if (entry === undefined)
    return (
      <p class="detail" role="status">
        Waiting for the log entry…
      </p>
    );
  return (
    <Card title="Log entry" wide aside={<a href={pathTo(organization, 'logs', { id })}>Open in the logs</a>}>
      <div class="figures plain">
        <Figure label="Cost" value={formatCost(entry.costMicrodollars)} />
        <Figure
          label="Tokens in / out"
          value={`${formatNumber(entry.tokensInput)} / ${formatNumber(entry.tokensOutput)}`}
        />
        <Figure label="Latency" value={formatMs(entry.latencyMs)} />
        <Figure label="Cache" value={entry.cache ?? '–'} />
      </div>
      <Entry entry={entry} />
    </Card>
  );
}
