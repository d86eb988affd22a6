// Alerts of all organizations in current windows.
import { pathTo } from '../../data/paths.ts';
import type { ServiceUsageValue } from '../../data/values.ts';
import { Badge } from '../../parts/layout.tsx';

/** `neuron usage --all --json` has all. */
const MAX_ALERTS = 10;

/** The highest first. Nothing is drawn where there are none. */
export function CurrentServiceAlerts({ alerts }: Pick<ServiceUsageValue, 'alerts'>) {
  if (alerts.length === 0) return null;
  return (
    <section class="notice" aria-label="Alerts">
      <ul>
        {alerts.slice(0, MAX_ALERTS).map(({ organization, keyId, metric, period, share }) => (
          <li key={JSON.stringify([organization, keyId, metric, period])}>
            <Badge tone={share >= 100 ? 'bad' : 'warn'}>{share}%</Badge> of {metric} each {period} used by{' '}
            <a href={pathTo(organization, 'limits')}>{organization}</a>
            {keyId !== null && ` with the key ${keyId}`}
          </li>
        ))}
      </ul>
      {alerts.length > MAX_ALERTS && <p>{alerts.length - MAX_ALERTS} more alerts are not shown.</p>}
    </section>
  );
}
