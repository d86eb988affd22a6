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
  /** Standard input, for texts that are files on a terminal. The page may name no file. */
  readonly stdin?: (parameters: Parameters) => string;
  /** Max. number of values of one answer. The page may ask for fewer. */
  readonly maxValues?: number;
}

const MAX_ENTRIES = 1_000;
const MAX_CHANGES = 500;
/** An export is held in memory: that of a person with more is made on a terminal. */
const MAX_EXPORTED = 20_000;
const MAX_ORGANIZATIONS = 500;

const LOG_FILTERS = ['since', 'from', 'to', 'user', 'outcome', 'status', 'key', 'ip', 'deleted'] as const;

/** Also read for charts and followed. `logs list` and not `logs`, which would take an organization `restore` for its verb. */
export const LOGS: Operation = { ...read('logs list', ['target'], LOG_FILTERS), maxValues: MAX_ENTRIES };

/** By the name in the path of the request. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  organizations: { ...read('list'), maxValues: MAX_ORGANIZATIONS },
  neurons: read('list', ['organization']),
  settings: { ...read('show', ['target']), form: 'text' },
  versions: read('versions list', ['neuron']),
  version: { ...read('versions show', ['neuron', 'version']), form: 'text' },
  logs: LOGS,
  entry: read('logs list', ['target'], ['id', 'deleted']),
  changes: { ...read('logs list', ['target', '--changes'], ['since', 'from', 'to']), maxValues: MAX_CHANGES },
  usage: read('usage', ['organization'], ['period', 'by']),
  usageAll: read('usage', ['--all'], ['period', 'sort', 'limit']),
  status: read('status', ['target']),
  alerts: read('alerts', ['organization']),
  limits: read('limits', ['target'], ['user', 'key', 'ip']),
  guards: read('guards report', ['target'], ['since']),
  person: read('users erase', ['--dry-run'], [], personWords),
  keys: read('keys list', ['organization']),
  explain: {
    ...read('explain', ['neuron'], ['referer', 'origin', 'ip']),
    environment: (parameters): Readonly<Record<string, string>> =>
      parameters['token'] ? { NEURON_TOKEN: parameters['token'] } : {},
  },
  maintenance: read('maintenance status'),
  doctor: read('doctor', [], [], ({ probe }) => (probe === 'true' ? ['--probe'] : [])),
  tryDeployed: change('versions try', ['neuron'], ['input'], variables),
  tryDraft: { ...change('versions try', ['neuron', '--flow=-'], ['input'], variables), stdin: flowText },
  tryCases: {
    ...change('versions try', ['neuron', '--flow=-', '--cases=-'], ['limit', 'max-cost']),
    stdin: (parameters) => `${flowText(parameters)}\n---\n${parameters['cases'] ?? ''}`,
  },
  saveVersion: { ...change('versions save', ['neuron', '--flow=-'], ['message']), stdin: flowText },
  deploy: change('versions deploy', ['neuron', 'version']),
  undeploy: change('versions undeploy', ['neuron']),
  rollout: read('versions rollout status', ['neuron']),
  shadow: read('versions shadow status', ['neuron']),
  compare: read('versions compare', ['neuron', 'version', 'other'], ['period'], ({ kind }) =>
    kind === 'shadow' ? ['--shadow'] : [],
  ),
  rolloutEvidence: read('versions rollout status', ['neuron', '--evidence']),
  rolloutStart: change('versions rollout start', ['neuron', 'version'], ['share', 'by']),
  rolloutNext: change('versions rollout next', ['neuron']),
  rolloutPause: change('versions rollout pause', ['neuron'], ['reason']),
  rolloutResume: change('versions rollout resume', ['neuron']),
  rolloutPromote: change('versions rollout promote', ['neuron']),
  rolloutAbort: change('versions rollout abort', ['neuron']),
  shadowStart: change('versions shadow start', ['neuron', 'version'], ['share', 'budget', 'for']),
  shadowStop: change('versions shadow stop', ['neuron']),
  previewKey: change('versions key', ['neuron', 'version', '--new']),
  clearCache: change('cache clear', ['neuron']),
  createKey: change('keys create', ['organization'], ['name', 'expires', 'neurons'], (parameters) => [
    ...limits(parameters),
    ...lines(parameters, 'tags').map((line) => `--tag=${line}`),
  ]),
  erasePerson: change('users erase', [], ['reason'], personWords),
  exportPerson: { ...change('users export', [], [], personWords), maxValues: MAX_EXPORTED },
  limitKey: change('keys update', ['organization', 'key'], [], (parameters) =>
    limits(parameters).length === 0 ? ['--clear-limits'] : limits(parameters),
  ),
  revokeKey: change('keys revoke', ['organization', 'key']),
  pauseKey: change('keys pause', ['organization', 'key'], ['retry-after']),
  resumeKey: change('keys resume', ['organization', 'key']),
  pauseNeuron: change('pause', ['neuron'], ['retry-after']),
  resumeNeuron: change('resume', ['neuron']),
  pause: change('organization pause', ['organization'], ['retry-after']),
  resume: change('organization resume', ['organization']),
  maintenanceOn: change('maintenance on', [], ['retry-after']),
  maintenanceOff: change('maintenance off'),
};

/** `words`: names of required parameters, and flags. `names`: parameters that are options of the same name. */
function read(
  command: string,
  words: readonly string[] = [],
  names: readonly string[] = [],
  more: Operation['words'] = () => [],
): Operation {
  return {
    changes: false,
    form: 'json',
    command,
    words: (parameters) => [
      ...command.split(' '),
      ...words.map((name) => (name.startsWith('--') ? name : word(parameters, name))),
      ...options(parameters, names),
      ...more(parameters),
    ],
  };
}

function change(...declaration: globalThis.Parameters<typeof read>): Operation {
  return { ...read(...declaration), changes: true };
}

/** Rejects a word that begins with a hyphen, which would be an option. */
function word(parameters: Parameters, name: string): string {
  const value = parameters[name];
  if (value === undefined || value === '') throw usageFailure(`The parameter ${name} is missing.`);
  if (value.startsWith('-')) throw usageFailure(`The parameter ${name} must not begin with a hyphen.`);
  return value;
}

/** A name may begin with a hyphen: after `--` nothing is an option. */
function personWords(parameters: Parameters): readonly string[] {
  const { user = '' } = parameters;
  if (user === '') throw usageFailure('The parameter user is missing.');
  return [...(user.startsWith('-') ? ['--'] : []), word(parameters, 'organization'), user];
}

/** Limits of a key: one on each line of the parameter. */
function limits(parameters: Parameters): readonly string[] {
  return lines(parameters, 'limits').map((line) => `--limit=${line}`);
}

/** Values of variables: one on each line of the parameter, as JSON. */
function variables(parameters: Parameters): readonly string[] {
  return lines(parameters, 'variables').map((line) => `--var=${line}`);
}

function flowText({ flow = '' }: Parameters): string {
  return flow;
}

function lines(parameters: Parameters, name: string): readonly string[] {
  const trimmed = (parameters[name] ?? '').split('\n').map((line) => line.trim());
  return trimmed.filter((line) => line !== '');
}

/** Each option with its value as one word, so that a value is never taken for an option. Absent and empty ones are left out. */
function options(parameters: Parameters, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => (parameters[name] ? [`--${name}=${parameters[name]}`] : []));
}
