// Reads the variables that a flow in YAML declares, for a field each.
import { useEffect, useState } from 'preact/hooks';
import { ConsoleError } from './api.ts';

export type VariableValue = string | number | boolean;

/** As docs/variables.md has them. */
export interface VariableDeclaration {
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean';
  readonly required: boolean;
  readonly default: VariableValue | undefined;
  /** The values that may be sent; undefined for any. */
  readonly values: readonly VariableValue[] | undefined;
  readonly maxLength: number | undefined;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly description: string | undefined;
}

/** Typed texts by the name of their variable. */
export type VariableTexts = ReadonlyMap<string, string>;

const TYPES = ['string', 'number', 'boolean'] as const;
/** Bound of a text that declares none. */
const DEFAULT_LENGTH = 10_000;
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;
/** Reading waits until nobody has typed for this time. */
const PAUSE_MS = 250;

/** Declarations of the last text that could be read, so that fields stay while it is edited. */
export function useDeclarations(flow: string | undefined): readonly VariableDeclaration[] {
  const [found, setFound] = useState<readonly VariableDeclaration[]>([]);
  useEffect(() => {
    let isCurrent = true;
    const read = async () => {
      const { parse } = await import('yaml');
      const declarations = toDeclarations(parse(flow ?? '', { logLevel: 'silent' }));
      if (isCurrent) setFound(declarations);
    };
    // A flow that cannot be read is explained when it runs.
    const timer = setTimeout(() => read().catch(() => undefined), PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [flow]);
  return found;
}

function toDeclarations(document: unknown): readonly VariableDeclaration[] {
  const variables = membersOf(membersOf(document)['variables']);
  return Object.entries(variables).flatMap(([name, declared]) => {
    const { type, required, default: initial, enum: values, ...rest } = membersOf(declared);
    const known = TYPES.find((one) => one === type);
    if (known === undefined || !NAME.test(name)) return [];
    return [
      {
        name,
        type: known,
        required: required === true,
        default: isValue(initial) ? initial : undefined,
        values:
          known === 'boolean' ? [true, false] : Array.isArray(values) ? values.filter(isValue) : undefined,
        maxLength: known === 'string' ? (toNumber(rest['maxLength']) ?? DEFAULT_LENGTH) : undefined,
        min: toNumber(rest['min']),
        max: toNumber(rest['max']),
        description: typeof rest['description'] === 'string' ? rest['description'] : undefined,
      },
    ];
  });
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function isValue(value: unknown): value is VariableValue {
  return TYPES.some((type) => type === typeof value);
}

function toNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The values to send: those of empty fields are left out. Throws `ConsoleError` for a text that is no number. */
export function toValues(
  declarations: readonly VariableDeclaration[],
  texts: VariableTexts,
): Readonly<Record<string, VariableValue>> {
  return Object.fromEntries(
    declarations.flatMap((declaration): [string, VariableValue][] => {
      const text = texts.get(declaration.name) ?? '';
      return text === '' ? [] : [[declaration.name, toValue(declaration, text)]];
    }),
  );
}

function toValue({ name, type, values }: VariableDeclaration, text: string): VariableValue {
  // A choice from a list sends exactly that value.
  const chosen = values?.find((value) => String(value) === text);
  if (chosen !== undefined) return chosen;
  if (type !== 'number') return text;
  const number = Number(text);
  if (Number.isFinite(number)) return number;
  throw new ConsoleError(0, { what: `The variable ${name} is not a number.` });
}
