// The shadow of a neuron: which version repeats runs, until when, and what of its budget is spent.
import type { CommandResult } from '../../../cli/console/api.ts';
import { formatCost, formatMs, formatNumber, formatShare } from '../../data/format.ts';
import type { Query } from '../../data/use-query.ts';
import type { ShadowStatusValue, VersionValue } from '../../data/values.ts';
import { ChangeButton } from '../../parts/change.tsx';
import { Badge, Figure } from '../../parts/layout.tsx';
import { ResultCard } from '../../parts/result-card.tsx';
import { Empty } from '../../parts/state.tsx';
import { Line } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { Compared } from './compared.tsx';
import { StartShadow } from './start-shadow.tsx';

type Going = NonNullable<ShadowStatusValue['shadow']>;

interface ShadowProps {
  readonly neuron: string;
  readonly query: Query<CommandResult<ShadowStatusValue>>;
  readonly versions: readonly VersionValue[];
}

export function Shadow({ neuron, query, versions }: ShadowProps) {
  const { shadow, deployed } = query.data?.values[0] ?? {};
  return (
    <>
      <ResultCard<ShadowStatusValue>
        query={query}
        title="Shadow"
        aside={
          query.data?.values[0]?.isOpen !== true &&
          query.data && <StartShadow neuron={neuron} versions={versions} onDone={query.reload} />
        }
      >
        {([value]) =>
          value?.shadow ? (
            <Copies neuron={neuron} value={value} shadow={value.shadow} onDone={query.reload} />
          ) : (
            <Empty title="No version repeats runs.">
              <p>A shadow repeats runs with another version after their answers. Nobody gets what it says.</p>
            </Empty>
          )
        }
      </ResultCard>
      {shadow && deployed && deployed !== shadow.version && (
        <Compared
          title="Answers and copies"
          neuron={neuron}
          version={deployed}
          other={shadow.version}
          period="month"
          kind="shadow"
        />
      )}
    </>
  );
}

function Copies({
  neuron,
  value: { takenMicrodollars, isOpen = false, runs },
  shadow,
  onDone,
}: {
  readonly neuron: string;
  readonly value: ShadowStatusValue;
  readonly shadow: Going;
  readonly onDone: () => void;
}) {
  const { version, basisPoints, budgetMicrodollars, since, startedBy } = shadow;
  return (
    <>
      <p>
        <b>{version}</b> {isOpen ? 'repeats' : 'repeated'} runs since{' '}
        <Time timeMs={Date.parse(since)} brief />, by <Line text={startedBy} />.{' '}
        {!isOpen && <Badge tone="warn">ended</Badge>}
      </p>
      <div class="figures">
        <Figure label="Share" value={formatShare(basisPoints, 10_000)} detail="of the runs" />
        <Figure
          label="Budget used"
          value={formatCost(takenMicrodollars)}
          detail={`of ${formatCost(budgetMicrodollars)}`}
        />
        <Figure label="Copies" value={formatNumber(runs?.requests ?? 0)} detail={describeTimes(runs)} />
        <Figure label="Failed" value={formatNumber(runs?.failed ?? 0)} />
      </div>
      <p>
        Until <Time timeMs={Date.parse(shadow.until)} />
      </p>
      <div class="actions">
        <StopShadow neuron={neuron} version={version} isOpen={isOpen} onDone={onDone} />
      </div>
    </>
  );
}

function describeTimes(runs: ShadowStatusValue['runs']): string | false {
  if (runs === undefined || runs.latencyP50Ms === null) return false;
  return `p50 ${formatMs(runs.latencyP50Ms)}, p95 ${formatMs(runs.latencyP95Ms)}`;
}

function StopShadow({
  neuron,
  version,
  isOpen,
  onDone,
}: {
  readonly neuron: string;
  readonly version: string;
  readonly isOpen: boolean;
  readonly onDone: () => void;
}) {
  return (
    <ChangeButton
      label={isOpen ? 'Stop the shadow' : 'Remove the shadow'}
      danger
      title={`${isOpen ? 'Stop' : 'Remove'} the shadow of ${neuron}`}
      operation="shadowStop"
      parameters={{ neuron }}
      onDone={onDone}
    >
      <p>{version} repeats no more runs. What was counted stays.</p>
    </ChangeButton>
  );
}
