// The form of the playground.
import { ConsoleError } from '../data/api.ts';
import { useNeurons } from '../data/use-neurons.ts';
import { AreaField, CheckField, Form, NeuronField, TextField, TokenField } from '../parts/field.tsx';
import { Choice } from '../parts/layout.tsx';

/** Values of the form. The token stays in the memory of this page. */
export interface Draft {
  readonly neuron: string;
  readonly mode: 'input' | 'conversation';
  readonly input: string;
  /** Messages as JSON. */
  readonly conversation: string;
  /** Values by name as JSON; empty for none. */
  readonly variables: string;
  readonly token: string;
  readonly revision: string;
  readonly previewKey: string;
  readonly bypassCache: boolean;
}

/** The body of the request. Throws `ConsoleError` for a conversation that is no JSON. */
export function toCall(draft: Draft, neuron: string): object {
  const { mode, input, conversation, variables, token, revision, previewKey, bypassCache } = draft;
  const content = mode === 'input' ? { input } : { messages: parseMessages(conversation) };
  const values = variables.trim() === '' ? {} : { variables: parseVariables(variables) };
  return { neuron, ...content, ...values, token, revision, previewKey, bypassCache };
}

/** Throws `ConsoleError` for a text that is no object in JSON. */
export function parseVariables(text: string): object {
  const values = parseJson(text);
  if (typeof values === 'object' && values !== null && !Array.isArray(values)) return values;
  throw new ConsoleError(0, {
    what: 'The variables are not an object in JSON.',
    remedy: 'Write them as `{ "tone": "warm" }`.',
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseMessages(text: string): unknown {
  const messages = parseJson(text);
  if (Array.isArray(messages)) return messages;
  throw new ConsoleError(0, {
    what: 'The conversation is not a list of messages in JSON.',
    remedy: 'Write it as `[{ "role": "user", "content": "Hello" }]`.',
  });
}

export function CallForm({
  organization,
  draft,
  onChange,
  onRun,
  onStop,
}: {
  readonly organization: string;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly onRun: (neuron: string) => void;
  /** Undefined where no call runs. */
  readonly onStop: (() => void) | undefined;
}) {
  const neurons = useNeurons(organization);
  const neuron = draft.neuron || (neurons[0] ?? '');
  const type =
    <Name extends keyof Draft>(name: Name) =>
    (value: Draft[Name]) =>
      onChange({ ...draft, [name]: value });
  return (
    <Form class="card form" onSubmit={() => onRun(neuron)}>
      <NeuronField value={neuron} onChange={type('neuron')} neurons={neurons} />
      <ContentFields draft={draft} onChange={onChange} />
      <AreaField label="Variables (JSON)" value={draft.variables} onChange={type('variables')} rows={2} />
      <Credentials draft={draft} type={type} />
      <CheckField
        label="Run even if the answer is cached"
        checked={draft.bypassCache}
        onChange={type('bypassCache')}
      />
      <div class="actions">
        <button type="submit" class="primary" disabled={neuron === '' || onStop !== undefined}>
          Call
        </button>
        {onStop && (
          <button type="button" onClick={onStop}>
            Stop waiting
          </button>
        )}
      </div>
    </Form>
  );
}

function ContentFields({
  draft,
  onChange,
}: {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}) {
  return (
    <>
      <Choice
        label="What to send"
        values={[
          ['input', 'Input'],
          ['conversation', 'Conversation'],
        ]}
        value={draft.mode}
        onChange={(mode) => onChange({ ...draft, mode })}
      />
      {draft.mode === 'input' ? (
        <AreaField
          label="Input"
          value={draft.input}
          onChange={(input) => onChange({ ...draft, input })}
          rows={6}
        />
      ) : (
        <AreaField
          label="Messages (JSON)"
          value={draft.conversation}
          onChange={(conversation) => onChange({ ...draft, conversation })}
          rows={10}
        />
      )}
    </>
  );
}

function Credentials({
  draft,
  type,
}: {
  readonly draft: Draft;
  readonly type: (name: 'token' | 'revision' | 'previewKey') => (value: string) => void;
}) {
  return (
    <>
      <TokenField
        value={draft.token}
        onChange={type('token')}
        hint="Empty for a public neuron. It is sent with the call and kept nowhere."
      />
      <details open={draft.revision !== ''}>
        <summary>A version that is not deployed</summary>
        <div class="pair">
          <TextField label="Version" value={draft.revision} onChange={type('revision')} placeholder="v3" />
          <TextField
            label="Its preview key"
            value={draft.previewKey}
            onChange={type('previewKey')}
            secret
            hint="The page of the neuron creates one."
          />
        </div>
      </details>
    </>
  );
}
