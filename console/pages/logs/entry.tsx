// Shows an entry of the log in full, with its steps on a timeline.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { LoggedText } from '../../../core/contract/log-entry.ts';
import { formatCost, formatMs, formatNumber } from '../../data/format.ts';
import { pathTo } from '../../data/paths.ts';
import { useCommand } from '../../data/use-query.ts';
import type { FullEntryValue } from '../../data/values.ts';
import { Icon } from '../../parts/icon.tsx';
import { CommandLine, Outcome } from '../../parts/layout.tsx';
import { Notes, QueryResult } from '../../parts/state.tsx';
import { Block, Line } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { GuardFinds } from './guard-finds.tsx';
import { Timeline } from './timeline.tsx';

export function EntryPanel({
  organization,
  id,
  onClose,
}: {
  readonly organization: string;
  readonly id: string;
  readonly onClose: () => void;
}) {
  const query = useCommand<FullEntryValue>('entry', { target: organization, id });
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [onClose]);
  return (
    <aside class="panel" ref={panel} aria-label="Entry">
      <div class="panel-head">
        <h2>Entry</h2>
        <button type="button" class="quiet" onClick={onClose}>
          <Icon name="close" />
          <span class="hidden">Close the entry</span>
        </button>
      </div>
      <QueryResult query={query} lines={8}>
        {(result) => (
          <>
            {result.values[0] && <Entry entry={result.values[0]} />}
            <Notes {...result} />
            <CommandLine command={result.command} />
          </>
        )}
      </QueryResult>
    </aside>
  );
}

export function Entry({ entry }: { readonly entry: FullEntryValue }) {
  return (
    <>
      {entry.cut && (
        <p class="notice">The entry was too large: some texts, steps or model calls are missing.</p>
      )}
      {entry.textsWithheld && (
        <p class="notice">Texts and trace are not shown: your credentials may not read them.</p>
      )}
      <Facts entry={entry} />
      <Timeline entry={entry} />
      <GuardFinds guards={entry.guards} />
      <Text title="Input" text={entry.input} />
      <Text title="Output" text={entry.output} />
    </>
  );
}

function Facts({ entry }: { readonly entry: FullEntryValue }) {
  const rows: readonly (readonly [string, ComponentChildren])[] = [
    ['Outcome', <Result key="outcome" entry={entry} />],
    ['Reason', entry.reason && <Line text={entry.reason} />],
    ['Time (UTC)', <Time key="time" timeMs={entry.timeMs} />],
    ['Neuron', `${entry.neuron}${entry.version === null ? '' : ` ${entry.version}`}`],
    ['Rollout', entry.rollout && `${entry.rollout.arm} of ${entry.rollout.id}`],
    ['Branch', entry.branch],
    ['User', entry.username && <Line text={entry.username} />],
    ['API key', entry.keyId && <KeyName key="key" entry={entry} />],
    ['Authentication', entry.authentication],
    ['Address', <Line key="address" text={entry.sourceIp} />],
    ['Referer', entry.refererHost && <Line text={entry.refererHost} />],
    ['Surface', entry.surface],
    ['Client', entry.clientKind],
    ['Session', entry.session && <code key="session">{entry.session}</code>],
    [
      'Replay of',
      entry.replayOf && <ReplaySource key="replay" organization={entry.organization} id={entry.replayOf} />,
    ],
    ['Cache', describeCache(entry)],
    ['Cache failed', entry.cacheFailures?.join(', ')],
    ['Latency', `${formatMs(entry.latencyMs)}, of which ${formatMs(entry.ownLatencyMs)} our own`],
    ['Tokens', `${formatNumber(entry.tokensInput)} in, ${formatNumber(entry.tokensOutput)} out`],
    ['Cost', formatCost(entry.costMicrodollars)],
    [
      'Infrastructure',
      entry.infrastructureNanodollars !== undefined && formatCost(entry.infrastructureNanodollars / 1_000),
    ],
    ['Saved', entry.savingsMicrodollars > 0 && formatCost(entry.savingsMicrodollars)],
    [
      'Stands for',
      entry.count > 1 && `${formatNumber(entry.count)} ${entry.replayOf ? 'replays' : 'refusals'}`,
    ],
    ['Trace', entry.traceparent && <code key="trace">{entry.traceparent}</code>],
    ['Expires (UTC)', <Time key="expires" timeMs={entry.expiresAt * 1_000} brief />],
    ['Execution', <code key="id">{entry.executionId}</code>],
  ];
  return (
    <dl class="facts">
      {rows.map(([name, value]) =>
        value ? (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}

function Result({ entry: { outcome, status, code, restored } }: { readonly entry: FullEntryValue }) {
  return (
    <>
      <Outcome outcome={outcome} /> {status} {code ?? ''} {restored && '(restored)'}
    </>
  );
}

/** The caller repeated an idempotency key and got the answer of that execution. Nothing ran. */
function ReplaySource({ organization, id }: { readonly organization: string; readonly id: string }) {
  return (
    <>
      <a href={pathTo(organization, 'logs', { id })}>
        <code>{id}</code>
      </a>
      , for the same idempotency key
    </>
  );
}

function KeyName({ entry: { keyId, keyName } }: { readonly entry: FullEntryValue }) {
  return (
    <>
      {keyName && <Line text={keyName} />}{' '}
      <code>
        <Line text={keyId ?? ''} />
      </code>
    </>
  );
}

function describeCache({ cache, cacheSource, cacheDistance }: FullEntryValue): string | undefined {
  if (cache === null) return undefined;
  if (!cacheSource) return cache;
  const distance = cacheDistance === undefined ? '' : `, distance ${cacheDistance.toFixed(4)}`;
  return `${cache}, the answer of ${cacheSource}${distance}`;
}

function Text({ title, text }: { readonly title: string; readonly text: LoggedText | undefined }) {
  if (text === undefined || text === null) return null;
  return (
    <div class="logged">
      <h3>
        {title}{' '}
        <span class="local">
          {formatNumber(text.bytes)} bytes{text.kind === 'full' && text.cut ? ', cut' : ''}
        </span>
      </h3>
      {text.kind === 'full' ? (
        <Block text={text.text} label={title} />
      ) : (
        <p class="detail">
          Only its HMAC is kept (<code>{text.hash}</code>). <code>logging: {'{ bodies: full }'}</code> keeps
          the text.
        </p>
      )}
    </div>
  );
}
