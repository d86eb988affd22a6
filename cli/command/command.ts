// Declares a command as one object: arguments, options, result and run.
import type { Argument, Command, Option } from 'commander';
import type { ExitCode } from '../output/failure.ts';
import type { Output } from '../output/print.ts';
import type { Column } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';
import type { Session } from '../session/session.ts';
import { type Conflict, declareConflicts } from './conflicts.ts';
import type { Parameter } from './parameters.ts';

export { argument, flag, option, parseLine } from './parameters.ts';

type Arguments = Readonly<Record<string, Parameter<unknown, Argument>>>;
type Options = Readonly<Record<string, Parameter<unknown, Option>>>;

/** The values of declared arguments or options, by the names of their declarations. */
export type ValuesOf<Parameters> = {
  readonly [Name in keyof Parameters]: Parameters[Name] extends Parameter<infer Value, Argument | Option>
    ? Value
    : never;
};

interface Declaration<Words extends Arguments, Own extends Options, Inherited extends Options> {
  readonly name: string;
  /** One sentence, for lists of commands; that of a command of the first level is in program.ts. */
  readonly description?: string;
  /** In their order on the command line. */
  readonly arguments?: Words;
  readonly options?: Own;
  /** Options of the command above this one, whose parser reads them wherever they stand on the line. */
  readonly inherited?: Inherited;
  readonly conflicts?: readonly Conflict<keyof Own & string>[];
  /** Help below the options. */
  readonly help?: string;
  readonly commands?: readonly RegisteredCommand[];
}

type InputOf<Words, Own, Inherited> = ValuesOf<Words> & ValuesOf<Own> & ValuesOf<Inherited>;

/** A list: with `--json` one object a line, else a table, or `none` where it is empty. */
interface ListResult<Item, Input> {
  readonly columns: readonly Column<Item>[];
  readonly none: (input: Input) => string;
}

/** One value: with `--json` as it is, else as text. */
interface ValueResult<Value> {
  readonly text: (value: Value) => string;
}

type Run<Input, Returned> = (input: Input, session: Session) => Promise<Returned>;

/** A declared command, or a noun with its verbs. */
export interface RegisteredCommand {
  /** Returns its parser. */
  register(parent: Command, execute: Execute): Command;
}

/** Builds the tree of commands. Commands that work on the tree get it as a parameter, since they are part of it. */
export type LoadProgram = (
  terminal: Terminal,
  execute: Execute,
  words?: readonly string[],
) => Promise<Command>;

export type Execute = (
  parsed: Command,
  body: (session: Session) => Promise<ExitCode | undefined>,
) => Promise<void>;

/** Declares a command that returns its result: the items of a list, or one value. */
export function command<
  Item extends object,
  Words extends Arguments = Record<never, never>,
  Own extends Options = Record<never, never>,
  Inherited extends Options = Record<never, never>,
>(
  declaration: Declaration<Words, Own, Inherited> & {
    readonly result: ListResult<Item, InputOf<Words, Own, Inherited>>;
    readonly run: Run<InputOf<Words, Own, Inherited>, readonly NoInfer<Item>[]>;
  },
): RegisteredCommand;
export function command<
  Value,
  Words extends Arguments = Record<never, never>,
  Own extends Options = Record<never, never>,
  Inherited extends Options = Record<never, never>,
>(
  declaration: Declaration<Words, Own, Inherited> & {
    readonly result: ValueResult<Value>;
    readonly run: Run<InputOf<Words, Own, Inherited>, NoInfer<Value>>;
  },
): RegisteredCommand;
/** Declares a command that prints as it goes; no exit code means done. One without `run` is a noun with verbs. */
export function command<
  Words extends Arguments = Record<never, never>,
  Own extends Options = Record<never, never>,
  Inherited extends Options = Record<never, never>,
>(
  declaration: Declaration<Words, Own, Inherited> & {
    readonly result?: undefined;
    readonly run?: (
      input: InputOf<Words, Own, Inherited>,
      session: Session,
    ) => Promise<ExitCode> | Promise<void>;
  },
): RegisteredCommand;
export function command(declaration: AnyDeclaration): RegisteredCommand {
  return { register: (parent, execute) => register(declaration, parent, execute) };
}

interface AnyDeclaration extends Declaration<Arguments, Options, Options> {
  readonly result?: ListResult<object, never> | ValueResult<never> | undefined;
  readonly run?: Run<never, unknown>;
}

function register(declaration: AnyDeclaration, parent: Command, execute: Execute): Command {
  const { name, description = '', help, run } = declaration;
  const parser = parent.command(name).description(description);
  for (const one of Object.values(declaration.arguments ?? {})) parser.addArgument(one.create());
  const options = new Map(Object.entries(declaration.options ?? {}).map(([key, one]) => [key, one.create()]));
  declareConflicts(parser, declaration.conflicts ?? [], options);
  for (const one of options.values()) parser.addOption(one);
  if (help !== undefined) parser.addHelpText('after', `\n${help}`);
  for (const inner of declaration.commands ?? []) inner.register(parser, execute);
  if (run === undefined) return parser;
  return parser.action(() =>
    execute(parser, async (session) => {
      const input = readInput(declaration, parser) as never;
      return print(declaration, await run(input, session), input, session.out);
    }),
  );
}

function readInput(
  { arguments: words = {}, options = {}, inherited = {} }: AnyDeclaration,
  parser: Command,
): Readonly<Record<string, unknown>> {
  const read = (from: Command | null, parameters: Options) =>
    Object.entries(parameters).map(([key, one]) => [
      key,
      one.read(from?.getOptionValue(one.create().attributeName())),
    ]);
  return Object.fromEntries([
    ...Object.entries(words).map(([key, one], at) => [key, one.read(parser.processedArgs[at])]),
    ...read(parser, options),
    ...read(parser.parent, inherited),
  ]);
}

function print(
  { result }: AnyDeclaration,
  returned: unknown,
  input: never,
  out: Output,
): ExitCode | undefined {
  if (result === undefined) return returned as ExitCode | undefined;
  if ('text' in result) out.value(returned, result.text(returned as never));
  else out.list(returned as readonly object[], result.columns, result.none(input));
  return undefined;
}
