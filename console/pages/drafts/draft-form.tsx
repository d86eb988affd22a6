// The form of a draft: its flow, the input that runs on it, and what makes a version of it.
import { useState } from 'preact/hooks';
import type { ConsoleError, Parameters } from '../../data/api.ts';
import { toValues, type VariableDeclaration, type VariableTexts } from '../../data/declarations.ts';
import { pathToNeuron } from '../../data/paths.ts';
import { ChangeButton } from '../../parts/change.tsx';
import { AreaField, Form, NeuronField, TextField } from '../../parts/field.tsx';
import { Failure } from '../../parts/state.tsx';
import { VariableFields } from '../variable-fields.tsx';

export interface DraftText {
  /** Undefined until it is edited: the flow that the draft begins with. */
  readonly flow: string | undefined;
  readonly input: string;
  readonly variables: VariableTexts;
}

/** Only values of variables that are declared. Throws `ConsoleError` for a text that is no number. */
export function toParameters(
  { input, variables }: DraftText,
  neuron: string,
  declarations: readonly VariableDeclaration[],
): Parameters {
  const lines = Object.entries(toValues(declarations, variables)).map(
    ([name, value]) => `${name}=${JSON.stringify(value)}`,
  );
  return { neuron, input, variables: lines.join('\n') };
}

interface DraftFormProps {
  /** `ORG/NEURON`. */
  readonly neuron: string;
  readonly neurons: readonly string[];
  readonly onChoose: (slug: string) => void;
  readonly text: DraftText;
  readonly onChange: (text: DraftText) => void;
  readonly flow: {
    readonly shown: string;
    /** The version that the draft begins with; undefined before the first. */
    readonly start: string | undefined;
    readonly error: ConsoleError | undefined;
    readonly declarations: readonly VariableDeclaration[];
  };
  /** Undefined while it runs. */
  readonly onRun: (() => void) | undefined;
  readonly onSaved: () => void;
}

export function DraftForm(props: DraftFormProps) {
  const { neuron, neurons, onChoose, text, onChange, flow, onRun, onSaved } = props;
  const isEmpty = flow.shown.trim() === '';
  return (
    <Form class="card form" onSubmit={() => onRun?.()}>
      <NeuronField value={neuron.split('/')[1] ?? ''} onChange={onChoose} neurons={neurons} />
      {flow.error && <Failure error={flow.error} />}
      <AreaField
        label="Flow (YAML)"
        code
        rows={18}
        value={flow.shown}
        onChange={(edited) => onChange({ ...text, flow: edited })}
        hint={
          flow.start === undefined
            ? 'A flow, with its variables. There is no version yet.'
            : `A flow, with its variables. It begins as ${flow.start}.`
        }
      />
      <AreaField
        label="Input"
        rows={3}
        value={text.input}
        onChange={(input) => onChange({ ...text, input })}
      />
      <VariableFields
        declarations={flow.declarations}
        texts={text.variables}
        onChange={(variables) => onChange({ ...text, variables })}
      />
      <div class="actions">
        <button type="submit" class="primary" disabled={isEmpty || onRun === undefined}>
          Run both
        </button>
        <SaveButton neuron={neuron} flow={flow.shown} onSaved={onSaved} />
        {text.flow !== undefined && flow.start !== undefined && (
          <button type="button" class="quiet" onClick={() => onChange({ ...text, flow: undefined })}>
            Begin again
          </button>
        )}
      </div>
    </Form>
  );
}

/** A version with a message, which is not deployed. */
function SaveButton({
  neuron,
  flow,
  onSaved,
}: {
  readonly neuron: string;
  readonly flow: string;
  readonly onSaved: () => void;
}) {
  const [message, setMessage] = useState('');
  const [organization = '', slug = ''] = neuron.split('/');
  return (
    <ChangeButton<{ readonly version: string }>
      label="Save as version"
      title={`Save the draft as a version of ${neuron}`}
      operation="saveVersion"
      parameters={{ neuron, flow, message }}
      isReady={message.trim() !== ''}
      onDone={() => {
        setMessage('');
        onSaved();
      }}
      show={({ version }) => (
        <p>
          {version} is not deployed: <a href={pathToNeuron(organization, slug)}>see the versions of {slug}</a>
          .
        </p>
      )}
    >
      <p>The version is not deployed. Callers notice nothing.</p>
      <TextField label="Message" value={message} onChange={setMessage} required hint="Why, in one line." />
    </ChangeButton>
  );
}
