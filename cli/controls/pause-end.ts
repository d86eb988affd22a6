// The end of a pause that ends by itself.
import type { Pause } from '../../core/settings/stored-settings.ts';
import type { Clock } from '../../core/time/clock.ts';
import { toIso } from '../../core/time/iso.ts';

/** Nothing for a pause that lasts until a command ends it. */
export function endOf(lengthMs: number | undefined, clock: Pick<Clock, 'now'>): Pick<Pause, 'until'> {
  return lengthMs === undefined ? {} : { until: toIso(clock.now() + lengthMs) };
}

export function renderEnd({ until }: Pick<Pause, 'until'>): string {
  return until === undefined ? '' : ` until ${until}`;
}
