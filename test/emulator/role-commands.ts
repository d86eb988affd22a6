// The commands that each role may run: held on the emulator with IAM enforced, and the table of docs/rights.md.
import { ORGANIZATION } from '../smoke/settings.ts';

/** Organization, which the author of these checks has no right to. */
export const FOREIGN = 'smoke-foreign';

export const ROLES = ['operator', 'auditor', 'viewer', 'author', 'keys'] as const;
/** Those with a right beside: an operator who may restore or erase, and an auditor who may export. */
export const ROLES_BESIDE = ['restorer', 'exporter', 'eraser'] as const;
export type RoleName = (typeof ROLES)[number] | (typeof ROLES_BESIDE)[number];

/**
 * A command, and the roles for which it works. `CHANGED` and `FOREIGN_CHANGED` are files of settings with a change of a neuron, `FLOW` is one
 * with another flow, and `CHANGE` the id of the newest change.
 */
export type RoleCommand = readonly [words: string, allowed: readonly RoleName[]];

/** How the command says that IAM refused, as a person reads it; a viewer's calls have no texts, so that none is a case. */
export const REFUSED =
  /^exit code [1-9]\d*: [\s\S]*(?:not authorized|access denied|AccessDenied|permission|cannot be read|No call of \S+ in this period is a case)/i;

const READERS: readonly RoleName[] = ['operator', 'auditor', 'viewer', 'author', 'keys'];

const BLOCK = `block ${ORGANIZATION}/open --ip 203.0.113.9 --for 1h`;
const UNBLOCK = `unblock ${ORGANIZATION}/open --ip 203.0.113.9`;
const REVERT = `revert ${ORGANIZATION}/open --to CHANGE`;

/** Commands that an administrator runs before another one, which would have nothing to do otherwise. */
export const PREPARATIONS: Readonly<Record<string, string>> = { [UNBLOCK]: BLOCK, [REVERT]: 'apply CHANGED' };

/** In an organization that an author may change. */
export const OWN_COMMANDS: readonly RoleCommand[] = [
  ['apply CHANGED', ['operator', 'author']],
  // Reads settings alone: whether secrets are set is checked for those who may read them.
  ['apply CHANGED --check', READERS],
  ['list', ['operator']],
  [`show ${ORGANIZATION}/open`, READERS],
  [`versions list ${ORGANIZATION}/open`, READERS],
  // The providers of this neuron have no secrets, so that whoever reads its settings may run its flow.
  [`versions try ${ORGANIZATION}/open --flow FLOW --input Hi`, READERS],
  [`versions save ${ORGANIZATION}/open --flow FLOW --message tried`, ['operator', 'author']],
  [`versions key ${ORGANIZATION}/open v1 --new`, ['operator', 'author']],
  // Runs are in usage, which an author may not read.
  [`versions rollout status ${ORGANIZATION}/open`, ['operator', 'auditor', 'viewer']],
  [`versions rollout next ${ORGANIZATION}/open`, ['operator']],
  [`versions rollout pause ${ORGANIZATION}/open`, ['operator', 'author']],
  [`versions rollout resume ${ORGANIZATION}/open`, ['operator', 'author']],
  // What of the budget is spent is in a counter.
  [`versions shadow status ${ORGANIZATION}/open`, ['operator']],
  [`versions compare ${ORGANIZATION}/open v1 v2`, ['operator', 'auditor', 'viewer']],
  [`cache clear ${ORGANIZATION}/open`, ['operator', 'author']],
  [`explain ${ORGANIZATION}/open`, ['operator', 'auditor', 'viewer', 'author']],
  [`keys create ${ORGANIZATION} --name one`, ['operator', 'keys']],
  [`keys list ${ORGANIZATION}`, ['operator', 'keys']],
  [`secrets set ${ORGANIZATION} signing --for jwt`, ['operator']],
  [`secrets set ${ORGANIZATION} provider-key --for providers`, ['operator']],
  [`secrets list ${ORGANIZATION}`, ['operator']],
  [`limits ${ORGANIZATION}/open`, ['operator']],
  [`logs ${ORGANIZATION}`, ['operator', 'auditor', 'viewer']],
  [`logs ${ORGANIZATION}/open`, ['operator', 'auditor', 'viewer']],
  [`logs ${ORGANIZATION} --id EXECUTION`, ['operator', 'auditor', 'viewer']],
  [`logs ${ORGANIZATION} --changes`, ['operator', 'auditor']],
  [`cases from-logs ${ORGANIZATION}/open`, ['operator', 'auditor']],
  [REVERT, ['operator']],
  [`usage ${ORGANIZATION}`, ['operator', 'auditor', 'viewer']],
  [`usage ${ORGANIZATION} --by feedback`, ['operator', 'auditor', 'viewer']],
  // Without the limits that are nearly used, whose counters operators alone may read.
  ['usage --all', ['operator', 'auditor', 'viewer']],
  // Limits are in the counters, which operators alone may read.
  [`status ${ORGANIZATION}`, ['operator']],
  [BLOCK, ['operator', 'author']],
  [`block list ${ORGANIZATION}`, READERS],
  [UNBLOCK, ['operator', 'author']],
  // Whoever may write calls could write false ones: `grantRestore` is a right of its own.
  ['logs restore', ['restorer']],
  // Each export is recorded as a change: `grantExport` is a right of its own.
  [`logs export ${ORGANIZATION} --since 1d --out EXPORT`, ['operator', 'restorer', 'exporter', 'eraser']],
  // Items of a person may be in every table, and names of erased persons hang on the log's key: `grantErase` is a right of its own.
  [`users export ${ORGANIZATION} ann`, ['eraser']],
  [`users erase ${ORGANIZATION} ann --reason asked`, ['eraser']],
  ['doctor', ['operator']],
];

