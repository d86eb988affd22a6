// Shows the checks of `neuron doctor`, and starts and ends maintenance mode.
import { useState } from 'preact/hooks';
import { useCommand } from '../data/use-query.ts';
import type { CheckValue } from '../data/values.ts';
import { ChangeButton } from '../parts/change.tsx';
import { TextField } from '../parts/field.tsx';
import { Badge, PageHead } from '../parts/layout.tsx';
import { ResultCard } from '../parts/result-card.tsx';
import { Remedy } from '../parts/state.tsx';
import { Line } from '../parts/text.tsx';

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
          {isProbing ? 'Without providers' : 'Ask the providers too'}
        </button>
        <Maintenance onDone={checks.reload} />
      </PageHead>
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

function Maintenance({ onDone }: { readonly onDone: () => void }) {
  const [retryAfter, setRetryAfter] = useState('1m');
  return (
    <>
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
      <ChangeButton
        label="Maintenance off"
        title="End maintenance mode"
        operation="maintenanceOff"
        parameters={{}}
        onDone={onDone}
      >
        <p>Calls are answered again.</p>
      </ChangeButton>
    </>
  );
}
