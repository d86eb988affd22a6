// Says on standard output what went wrong where no caller and no entry can tell.
import { type Incident, renderIncident } from '../../core/logs/incident-line.ts';
import type { LineSink } from '../../core/ports/platform.ts';
import type { Clock } from '../../core/time/clock.ts';

/** What reporting needs. */
export interface ReportPorts {
  readonly stage: string;
  readonly clock: Clock;
  readonly lines: LineSink;
}

/** Never throws. */
export function reportIncident(incident: Incident, { stage, clock, lines }: ReportPorts): void {
  try {
    lines.write(renderIncident(incident, { stage, timeMs: clock.now() }));
  } catch {
    // Standard output is gone as well: nothing is left to say it with.
  }
}
