// Shows the checks of `neuron doctor`, and starts and ends maintenance mode.
import { useState } from 'preact/hooks';
import { formatNumber } from '../data/format.ts';
import { useCommand } from '../data/use-query.ts';
import type { CheckValue, MaintenanceValue } from '../data/values.ts';
import { ChangeButton } from '../parts/change.tsx';
import { TextField } from '../parts/field.tsx';
import { Badge, Card, PageHead } from '../parts/layout.tsx';
import { ResultCard } from '../parts/result-card.tsx';
import { QueryResult, Remedy } from '../parts/state.tsx';
import { Line } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';

export function Health() {
  const [isProbing, setProbing] = useState(false);
  const checks = useCommand<CheckValue>('doctor', { probe: isProbing });
  return (
    <>
      <PageHead title="Health" detail="Checks credentials, stack, tables, secrets, clock and versions.">
        <button type="button" disabled={checks.isLoading} onClick={checks.reload}>
          {checks.isLoading ? 'Checking…' : 'Check again'}
        </button>
        <button type="button" aria-pressed={isProbing} onClick={() => setProbing(!isProbing)}>
          {isProbing ? 'Skip providers' : 'Check providers too'}
        </button>
      </PageHead>
      <MaintenanceCard onDone={checks.reload} />
      <ResultCard<CheckValue>
        query={checks}
        lines={6}
        title={({ exitCode }) => (exitCode === 0 ? 'All checks pass' : 'Something is wrong')}
      >
        {(values) => (
          <ul class="checks">
            {values.map((check) => (
              <Check key={check.check} value={check} />
            ))}
          </ul>
        )}
      </ResultCard>
    </>
  );
}

function Check({ value: { check, ok, detail, remedy } }: { readonly value: CheckValue }) {
  const tone = ok ? (remedy === null ? 'good' : 'warn') : 'bad';
  return (
    <li>
      <Badge tone={tone}>{ok ? (remedy === null ? 'ok' : 'note') : 'fail'}</Badge>
      <div>
        <b>{check}</b>
        {detail.split('\n').map((line) => (
          <p key={line}>
            <Line text={line} />
          </p>
        ))}
        {remedy !== null && <Remedy text={remedy} />}
      </div>
    </li>
  );
}

/** Reads the mode again after it was changed. */
function MaintenanceCard({ onDone }: { readonly onDone: () => void }) {
  const query = useCommand<MaintenanceValue>('maintenance');
  const reload = () => {
    query.reload();
    onDone();
  };
  return (
    <QueryResult query={query} lines={1}>
      {({ values: [value] }) => (
        <Card
          title="Maintenance mode"
          aside={value?.maintenance ? <EndButton onDone={reload} /> : <BeginButton onDone={reload} />}
          wide
        >
          <MaintenanceState maintenance={value?.maintenance ?? null} />
        </Card>
      )}
    </QueryResult>
  );
}

function MaintenanceState({ maintenance }: MaintenanceValue) {
  if (maintenance === null)
    return (
      <p>
        <Badge tone="good">off</Badge> Calls are answered.
      </p>
    );
  return (
    <p>
      <Badge tone="bad">on</Badge> Every call of every organization is answered 503, since{' '}
      <Time timeMs={Date.parse(maintenance.since)} />, by <Line text={maintenance.by} />. Callers are told to
      retry after {formatNumber(maintenance.retryAfterSeconds)} s.
    </p>
  );
}

function BeginButton({ onDone }: { readonly onDone: () => void }) {
  const [retryAfter, setRetryAfter] = useState('1m');
  return (
    <ChangeButton
      label="Maintenance on"
      danger
      title="Begin maintenance mode"
      operation="maintenanceOn"
      parameters={{ 'retry-after': retryAfter }}
      onDone={onDone}
    >
      <p>Every call of every organization is answered 503 until maintenance mode ends.</p>
      <TextField
        label="Retry-After of the answers"
        value={retryAfter}
        onChange={setRetryAfter}
        hint="Such as 1m"
      />
    </ChangeButton>
  );
}

function EndButton({ onDone }: { readonly onDone: () => void }) {
  return (
    <ChangeButton
      label="Maintenance off"
      primary
      title="End maintenance mode"
      operation="maintenanceOff"
      parameters={{}}
      onDone={onDone}
    >
      <p>Calls are answered again.</p>
    </ChangeButton>
  );
}
