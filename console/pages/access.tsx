// Shows what access control decides for a caller, step by step, without a call.

import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import type { CommandResult } from '../../cli/console/api.ts';
import { type ConsoleError, send } from '../data/api.ts';
import { useNeurons } from '../data/use-neurons.ts';
import { toConsoleError } from '../data/use-query.ts';
import type { DecisionValue, ExplanationValue } from '../data/values.ts';
import { Form, NeuronField, TextField, TokenField } from '../parts/field.tsx';
import { Badge, Card, CommandLine, PageHead, type Tone } from '../parts/layout.tsx';
import { NeedsNeuron } from '../parts/needs-neuron.tsx';
import { Failure, Notes } from '../parts/state.tsx';
import { Line } from '../parts/text.tsx';

export function Access() {
  const { organization = '' } = useRoute().params;
  const { query } = useLocation();
  const neurons = useNeurons(organization);
  const [caller, setCaller] = useState<Caller>({
    neuron: query['neuron'] ?? '',
    referer: '',
    origin: '',
    ip: '',
    token: '',
  });
  const [result, setResult] = useState<CommandResult<ExplanationValue>>();
  const [error, setError] = useState<ConsoleError>();
  const neuron = caller.neuron || (neurons[0] ?? '');
  const run = async () => {
    setError(undefined);
    try {
      setResult(await send<ExplanationValue>('explain', { ...caller, neuron: `${organization}/${neuron}` }));
    } catch (thrown) {
      setResult(undefined);
      setError(toConsoleError(thrown));
    }
  };
  return (
    <>
      <PageHead title="Access" detail="Who would be let in, and why not. The neuron is not called." />
      <NeedsNeuron organization={organization}>
        <CallerForm
          neurons={neurons}
          caller={{ ...caller, neuron }}
          onChange={setCaller}
          onRun={() => void run()}
        />
      </NeedsNeuron>
      {error && <Failure error={error} />}
      {result?.values[0] && <Explanation value={result.values[0]} result={result} />}
    </>
  );
}

interface Caller {
  readonly neuron: string;
  readonly referer: string;
  readonly origin: string;
  readonly ip: string;
  /** Stays in the memory of this page. */
  readonly token: string;
}

const CALLER_FIELDS = [
  ['referer', 'Referer', 'https://app.example.com/'],
  ['origin', 'Origin', 'https://app.example.com'],
  ['ip', 'Address of the caller', '203.0.113.7'],
] as const satisfies readonly (readonly [keyof Caller, string, string])[];

function CallerForm({
  neurons,
  caller,
  onChange,
  onRun,
}: {
  readonly neurons: readonly string[];
  readonly caller: Caller;
  readonly onChange: (caller: Caller) => void;
  readonly onRun: () => void;
}) {
  const type = (name: keyof Caller) => (value: string) => onChange({ ...caller, [name]: value });
  return (
    <Form class="card form" onSubmit={onRun}>
      <NeuronField value={caller.neuron} onChange={type('neuron')} neurons={neurons} />
      {CALLER_FIELDS.map(([name, label, placeholder]) => (
        <TextField
          key={name}
          label={label}
          value={caller[name]}
          onChange={type(name)}
          placeholder={placeholder}
        />
      ))}
      <TokenField
        value={caller.token}
        onChange={type('token')}
        hint="Empty: for a caller without one, and with a valid one"
      />
      <button type="submit" class="primary" disabled={caller.neuron === ''}>
        Explain
      </button>
    </Form>
  );
}

function Explanation({
  value,
  result,
}: {
  readonly value: ExplanationValue;
  readonly result: CommandResult<ExplanationValue>;
}) {
  return (
    <div aria-live="polite" class="stack-of-cards">
      {value.closed && (
        <p class="notice">
          Nobody is served now: {value.closed.status} {value.closed.code}, since {value.closed.since}, by{' '}
          <Line text={value.closed.by} />.
        </p>
      )}
      {value.decisions.map((decision) => (
        <Decision key={decision.credential} decision={decision} />
      ))}
      <Notes {...result} />
      <CommandLine command={result.command} />
    </div>
  );
}

const TONES: Readonly<Record<string, Tone>> = {
  allow: 'good',
  allows: 'good',
  passes: 'good',
  refused: 'bad',
  rejects: 'bad',
  fails: 'bad',
};

function Decision({ decision }: { readonly decision: DecisionValue }) {
  const { credential, outcome, status, code, authentication, steps } = decision;
  return (
    <Card
      title={credential === 'none' ? 'Without a credential' : `With ${credential}`}
      wide
      aside={
        <span>
          <Badge tone={TONES[outcome] ?? 'warn'}>{outcome === 'allow' ? 'let in' : outcome}</Badge>{' '}
          {authentication !== null && `as ${authentication}`}
          {code !== null && `${status} ${code}`}
        </span>
      }
    >
      <ol class="steps">
        {steps.map(({ check, verdict, reason, details = [] }) => (
          <li key={check}>
            <code>{check}</code> <Badge tone={TONES[verdict] ?? 'plain'}>{verdict}</Badge>{' '}
            <span>
              <Line text={reason} />
              {details.map((detail) => (
                <span key={detail} class="detail block-line">
                  <Line text={detail} />
                </span>
              ))}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
