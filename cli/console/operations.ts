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
  readonly words: (input: Parameters) => readonly string[];
  /** Variables, for what must not be a word. */
  readonly environment?: (input: Parameters) => Readonly<Record<string, string>>;
  /** Most values of one answer, unless the page asks for fewer. */
  readonly most?: number;
}

/** Entries on one page of the explorer at most. */
const MAX_ENTRIES = 1_000;
const MAX_CHANGES = 500;

const LOG_FILTERS = ['since', 'from', 'to', 'user', 'outcome', 'status', 'key', 'ip', 'deleted'] as const;

/** By name, as in the address of the request. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  organizations: read(() => ['list']),
  neurons: read((input) => ['list', word(input, 'organization')]),
  settings: text((input) => ['show', word(input, 'target')]),
  versions: read((input) => ['versions', 'list', word(input, 'neuron')]),
  version: text((input) => ['versions', 'show', word(input, 'neuron'), word(input, 'version')]),
  logs: {
    ...read((input) => ['logs', word(input, 'target'), ...options(input, LOG_FILTERS)]),
    most: MAX_ENTRIES,
  },
  entry: read((input) => ['logs', word(input, 'target'), ...options(input, ['id', 'deleted'])]),
  changes: {
    ...read((input) => [
      'logs',
      word(input, 'target'),
      '--changes',
      ...options(input, ['since', 'from', 'to']),
    ]),
    most: MAX_CHANGES,
  },
  usage: read((input) => ['usage', word(input, 'organization'), ...options(input, ['period', 'by'])]),
  alerts: read((input) => ['alerts', word(input, 'organization')]),
  limits: read((input) => ['limits', word(input, 'target'), ...options(input, ['user', 'key', 'ip'])]),
  keys: read((input) => ['keys', 'list', word(input, 'organization')]),
  explain: {
    ...read((input) => [
      ...['explain', word(input, 'neuron')],
      ...options(input, ['referer', 'origin', 'ip']),
    ]),
    environment: (input): Readonly<Record<string, string>> =>
      input['token'] ? { NEURON_TOKEN: input['token'] } : {},
  },
  doctor: read((input) => ['doctor', ...(input['probe'] === 'true' ? ['--probe'] : [])]),
  deploy: change((input) => ['versions', 'deploy', word(input, 'neuron'), word(input, 'version')]),
  undeploy: change((input) => ['versions', 'undeploy', word(input, 'neuron')]),
  previewKey: change((input) => [
    ...['versions', 'key', word(input, 'neuron'), word(input, 'version')],
    '--new',
  ]),
  clearCache: change((input) => ['cache', 'clear', word(input, 'neuron')]),
  createKey: change((input) => [
    ...['keys', 'create', word(input, 'organization')],
    ...options(input, ['name', 'expires', 'neurons']),
    ...limits(input),
  ]),
  limitKey: change((input) => [
    ...['keys', 'limit', word(input, 'organization'), word(input, 'key')],
    ...(limits(input).length === 0 ? ['--none'] : limits(input)),
  ]),
  revokeKey: change((input) => ['keys', 'revoke', word(input, 'organization'), word(input, 'key')]),
  pause: change((input) => [
    ...['organization', 'pause', word(input, 'organization')],
    ...options(input, ['retry-after']),
  ]),
  resume: change((input) => ['organization', 'resume', word(input, 'organization')]),
  maintenanceOn: change((input) => ['maintenance', 'on', ...options(input, ['retry-after'])]),
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
function word(input: Parameters, name: string): string {
  const value = input[name];
  if (value === undefined || value === '') throw usageFailure(`The parameter ${name} is missing.`);
  if (value.startsWith('-')) throw usageFailure(`The parameter ${name} must not begin with a hyphen.`);
  return value;
}

/** Limits of a key, one a line. */
function limits(input: Parameters): readonly string[] {
  const lines = (input['limits'] ?? '').split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').map((line) => `--limit=${line}`);
}

/** Options as one word each, so that a value can be nothing but a value. Absent and empty ones are left out. */
function options(input: Parameters, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => (input[name] ? [`--${name}=${input[name]}`] : []));
}
