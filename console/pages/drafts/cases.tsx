// Cases of a tests file, run on the draft and on the deployed version within a budget.
import { useState } from 'preact/hooks';
import type { CommandResult } from '../../../cli/console/api.ts';
import { ConsoleError, send } from '../../data/api.ts';
import { toConsoleError } from '../../data/use-query.ts';
import type { TestReportValue } from '../../data/values.ts';
import { AreaField, FileField, Form, NumberField } from '../../parts/field.tsx';
import { Badge, Card, CommandLine } from '../../parts/layout.tsx';
import { Failure, Notes } from '../../parts/state.tsx';
import { CaseReport } from './case-report.tsx';

/** The command reads no longer text. */
const MAX_FILE_BYTES = 500_000;
const MAX_CASES = 100;

type State =
  | { readonly kind: 'running' }
  | { readonly kind: 'failed'; readonly error: ConsoleError }
  | { readonly kind: 'ended'; readonly flow: string; readonly result: CommandResult<TestReportValue> };

/** Values of the form. */
interface CasePlan {
  readonly cases: string;
  readonly limit: string;
  /** US dollars. */
  readonly budget: string;
}

export function Cases({ neuron, flow }: { readonly neuron: string; readonly flow: string }) {
  const [plan, setPlan] = useState<CasePlan>({ cases: '', limit: '10', budget: '0.10' });
  const [state, setState] = useState<State>();
  const fail = (error: unknown) => setState({ kind: 'failed', error: toConsoleError(error) });
  const run = async () => {
    setState({ kind: 'running' });
    const { cases, limit, budget } = plan;
    try {
      const parameters = { neuron, flow, cases, limit, 'max-cost': budget };
      setState({ kind: 'ended', flow, result: await send('tryCases', parameters) });
    } catch (thrown) {
      fail(thrown);
    }
  };
  const isRunning = state?.kind === 'running';
  const isReady = !isRunning && plan.cases.trim() !== '' && flow.trim() !== '';
  const isEdited = state?.kind === 'ended' && state.flow !== flow;
  return (
    <Card title="Cases" wide aside={isEdited && <Badge tone="warn">edited since</Badge>}>
      <Form class="form cases" onSubmit={() => void run()}>
        <CaseFields neuron={neuron} plan={plan} onChange={setPlan} onFailure={fail} />
        <div class="actions">
          <button type="submit" class="primary" disabled={!isReady}>
            {`Run ${plan.limit === '1' ? '1 case' : `${plan.limit} cases`} on both`}
          </button>
        </div>
      </Form>
      <div aria-live="polite" class="stack-of-cards">
        {isRunning && <p role="status">Running the cases…</p>}
        {state?.kind === 'failed' && <Failure error={state.error} />}
        {state?.kind === 'ended' && <Ended result={state.result} />}
      </div>
    </Card>
  );
}

function CaseFields({
  neuron,
  plan,
  onChange,
  onFailure,
}: {
  readonly neuron: string;
  readonly plan: CasePlan;
  readonly onChange: (plan: CasePlan) => void;
  readonly onFailure: (error: unknown) => void;
}) {
  const set = (name: keyof CasePlan) => (value: string) => onChange({ ...plan, [name]: value });
  return (
    <>
      <FileField
        label="A tests file"
        accept=".yaml,.yml"
        onChoose={(file) => void readText(file).then(set('cases'), onFailure)}
      />
      <AreaField
        label="Cases (YAML)"
        code
        rows={6}
        value={plan.cases}
        onChange={set('cases')}
        placeholder={exampleOf(neuron)}
        hint={`A document as for neuron test, about ${neuron}. Nothing of it is kept.`}
      />
      <div class="pair">
        <NumberField
          label="Cases to run"
          value={plan.limit}
          onChange={set('limit')}
          min={1}
          max={MAX_CASES}
          step={1}
          required
        />
        <NumberField
          label="Budget (US dollars)"
          value={plan.budget}
          onChange={set('budget')}
          min={0}
          max={999_999}
          required
        />
      </div>
    </>
  );
}

function Ended({ result }: { readonly result: CommandResult<TestReportValue> }) {
  const [report] = result.values;
  return (
    <>
      {report && <CaseReport report={report} />}
      <Notes warnings={result.warnings} />
      <CommandLine command={result.command} />
    </>
  );
}

function exampleOf(neuron: string): string {
  return `tests: ${neuron}
cases:
  - name: opening hours
    input: When do you open?
    assert: [{ type: icontains, value: open }]`;
}

/** Throws `ConsoleError` for a file that is too large. */
async function readText(file: File): Promise<string> {
  if (file.size <= MAX_FILE_BYTES) return file.text();
  throw new ConsoleError(0, { what: `${file.name} is larger than ${MAX_FILE_BYTES / 1_000} KB.` });
}
