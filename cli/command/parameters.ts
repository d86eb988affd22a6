// Declares the arguments and options of a command with the types of their values.
import { Argument, InvalidArgumentError, Option } from 'commander';

/** Turns a text into a value, or throws `InvalidArgumentError`. A repeated option gets the value so far. */
type Parse<Value> = (text: string, before: Value | undefined) => Value;

/** How a text becomes a value: a function, or the texts that are allowed. */
type Values<Value> = Parse<Value> | readonly (Value & string)[];

export interface Parameter<Value, Declaration extends Argument | Option> {
  /** A new declaration for the parser. */
  create(): Declaration;
  read(parsed: unknown): Value;
}

/** One value or more for `<name...>`, any number for `[name...]`, none or one for `[name]`. */
type ArgumentValue<Name extends string, Value> = Name extends `<${string}...>`
  ? readonly [Value, ...Value[]]
  : Name extends `[${string}...]`
    ? readonly Value[]
    : Name extends `[${string}]`
      ? Value | undefined
      : Value;

/** `<name>`, `[name]`, `<name...>` or `[name...]`. */
export function argument<const Name extends string>(
  name: Name,
  description: string,
): Parameter<ArgumentValue<Name, string>, Argument>;
export function argument<const Name extends string, Value>(
  name: Name,
  description: string,
  values: Values<Value>,
): Parameter<ArgumentValue<Name, Value>, Argument>;
export function argument<Value>(
  name: string,
  description: string,
  values?: Values<Value>,
): Parameter<unknown, Argument> {
  return {
    create() {
      const created = new Argument(name, description);
      if (values === undefined) return created;
      if (typeof values !== 'function') return created.choices(values);
      const parse = (text: string) => values(text, undefined);
      return created.variadic
        ? created.argParser<readonly Value[]>((text, before = []) => [...before, parse(text)])
        : created.argParser(parse);
    },
    read: (parsed) => parsed,
  };
}

/** Whether an option must be passed, or what it is where it is not. `shown`: the default in the help text, in place of its JSON. */
type Presence<Value> = { readonly required: true } | { readonly default: Value; readonly shown?: string };

/** True for `--name [value]` without its value. */
type OptionText<Flags extends string> = Flags extends `${string}[${string}]` ? string | true : string;

/** `--name <value>` or `--name [value]`. Without a presence it is undefined where it is not passed. */
export function option<const Flags extends string>(
  flags: Flags,
  description: string,
): Parameter<OptionText<Flags> | undefined, Option>;
export function option<Value>(
  flags: string,
  description: string,
  values: Values<Value>,
): Parameter<Value | undefined, Option>;
export function option<Value>(
  flags: string,
  description: string,
  values: Values<Value>,
  presence: Presence<NoInfer<Value>>,
): Parameter<Value, Option>;
export function option<Value>(
  flags: string,
  description: string,
  values?: Values<Value>,
  presence?: Presence<Value>,
): Parameter<unknown, Option> {
  return {
    create() {
      const created = new Option(flags, description);
      if (typeof values === 'function') created.argParser(values);
      else if (values !== undefined) created.choices(values);
      if (presence === undefined) return created;
      return 'required' in presence
        ? created.makeOptionMandatory()
        : created.default(presence.default, presence.shown);
    },
    read: (parsed) => parsed,
  };
}

/** `--name`: true where it is passed. */
export function flag(flags: string, description: string): Parameter<boolean, Option> {
  return {
    create() {
      const created = new Option(flags, description);
      // Otherwise `--no-x` would be the value false of `--x`, and the last of the two would win.
      created.negate = false;
      return created;
    },
    read: (parsed) => parsed === true,
  };
}

/** Reasons and messages are one line in lists. */
const MAX_LINE_LENGTH = 500;

/** One line, such as the reason of a change. */
export function parseLine(text: string): string {
  if (text.trim() === '' || text.length > MAX_LINE_LENGTH || /\p{Cc}/u.test(text))
    throw new InvalidArgumentError(`It must be one line of 1 to ${MAX_LINE_LENGTH} characters.`);
  return text;
}
