// The log entry of a change by an operator, written before anything is changed.

/** One write may do several of these, such as changing settings and deploying. */
export type ChangeAction =
  | `${'create' | 'update' | 'delete'}_${'organization' | 'neuron'}`
  | 'pause'
  | 'resume'
  | 'revert'
  | 'block'
  | 'unblock'
  | 'create_version'
  | 'delete_version'
  | 'deploy'
  | 'undeploy'
  | 'rollout'
  | 'shadow'
  | 'set_preview_key'
  | 'clear_cache'
  | 'create_key'
  | 'revoke_key'
  | 'revoke_all_keys'
  | 'update_key'
  | 'rotate_key'
  | 'set_secret'
  | 'remove_secret'
  | 'remove_all_secrets'
  | 'restore_table'
  | 'rotate_log_key'
  | 'maintenance_on'
  | 'maintenance_off'
  | 'export_log'
  | 'export_user'
  | typeof ERASE_ACTION
  | typeof RESTORE_ACTION;

/** The change by which `neuron logs restore` names the entries that it is about to put. */
export const RESTORE_ACTION = 'restore_entries';

/** The change by which `neuron users erase` names the entries that it is about to erase. */
export const ERASE_ACTION = 'erase_user';

/** A change, with the members that differ before and after it, and never the value of a secret. */
export interface ChangeDescription {
  readonly actions: readonly ChangeAction[];
  /** Slug; undefined for a change of the whole service. */
  readonly organization?: string | undefined;
  readonly organizationId?: string | undefined;
  /** Slug; undefined where the change is known by the neuron's id alone. */
  readonly neuron?: string | undefined;
  readonly neuronId?: string | undefined;
  readonly before: unknown;
  readonly after: unknown;
  /** The entries of an erasure, as `packTags` writes them. */
  readonly erased?: Uint8Array;
}

/** The entry as it is written before the change is made. */
export interface ChangeEntry extends ChangeDescription {
  /** `chg-TIME-RANDOM`, the time in base 36, from which the entry's sort key is derived. */
  readonly id: string;
  readonly timeMs: number;
  /** The ARN of the IAM principal, or `local`. */
  readonly by: string;
  /** Unix epoch seconds at which the entry may be deleted. */
  readonly expiresAt: number;
}

/** How a change ended. `unchanged`: it was so already. `failed`: someone else had changed it meanwhile, so nothing was changed. */
export type ChangeOutcome = 'made' | 'unchanged' | 'failed';

/** A change as it is read. `unknown`: the command was ended, or its store failed, before it recorded the outcome. */
export interface RecordedChange extends Omit<ChangeEntry, 'erased'> {
  readonly outcome: ChangeOutcome | 'unknown';
  /** True when `before` and `after` were too large to be stored. */
  readonly cut?: true;
}

/** Changes are kept as long as the entries of a neuron can be at most. */
export const CHANGE_RETENTION_MS = 365 * 86_400_000;

const ID = /^chg-[0-9a-z]{1,9}-[0-9a-f]{16}$/;

/** The id of a change made at `timeMs`; `random` holds 8 bytes. */
export function toChangeId(timeMs: number, random: Uint8Array): string {
  const hex = Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `chg-${timeMs.toString(36)}-${hex}`;
}

/** True for what `toChangeId` makes. */
export function isChangeId(id: string): boolean {
  return ID.test(id);
}
