// Fields of forms, each with its label.
import type { ComponentChildren, TargetedInputEvent } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: ComponentChildren;
}

/** A form that the page answers itself. */
export function Form({
  class: name,
  onSubmit,
  children,
}: {
  readonly class?: string;
  readonly onSubmit: () => void;
  readonly children: ComponentChildren;
}) {
  return (
    <form
      class={name}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}

function Hint({ id, children }: { readonly id: string; readonly children: ComponentChildren }) {
  return (
    <span class="hint" id={id}>
      {children}
    </span>
  );
}

export function TextField({
  label,
  value,
  onChange,
  hint,
  ...rest
}: FieldProps & {
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly secret?: boolean;
}) {
  const id = useId();
  const { secret, ...args } = rest;
  const input = {
    ...args,
    id,
    value,
    spellcheck: false,
    autocomplete: 'off' as const,
    'aria-describedby': hint ? `${id}-hint` : undefined,
    onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => onChange(currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {secret ? <input {...input} type="password" /> : <input {...input} type="text" />}
      {hint && <Hint id={`${id}-hint`}>{hint}</Hint>}
    </div>
  );
}

/** An API key or JWT, which stays in the memory of the page. */
export function TokenField(props: Omit<FieldProps, 'label'>) {
  return <TextField label="API key or JWT" secret {...props} />;
}

/** `min`, `max`: both inclusive. The browser rejects what is none. */
export function NumberField({
  label,
  value,
  onChange,
  hint,
  required = false,
  step,
  ...bounds
}: FieldProps & {
  readonly required?: boolean;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly step?: number;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...bounds}
        id={id}
        type="number"
        step={step ?? 'any'}
        value={value}
        required={required}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {hint && <Hint id={`${id}-hint`}>{hint}</Hint>}
    </div>
  );
}

/** A file of this machine that the page reads itself. */
export function FileField({
  label,
  accept,
  onChoose,
}: {
  readonly label: string;
  readonly accept: string;
  readonly onChoose: (file: File) => void;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept={accept}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file !== undefined) onChoose(file);
        }}
      />
    </div>
  );
}

export function AreaField({
  label,
  value,
  onChange,
  hint,
  rows = 5,
  code,
  ...rest
}: FieldProps & {
  readonly rows?: number;
  /** The text is code: every character has the same width, and none is corrected. */
  readonly code?: boolean;
  readonly required?: boolean;
  readonly maxLength?: number | undefined;
  readonly placeholder?: string;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        {...rest}
        id={id}
        class={code ? 'mono' : ''}
        spellcheck={!code}
        rows={rows}
        value={value}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {hint && <Hint id={`${id}-hint`}>{hint}</Hint>}
    </div>
  );
}

export function SelectField({
  label,
  value,
  onChange,
  options,
  hint,
  required = false,
}: FieldProps & {
  readonly options: readonly (readonly [string, string])[];
  readonly required?: boolean;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        required={required}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
      {hint && <Hint id={`${id}-hint`}>{hint}</Hint>}
    </div>
  );
}

export function CheckField({
  label,
  checked,
  onChange,
}: {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {label}
    </label>
  );
}

export function NeuronField({
  neurons,
  all,
  ...field
}: Omit<FieldProps, 'label'> & { readonly neurons: readonly string[]; readonly all?: boolean }) {
  const options = neurons.map((slug) => [slug, slug] as const);
  return <SelectField label="Neuron" options={all ? [['', 'All'], ...options] : options} {...field} />;
}
