// A field for each variable of a flow, with its type, bounds and default.
import type { VariableDeclaration, VariableTexts } from '../data/declarations.ts';
import { formatNumber } from '../data/format.ts';
import { AreaField, NumberField, SelectField } from '../parts/field.tsx';

export function VariableFields({
  declarations,
  texts,
  onChange,
}: {
  readonly declarations: readonly VariableDeclaration[];
  readonly texts: VariableTexts;
  readonly onChange: (texts: VariableTexts) => void;
}) {
  if (declarations.length === 0) return null;
  return (
    <fieldset class="variables">
      <legend>Variables</legend>
      {declarations.map((declaration) => (
        <VariableField
          key={declaration.name}
          declaration={declaration}
          value={texts.get(declaration.name) ?? ''}
          onChange={(text) => onChange(new Map(texts).set(declaration.name, text))}
        />
      ))}
    </fieldset>
  );
}

function VariableField({
  declaration,
  value,
  onChange,
}: {
  readonly declaration: VariableDeclaration;
  readonly value: string;
  readonly onChange: (text: string) => void;
}) {
  const { name, type, required, values, min, max, maxLength } = declaration;
  const field = { label: name, value, onChange, required, hint: describe(declaration) };
  if (values !== undefined) {
    const none = [['', required ? 'Choose one' : describeDefault(declaration)]] as const;
    return <SelectField {...field} options={[...none, ...values.map(toOption)]} />;
  }
  if (type === 'number') return <NumberField {...field} min={min} max={max} />;
  return <AreaField {...field} rows={1} maxLength={maxLength} />;
}

function toOption(value: string | number | boolean): readonly [string, string] {
  return [String(value), String(value)];
}

function describeDefault({ default: initial }: VariableDeclaration): string {
  return initial === undefined ? 'Not sent' : `Default: ${initial}`;
}

/** `Number, 1 to 30, default 7. How many days it takes.` */
function describe(declaration: VariableDeclaration): string {
  const { type, required, values, maxLength, description } = declaration;
  const facts = [
    { string: 'Text', number: 'Number', boolean: 'True or false' }[type],
    values === undefined ? describeBounds(declaration) : undefined,
    maxLength === undefined || values !== undefined
      ? undefined
      : `at most ${formatNumber(maxLength)} characters`,
    required ? 'required' : describeInitial(declaration),
  ];
  const said = facts.filter((fact) => fact !== undefined).join(', ');
  return description === undefined ? said : `${said}. ${description}`;
}

/** A list of values has it as its first choice. */
function describeInitial({ default: initial, values }: VariableDeclaration): string | undefined {
  if (initial === undefined || values !== undefined) return undefined;
  return `default ${initial === '' ? 'empty' : initial}`;
}

function describeBounds({ min, max }: VariableDeclaration): string | undefined {
  if (min !== undefined && max !== undefined) return `${formatNumber(min)} to ${formatNumber(max)}`;
  if (min !== undefined) return `at least ${formatNumber(min)}`;
  return max === undefined ? undefined : `at most ${formatNumber(max)}`;
}
