// One run of the draft page: the answer, what it cost, and how long it took.
import type { CommandResult } from '../../../cli/console/api.ts';
import type { ConsoleError } from '../../data/api.ts';
import { formatCost, formatMs, formatNumber } from '../../data/format.ts';
import type { VersionRunValue } from '../../data/values.ts';
import { Badge, Card, CommandLine, Figure } from '../../parts/layout.tsx';
import { Failure, Notes } from '../../parts/state.tsx';
import { Block, Line } from '../../parts/text.tsx';

export type RunState =
  | { readonly kind: 'running' }
  | { readonly kind: 'failed'; readonly error: ConsoleError }
  | { readonly kind: 'ended'; readonly result: CommandResult<VersionRunValue> };

export function Run({
  title,
  state,
  isEdited,
}: {
  readonly title: string;
  readonly state: RunState;
  /** The flow was changed after it ran. */
  readonly isEdited?: boolean;
}) {
  return (
    <Card title={title} wide aside={<Status state={state} isEdited={isEdited === true} />}>
      {state.kind === 'running' && <p role="status">Running…</p>}
      {state.kind === 'failed' && <Failure error={state.error} />}
      {state.kind === 'ended' && <Ended title={title} result={state.result} />}
    </Card>
  );
}

function Status({ state, isEdited }: { readonly state: RunState; readonly isEdited: boolean }) {
  const run = state.kind === 'ended' ? state.result.values[0] : undefined;
  return (
    <span>
      {isEdited && <Badge tone="warn">edited since</Badge>} {run?.version && <Badge>{run.version}</Badge>}{' '}
      {run?.code && <Badge tone="bad">{run.code}</Badge>}
    </span>
  );
}

function Ended({
  title,
  result,
}: {
  readonly title: string;
  readonly result: CommandResult<VersionRunValue>;
}) {
  const [run] = result.values;
  if (run === undefined) return null;
  return (
    <>
      {run.output === null ? (
        <p>
          The run failed. <Line text={run.reason ?? ''} />
        </p>
      ) : (
        <Block text={run.output} label={`Output of ${title.toLowerCase()}`} />
      )}
      <div class="figures plain">
        <Figure label="Cost" value={formatCost(run.costMicrodollars)} />
        <Figure label="Time" value={formatMs(run.latencyMs)} />
        <Figure
          label="Tokens in / out"
          value={`${formatNumber(run.tokensInput)} / ${formatNumber(run.tokensOutput)}`}
        />
      </div>
      <Notes warnings={result.warnings} />
      <CommandLine command={result.command} />
    </>
  );
}