/** What the right beside is for, and what it does not give. */
export const COMMANDS_BESIDE: readonly RoleCommand[] = OWN_COMMANDS.filter(([words]) =>
  /^(?:logs (?:restore|export)|users )/.test(words),
);

/** Run before those of every role: a rollout and a shadow go on meanwhile. `NEXT` is a file with another version. */
export const BEGUN = [
  'apply NEXT --no-deploy',
  `versions rollout start ${ORGANIZATION}/open v2`,
  `versions shadow start ${ORGANIZATION}/open v2`,
];

/** Run after them: each ends what goes on, for those who may pause a rollout. */
export const ENDED = [
  `versions shadow stop ${ORGANIZATION}/open`,
  `versions rollout promote ${ORGANIZATION}/open`,
  `versions rollout abort ${ORGANIZATION}/open`,
];

/** In an organization that the author was not granted; the other roles are for all. */
export const FOREIGN_COMMANDS: readonly RoleCommand[] = [
  ['apply FOREIGN_CHANGED', ['operator']],
  [`show ${FOREIGN}/open`, ['operator', 'auditor', 'viewer', 'keys']],
  [`versions list ${FOREIGN}/open`, ['operator', 'auditor', 'viewer', 'keys']],
  [`cache clear ${FOREIGN}/open`, ['operator']],
  [`block ${FOREIGN}/open --ip 203.0.113.9 --for 1h`, ['operator']],
  [`logs ${FOREIGN} --changes`, ['operator', 'auditor']],
  [`keys create ${FOREIGN} --name one`, ['operator', 'keys']],
];

/** The rows of docs/rights.md: the command without the organization of the checks. */
export function documentedRows(): string[] {
  const mark = (allowed: readonly RoleName[], role: RoleName) => (allowed.includes(role) ? 'yes' : 'no');
  const foreign = new Map(FOREIGN_COMMANDS.map(([words, allowed]) => [generalize(words), allowed]));
  return OWN_COMMANDS.map(([words, allowed]) => {
    const command = generalize(words);
    const scoped = foreign.get(command);
    const author = mark(allowed, 'author');
    const ofAuthor =
      scoped === undefined || author === 'no' ? author : `${author}; elsewhere ${mark(scoped, 'author')}`;
    const cells = [
      ...(['operator', 'auditor', 'viewer'] as const).map((role) => mark(allowed, role)),
      ...[ofAuthor, mark(allowed, 'keys')],
    ];
    return `| \`${command}\` | ${cells.join(' | ')} |`;
  });
}

function generalize(words: string): string {
  return words
    .replace(ORGANIZATION, 'ORG')
    .replace(FOREIGN, 'ORG')
    .replace('/open', '/NEURON')
    .replace(/(?:FOREIGN_)?CHANGED|EXPORT|FLOW/, 'FILE')
    .replace('EXECUTION', 'ID');
}
