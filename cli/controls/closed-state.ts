// The states in which no call is served, whatever access control decides: maintenance mode and a pause.
import { type ErrorCode, statusOf } from '../../core/contract/error-codes.ts';
import type { AdminStore } from '../../core/ports/administration.ts';
import { pauseAt } from '../../core/settings/blocks/pause.ts';

/** The reason why every call is refused, as `--json` shows it. */
export interface ClosedState {
  readonly code: Extract<ErrorCode, 'maintenance' | 'organization_paused'>;
  readonly status: number;
  readonly retryAfterSeconds: number;
  /** ISO 8601 in UTC. */
  readonly since: string;
  /** IAM principal. */
  readonly by: string;
}

/** Undefined where calls of the organization are served. Maintenance mode comes first, as in the service. */
export async function readClosedState(
  store: Pick<AdminStore, 'readMaintenance' | 'readOrganization'>,
  organization: string,
  nowMs: number,
): Promise<ClosedState | undefined> {
  const [maintenance, owner] = await Promise.all([
    store.readMaintenance(),
    store.readOrganization(organization),
  ]);
  if (maintenance !== undefined) return describe('maintenance', maintenance);
  const pause = pauseAt(owner?.pause, nowMs);
  return pause === undefined ? undefined : describe('organization_paused', pause);
}

function describe(
  code: ClosedState['code'],
  { retryAfterSeconds, since, by }: Pick<ClosedState, 'retryAfterSeconds' | 'since' | 'by'>,
): ClosedState {
  return { code, status: statusOf(code), retryAfterSeconds, since, by };
}

/** `Nobody is served now: 503 maintenance, since …, by …`. */
export function renderClosedState({ code, status, since, by }: ClosedState): string {
  return `Nobody is served now: ${status} ${code}, since ${since}, by ${by}`;
}
