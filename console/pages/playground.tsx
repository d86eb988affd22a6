// Calls a neuron as an application does, and shows the answer, its cost and its log entry; or tries a draft of its flow.

import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import type { CallEvent } from '../../cli/console/api.ts';
import { type ConsoleError, sendLines } from '../data/api.ts';
import { pathTo } from '../data/paths.ts';
import { findPreviewKey } from '../data/preview-keys.ts';
import { useTabToken } from '../data/tab-tokens.ts';
import { toConsoleError } from '../data/use-query.ts';
import { Choice, PageHead } from '../parts/layout.tsx';
import { NeedsNeuron } from '../parts/needs-neuron.tsx';
import { Failure } from '../parts/state.tsx';
import { Answer, type CallState } from './call-answer.tsx';
import { CallForm, type Draft } from './call-form.tsx';
import { DraftPlayground } from './drafts/draft.tsx';

const PARTS = [
  ['call', 'Real call'],
  ['draft', 'Draft'],
] as const;
type Part = (typeof PARTS)[number][0];

const DETAILS = {
  call: 'A real call: it is charged, limited and logged like any other.',
  draft:
    'A change of a flow, beside the deployed one. Both run on this machine: the provider charges, and nothing is logged.',
} as const;

export function Playground() {
  const { organization = '' } = useRoute().params;
  const { query, route } = useLocation();
  const { neuron = '' } = query;
  const part = query['part'] === 'draft' ? 'draft' : 'call';
  return (
    <>
      <PageHead title="Playground" detail={DETAILS[part]} />
      <Choice<Part>
        label="Part of the page"
        values={PARTS}
        value={part}
        onChange={(next) => route(pathTo(organization, 'playground', { neuron, part: next }))}
      />
      <NeedsNeuron organization={organization}>
        {part === 'draft' ? <DraftPlayground organization={organization} neuron={neuron} /> : <RealCall />}
      </NeedsNeuron>
    </>
  );
}

function RealCall() {
  const { organization = '' } = useRoute().params;
  const { query } = useLocation();
  const { neuron: neuronSlug = '', revision = '' } = query;
  const previewKey = findPreviewKey(`${organization}/${neuronSlug}`, revision) ?? '';
  const [draft, setDraft] = useState<Draft>({
    neuron: neuronSlug,
    mode: 'input',
    input: 'Hello',
    conversation: EXAMPLE,
    variables: new Map(),
    revision,
    previewKey,
    bypassCache: false,
  });
  const [token, setToken] = useTabToken(organization);
  const [state, setState] = useState<CallState>();
  const [error, setError] = useState<ConsoleError>();
  const [running, setRunning] = useState<AbortController>();
  const run = async (toBody: () => object) => {
    const controller = new AbortController();
    setRunning(controller);
    setError(undefined);
    try {
      await follow(toBody(), controller.signal, setState);
    } catch (thrown) {
      setState(undefined);
      if (!controller.signal.aborted) setError(toConsoleError(thrown));
    }
    setRunning(undefined);
  };
  return (
    <div class="playground">
      <CallForm
        organization={organization}
        draft={draft}
        onChange={setDraft}
        token={token}
        onToken={setToken}
        onRun={(toBody) => void run(toBody)}
        onStop={running && (() => running.abort())}
      />
      <div class="stack-of-cards" aria-live="polite">
        {error && <Failure error={error} />}
        {state && <Answer organization={organization} state={state} />}
      </div>
    </div>
  );
}

const EXAMPLE = `[
  { "role": "user", "content": "What is the capital of France?" },
  { "role": "assistant", "content": "Paris." },
  { "role": "user", "content": "And of Spain?" }
]`;

/** Reports the state of the call as it changes. Throws `ConsoleError`. */
async function follow(call: object, signal: AbortSignal, onState: (state: CallState) => void): Promise<void> {
  let state: CallState = { text: '', parts: 0, isRunning: true, startedMs: performance.now() };
  onState(state);
  for await (const event of sendLines<CallEvent>('call', call, signal)) {
    if (event === null) continue;
    const firstMs = state.firstMs ?? performance.now();
    if (event.kind === 'delta')
      state = { ...state, firstMs, text: state.text + event.text, parts: state.parts + 1 };
    else state = { ...state, firstMs, end: event, isRunning: false, endedMs: performance.now() };
    onState(state);
  }
}
