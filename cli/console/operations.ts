// The operations of the page, each the words of one command. The page can run nothing else of the command line.
import { usageFailure } from '../output/failure.ts';
import type { RunOptions } from './run-command.ts';

export type Parameters = Readonly<Record<string, string>>;

export interface Operation {
  /** True for operations that need a POST with the CSRF token. */
  readonly changes: boolean;
  readonly form: NonNullable<RunOptions['form']>;
  readonly words: (parameters: Parameters) => readonly string[];
  /** Environment variables, for values that must not be words. */
  readonly environment?: (parameters: Parameters) => Readonly<Record<string, string>>;
  /** Max. number of values of one answer. The page may ask for fewer. */
  readonly maxValues?: number;
}

const MAX_ENTRIES = 1_000;
const MAX_CHANGES = 500;

const LOG_FILTERS = ['since', 'from', 'to', 'user', 'outcome', 'status', 'key', 'ip', 'deleted'] as const;

/** By the name in the path of the request. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  organizations: read(() => ['list']),
  neurons: read((parameters) => ['list', word(parameters, 'organization')]),
  settings: text((parameters) => ['show', word(parameters, 'target')]),
  versions: read((parameters) => ['versions', 'list', word(parameters, 'neuron')]),
  version: text((parameters) => [
    'versions',
    'show',
    word(parameters, 'neuron'),
    word(parameters, 'version'),
  ]),
  logs: {
    ...read((parameters) => ['logs', word(parameters, 'target'), ...options(parameters, LOG_FILTERS)]),
    maxValues: MAX_ENTRIES,
  },
  entry: read((parameters) => [
    'logs',
    word(parameters, 'target'),
    ...options(parameters, ['id', 'deleted']),
  ]),
  changes: {
    ...read((parameters) => [
      'logs',
      word(parameters, 'target'),
      '--changes',
      ...options(parameters, ['since', 'from', 'to']),
    ]),
    maxValues: MAX_CHANGES,
  },
  usage: read((parameters) => [
    'usage',
    word(parameters, 'organization'),
    ...options(parameters, ['period', 'by']),
  ]),
  alerts: read((parameters) => ['alerts', word(parameters, 'organization')]),
  limits: read((parameters) => [
    'limits',
    word(parameters, 'target'),
    ...options(parameters, ['user', 'key', 'ip']),
  ]),
  keys: read((parameters) => ['keys', 'list', word(parameters, 'organization')]),
  explain: {
    ...read((parameters) => [
      'explain',
      word(parameters, 'neuron'),
      ...options(parameters, ['referer', 'origin', 'ip']),
    ]),
    environment: (parameters): Readonly<Record<string, string>> =>
      parameters['token'] ? { NEURON_TOKEN: parameters['token'] } : {},
  },
  doctor: read((parameters) => ['doctor', ...(parameters['probe'] === 'true' ? ['--probe'] : [])]),
  deploy: change((parameters) => [
    'versions',
    'deploy',
    word(parameters, 'neuron'),
    word(parameters, 'version'),
  ]),
  undeploy: change((parameters) => ['versions', 'undeploy', word(parameters, 'neuron')]),
  previewKey: change((parameters) => [
    'versions',
    'key',
    word(parameters, 'neuron'),
    word(parameters, 'version'),
    '--new',
  ]),
  clearCache: change((parameters) => ['cache', 'clear', word(parameters, 'neuron')]),
  createKey: change((parameters) => [
    'keys',
    'create',
    word(parameters, 'organization'),
    ...options(parameters, ['name', 'expires', 'neurons']),
    ...limits(parameters),
  ]),
  limitKey: change((parameters) => [
    'keys',
    'limit',
    word(parameters, 'organization'),
    word(parameters, 'key'),
    ...(limits(parameters).length === 0 ? ['--none'] : limits(parameters)),
  ]),
  revokeKey: change((parameters) => [
    'keys',
    'revoke',
    word(parameters, 'organization'),
    word(parameters, 'key'),
  ]),
  pause: change((parameters) => [
    'organization',
    'pause',
    word(parameters, 'organization'),
    ...options(parameters, ['retry-after']),
  ]),
  resume: change((parameters) => ['organization', 'resume', word(parameters, 'organization')]),
  maintenanceOn: change((parameters) => ['maintenance', 'on', ...options(parameters, ['retry-after'])]),
  maintenanceOff: change(() => ['maintenance', 'off']),
};

function read(words: Operation['words']): Operation {
  return { changes: false, form: 'json', words };
}

function text(words: Operation['words']): Operation {
  return { changes: false, form: 'text', words };
}

function change(words: Operation['words']): Operation {
  return { changes: true, form: 'json', words };
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
