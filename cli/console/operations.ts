// The operations of the page, each the words of one command. The page can run nothing else of the command line.
import { usageFailure } from '../output/failure.ts';
import type { RunOptions } from './run-command.ts';

export type Parameters = Readonly<Record<string, string>>;

export interface Operation {
  /** True for operations that need a POST with the CSRF token. */
  readonly changes: boolean;
  readonly form: NonNullable<RunOptions['form']>;
  /** The command that may run, such as `logs list`: no value may turn the words into another. */
  readonly command: string;
  readonly words: (parameters: Parameters) => readonly string[];
  /** Environment variables, for values that must not be words. */
  readonly environment?: (parameters: Parameters) => Readonly<Record<string, string>>;
  /** Max. number of values of one answer. The page may ask for fewer. */
  readonly maxValues?: number;
}

const MAX_ENTRIES = 1_000;
const MAX_CHANGES = 500;

const LOG_FILTERS = ['since', 'from', 'to', 'user', 'outcome', 'status', 'key', 'ip', 'deleted'] as const;

/** Also read for charts and followed. `logs list` and not `logs`, which would take an organization `restore` for its verb. */
export const LOGS: Operation = {
  ...read('logs list', (parameters) => [word(parameters, 'target'), ...options(parameters, LOG_FILTERS)]),
  maxValues: MAX_ENTRIES,
};

/** By the name in the path of the request. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  organizations: read('list'),
  neurons: read('list', (parameters) => [word(parameters, 'organization')]),
  settings: { ...read('show', (parameters) => [word(parameters, 'target')]), form: 'text' },
  versions: read('versions list', (parameters) => [word(parameters, 'neuron')]),
  version: {
    ...read('versions show', (parameters) => [word(parameters, 'neuron'), word(parameters, 'version')]),
    form: 'text',
  },
  logs: LOGS,
  entry: read('logs list', (parameters) => [
    word(parameters, 'target'),
    ...options(parameters, ['id', 'deleted']),
  ]),
  changes: {
    ...read('logs list', (parameters) => [
      word(parameters, 'target'),
      '--changes',
      ...options(parameters, ['since', 'from', 'to']),
    ]),
    maxValues: MAX_CHANGES,
  },
  usage: read('usage', (parameters) => [
    word(parameters, 'organization'),
    ...options(parameters, ['period', 'by']),
  ]),
  alerts: read('alerts', (parameters) => [word(parameters, 'organization')]),
  limits: read('limits', (parameters) => [
    word(parameters, 'target'),
    ...options(parameters, ['user', 'key', 'ip']),
  ]),
  keys: read('keys list', (parameters) => [word(parameters, 'organization')]),
  explain: {
    ...read('explain', (parameters) => [
      word(parameters, 'neuron'),
      ...options(parameters, ['referer', 'origin', 'ip']),
    ]),
    environment: (parameters): Readonly<Record<string, string>> =>
      parameters['token'] ? { NEURON_TOKEN: parameters['token'] } : {},
  },
  doctor: read('doctor', (parameters) => (parameters['probe'] === 'true' ? ['--probe'] : [])),
  deploy: change('versions deploy', (parameters) => [
    word(parameters, 'neuron'),
    word(parameters, 'version'),
  ]),
  undeploy: change('versions undeploy', (parameters) => [word(parameters, 'neuron')]),
  previewKey: change('versions key', (parameters) => [
    word(parameters, 'neuron'),
    word(parameters, 'version'),
    '--new',
  ]),
  clearCache: change('cache clear', (parameters) => [word(parameters, 'neuron')]),
  createKey: change('keys create', (parameters) => [
    word(parameters, 'organization'),
    ...options(parameters, ['name', 'expires', 'neurons']),
    ...limits(parameters),
  ]),
  limitKey: change('keys limit', (parameters) => [
    word(parameters, 'organization'),
    word(parameters, 'key'),
    ...(limits(parameters).length === 0 ? ['--none'] : limits(parameters)),
  ]),
  revokeKey: change('keys revoke', (parameters) => [
    word(parameters, 'organization'),
    word(parameters, 'key'),
  ]),
  pause: change('organization pause', (parameters) => [
    word(parameters, 'organization'),
    ...options(parameters, ['retry-after']),
  ]),
  resume: change('organization resume', (parameters) => [word(parameters, 'organization')]),
  maintenanceOn: change('maintenance on', (parameters) => options(parameters, ['retry-after'])),
  maintenanceOff: change('maintenance off'),
};

type Inputs = (parameters: Parameters) => readonly string[];

function read(command: string, inputs: Inputs = () => []): Operation {
  const words = (parameters: Parameters) => [...command.split(' '), ...inputs(parameters)];
  return { changes: false, form: 'json', command, words };
}

function change(command: string, inputs?: Inputs): Operation {
  return { ...read(command, inputs), changes: true };
}

/** Rejects a word that begins with a hyphen, which would be an option. */
function word(parameters: Parameters, name: string): string {
  const value = parameters[name];
  if (value === undefined || value === '') throw usageFailure(`The parameter ${name} is missing.`);
  if (value.startsWith('-')) throw usageFailure(`The parameter ${name} must not begin with a hyphen.`);
  return value;
}

/** Limits of a key: one on each line of the parameter. */
function limits(parameters: Parameters): readonly string[] {
  const lines = (parameters['limits'] ?? '').split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').map((line) => `--limit=${line}`);
}

/** Each option with its value as one word, so that a value is never taken for an option. Absent and empty ones are left out. */
function options(parameters: Parameters, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => (parameters[name] ? [`--${name}=${parameters[name]}`] : []));
}
