// What the page may ask for, each as the words of one command. Nothing else of the command line can be reached from the page.
import { usageFailure } from '../output/failure.ts';
import type { RunOptions } from './run-command.ts';

/** Parameters as the page sends them. */
export type Parameters = Readonly<Record<string, string>>;

/** One operation. */
export interface Operation {
  /** True: only by POST and with the CSRF token. */
  readonly changes: boolean;
  readonly form: NonNullable<RunOptions['form']>;
  readonly words: (given: Parameters) => readonly string[];
  /** Variables, for what must not be a word. */
  readonly environment?: (given: Parameters) => Readonly<Record<string, string>>;
  /** Most values of one answer, unless the page asks for fewer. */
  readonly most?: number;
}

/** Entries on one page of the explorer at most. */
const MOST_ENTRIES = 1_000;
const MOST_CHANGES = 500;

const LOG_FILTERS = ['since', 'from', 'to', 'user', 'outcome', 'status', 'key', 'ip', 'deleted'] as const;

/** By name, as in the address of the request. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  organizations: read(() => ['list']),
  neurons: read((given) => ['list', word(given, 'organization')]),
  settings: text((given) => ['show', word(given, 'target')]),
  versions: read((given) => ['versions', 'list', word(given, 'neuron')]),
  version: text((given) => ['versions', 'show', word(given, 'neuron'), word(given, 'version')]),
  logs: {
    ...read((given) => ['logs', word(given, 'target'), ...options(given, LOG_FILTERS)]),
    most: MOST_ENTRIES,
  },
  entry: read((given) => ['logs', word(given, 'target'), ...options(given, ['id', 'deleted'])]),
  changes: {
    ...read((given) => [
      'logs',
      word(given, 'target'),
      '--changes',
      ...options(given, ['since', 'from', 'to']),
    ]),
    most: MOST_CHANGES,
  },
  usage: read((given) => ['usage', word(given, 'organization'), ...options(given, ['period', 'by'])]),
  alerts: read((given) => ['alerts', word(given, 'organization')]),
  limits: read((given) => ['limits', word(given, 'target'), ...options(given, ['user', 'key', 'ip'])]),
  keys: read((given) => ['keys', 'list', word(given, 'organization')]),
  explain: {
    ...read((given) => [
      ...['explain', word(given, 'neuron')],
      ...options(given, ['referer', 'origin', 'ip']),
    ]),
    environment: (given): Readonly<Record<string, string>> =>
      given['token'] ? { NEURON_TOKEN: given['token'] } : {},
  },
  doctor: read((given) => ['doctor', ...(given['probe'] === 'true' ? ['--probe'] : [])]),
  deploy: change((given) => ['versions', 'deploy', word(given, 'neuron'), word(given, 'version')]),
  undeploy: change((given) => ['versions', 'undeploy', word(given, 'neuron')]),
  previewKey: change((given) => [
    ...['versions', 'key', word(given, 'neuron'), word(given, 'version')],
    '--new',
  ]),
  clearCache: change((given) => ['cache', 'clear', word(given, 'neuron')]),
  createKey: change((given) => [
    ...['keys', 'create', word(given, 'organization')],
    ...options(given, ['name', 'expires', 'neurons']),
    ...limits(given),
  ]),
  limitKey: change((given) => [
    ...['keys', 'limit', word(given, 'organization'), word(given, 'key')],
    ...(limits(given).length === 0 ? ['--none'] : limits(given)),
  ]),
  revokeKey: change((given) => ['keys', 'revoke', word(given, 'organization'), word(given, 'key')]),
  pause: change((given) => [
    ...['organization', 'pause', word(given, 'organization')],
    ...options(given, ['retry-after']),
  ]),
  resume: change((given) => ['organization', 'resume', word(given, 'organization')]),
  maintenanceOn: change((given) => ['maintenance', 'on', ...options(given, ['retry-after'])]),
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

/** A word that stands for itself. One that begins with a hyphen would be an option. */
function word(given: Parameters, name: string): string {
  const value = given[name];
  if (value === undefined || value === '') throw usageFailure(`The parameter ${name} is missing.`);
  if (value.startsWith('-')) throw usageFailure(`The parameter ${name} must not begin with a hyphen.`);
  return value;
}

/** Limits of a key, one a line. */
function limits(given: Parameters): readonly string[] {
  const lines = (given['limits'] ?? '').split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').map((line) => `--limit=${line}`);
}

/** Options as one word each, so that a value can be nothing but a value. Absent and empty ones are left out. */
function options(given: Parameters, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => (given[name] ? [`--${name}=${given[name]}`] : []));
}
