// The author and time of a change.
import type { Ports } from './ports.ts';

/** ISO 8601 in UTC, and the principal. */
export async function createAuditStamp({ clock, author }: Pick<Ports, 'clock' | 'author'>): Promise<{
  readonly since: string;
  readonly by: string;
}> {
  return { since: new Date(clock.now()).toISOString(), by: await author() };
}
