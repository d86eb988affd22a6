// Says on which side of a rollout a caller is, without a call.
import { useState } from 'preact/hooks';
import type { CommandResult } from '../../../cli/console/api.ts';
import { type ConsoleError, send } from '../../data/api.ts';
import { toConsoleError } from '../../data/use-query.ts';
import type { ExplanationValue } from '../../data/values.ts';
import { Form, TextField, TokenField } from '../../parts/field.tsx';
import { Card, CommandLine } from '../../parts/layout.tsx';
import { Failure } from '../../parts/state.tsx';

export function ArmForm({ neuron }: { readonly neuron: string }) {
  const [ip, setIp] = useState('');
  const [token, setToken] = useState('');
  const [result, setResult] = useState<CommandResult<ExplanationValue>>();
  const [error, setError] = useState<ConsoleError>();
  const run = async () => {
    setError(undefined);
    try {
      setResult(await send<ExplanationValue>('explain', { neuron, ip, token }));
    } catch (thrown) {
      setResult(undefined);
      setError(toConsoleError(thrown));
    }
  };
  return (
    <Card title="Side of a caller" wide>
      <Form class="filters few" onSubmit={() => void run()}>
        <TextField label="Address of the caller" value={ip} onChange={setIp} placeholder="203.0.113.7" />
        <TokenField value={token} onChange={setToken} />
        <button type="submit">Show the side</button>
      </Form>
      {error && <Failure error={error} />}
      {result && (
        <>
          <p role="status">{describeSide(result.values[0])}</p>
          <CommandLine command={result.command} />
        </>
      )}
    </Card>
  );
}

function describeSide(value: ExplanationValue | undefined): string {
  const decision = value?.decisions[0];
  if (decision === undefined) return 'Nothing was decided.';
  if (decision.outcome !== 'allow') return 'This caller is not let in.';
  const { rollout } = value ?? {};
  if (rollout === undefined) return 'No rollout is going on: this caller gets the deployed version.';
  if (rollout.arm === null) return 'Each call or address is on a side of its own: name an address.';
  return `This caller is on the side of the ${rollout.arm}.`;
}
