// The form of the playground.
import { ConsoleError } from '../data/api.ts';
import {
  toValues,
  useDeclarations,
  type VariableDeclaration,
  type VariableTexts,
} from '../data/declarations.ts';
import { useFlow } from '../data/use-flow.ts';
import { useNeurons } from '../data/use-neurons.ts';
import { AreaField, CheckField, Form, NeuronField, TextField, TokenField } from '../parts/field.tsx';
import { Choice } from '../parts/layout.tsx';
import { VariableFields } from './variable-fields.tsx';

/** Values of the form. */
export interface Draft {
  readonly neuron: string;
  readonly mode: 'input' | 'conversation';
  readonly input: string;
  /** Messages as JSON. */
  readonly conversation: string;
  readonly variables: VariableTexts;
  readonly revision: string;
  readonly previewKey: string;
  readonly bypassCache: boolean;
}

/** The neuron that is called, and as whom. */
interface CallTarget {
  /** `ORG/NEURON`. */
  readonly neuron: string;
  readonly token: string;
  readonly declarations: readonly VariableDeclaration[];
}

/** The body of the request. Throws `ConsoleError` for a conversation that is no JSON. */
export function toCall(draft: Draft, { neuron, token, declarations }: CallTarget): object {
  const { mode, input, conversation, variables: texts, revision, previewKey, bypassCache } = draft;
  const content = mode === 'input' ? { input } : { messages: parseMessages(conversation) };
  const values = toValues(declarations, texts);
  const variables = Object.keys(values).length === 0 ? {} : { variables: values };
  return { neuron, ...content, ...variables, token, revision, previewKey, bypassCache };
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
  token,
  onToken,
  onRun,
  onStop,
}: {
  readonly organization: string;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly token: string;
  readonly onToken: (token: string) => void;
  /** Throws nothing: what cannot be sent is shown as a failure. */
  readonly onRun: (toBody: () => object) => void;
  /** Undefined where no call runs. */
  readonly onStop: (() => void) | undefined;
}) {
  const neurons = useNeurons(organization);
  const slug = draft.neuron || (neurons[0] ?? '');
  const neuron = `${organization}/${slug}`;
  const declarations = useDeclarations(useFlow(neuron, draft.revision));
  const type =
    <Name extends keyof Draft>(name: Name) =>
    (value: Draft[Name]) =>
      onChange({ ...draft, [name]: value });
  return (
    <Form class="card form" onSubmit={() => onRun(() => toCall(draft, { neuron, token, declarations }))}>
      <NeuronField value={slug} onChange={type('neuron')} neurons={neurons} />
      <ContentFields draft={draft} onChange={onChange} />
      <VariableFields declarations={declarations} texts={draft.variables} onChange={type('variables')} />
      <TokenField
        value={token}
        onChange={onToken}
        hint="Empty for a public neuron. It stays in this tab until it is closed or loaded again."
      />
      <Preview draft={draft} type={type} />
      <CheckField
        label="Run even if the answer is cached"
        checked={draft.bypassCache}
        onChange={type('bypassCache')}
      />
      <div class="actions">
        <button type="submit" class="primary" disabled={slug === '' || onStop !== undefined}>
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

function Preview({
  draft,
  type,
}: {
  readonly draft: Draft;
  readonly type: (name: 'revision' | 'previewKey') => (value: string) => void;
}) {
  return (
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
  );
}
