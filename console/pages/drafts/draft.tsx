// A draft of a flow beside the deployed one: both run on the same input, and the draft becomes a version that is not deployed.
import { useState } from 'preact/hooks';
import type { CommandResult } from '../../../cli/console/api.ts';
import { type Parameters, send } from '../../data/api.ts';
import { useDeclarations } from '../../data/declarations.ts';
import { useNeurons } from '../../data/use-neurons.ts';
import { toConsoleError, useCommand } from '../../data/use-query.ts';
import type { VersionRunValue, VersionValue } from '../../data/values.ts';
import { QueryResult } from '../../parts/state.tsx';
import { Cases } from './cases.tsx';
import { DraftForm, type DraftText, toParameters } from './draft-form.tsx';
import { Run, type RunState } from './run.tsx';

export function DraftPlayground({
  organization,
  neuron: first,
}: {
  readonly organization: string;
  /** The slug that is chosen at first. */
  readonly neuron: string;
}) {
  const neurons = useNeurons(organization);
  const [chosen, setChosen] = useState(first);
  const slug = chosen || (neurons[0] ?? '');
  const neuron = `${organization}/${slug}`;
  const versions = useCommand<VersionValue>(slug === '' ? undefined : 'versions', { neuron });
  if (slug === '') return null;
  return (
    <QueryResult query={versions}>
      {({ values }) => (
        <Draft
          key={neuron}
          neuron={neuron}
          neurons={neurons}
          onChoose={setChosen}
          versions={values}
          onSaved={versions.reload}
        />
      )}
    </QueryResult>
  );
}

interface DraftProps {
  readonly neuron: string;
  readonly neurons: readonly string[];
  readonly onChoose: (slug: string) => void;
  /** Newest first. */
  readonly versions: readonly VersionValue[];
  readonly onSaved: () => void;
}

/** The runs of one click, and the flow that ran as the draft. */
interface Runs {
  readonly flow: string;
  readonly deployed?: RunState;
  readonly draft: RunState;
}

function Draft({ neuron, neurons, onChoose, versions, onSaved }: DraftProps) {
  const deployed = versions.find((one) => one.deployed)?.version;
  const start = deployed ?? versions[0]?.version;
  const flow = useCommand<string>(start === undefined ? undefined : 'version', { neuron, version: start });
  const [text, setText] = useState<DraftText>({ flow: undefined, input: 'Hello', variables: new Map() });
  const [runs, setRuns] = useState<Runs>();
  const started = flow.data?.values.join('');
  const shown = text.flow ?? started ?? '';
  const declarations = { deployed: useDeclarations(started), draft: useDeclarations(shown) };
  const run = () => {
    const put = (name: 'deployed' | 'draft') => (state: RunState) =>
      setRuns((before) => before && { ...before, [name]: state });
    const running: RunState = { kind: 'running' };
    setRuns({ flow: shown, draft: running, ...(deployed === undefined ? {} : { deployed: running }) });
    follow(
      'tryDraft',
      () => ({ ...toParameters(text, neuron, declarations.draft), flow: shown }),
      put('draft'),
    );
    if (deployed !== undefined)
      follow('tryDeployed', () => toParameters(text, neuron, declarations.deployed), put('deployed'));
  };
  const isRunning = [runs?.deployed, runs?.draft].some((one) => one?.kind === 'running');
  return (
    <>
      <div class="playground">
        <DraftForm
          neuron={neuron}
          neurons={neurons}
          onChoose={onChoose}
          text={text}
          onSaved={onSaved}
          flow={{
            shown,
            start,
            error: start === undefined ? undefined : flow.error,
            declarations: declarations.draft,
          }}
          onChange={setText}
          onRun={isRunning ? undefined : run}
        />
        <div class="runs" aria-live="polite">
          {runs?.deployed && <Run title="Deployed" state={runs.deployed} />}
          {runs && <Run title="Draft" state={runs.draft} isEdited={runs.flow !== shown} />}
        </div>
      </div>
      <Cases neuron={neuron} flow={shown} />
    </>
  );
}

/** Reports the state of one run as it changes. */
function follow(operation: string, parameters: () => Parameters, onState: (state: RunState) => void): void {
  const run = async () => {
    const result: CommandResult<VersionRunValue> = await send(operation, parameters());
    onState({ kind: 'ended', result });
  };
  run().catch((error: unknown) => onState({ kind: 'failed', error: toConsoleError(error) }));
}
