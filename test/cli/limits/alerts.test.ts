// `neuron alerts`: what was reached and whether it was sent, as a table and as JSON.
import { beforeEach, describe, expect, it } from 'vitest';
import type { Alert } from '../../../core/ports/alerts.ts';
import { createMemoryPorts, type MemoryPorts, NOW_MS, organizationRecord, runWith } from '../memory-ports.ts';

const ALERT: Alert = {
  ...{ id: 'a1', organization: 'acme', organizationId: 'id-acme', keyId: undefined },
  ...{ metric: 'cost', period: 'month', share: 80, limit: 500_000_000, used: 401_200_000, atMs: NOW_MS },
  ...{ windowStartMs: Date.UTC(2026, 10), windowEndMs: Date.UTC(2026, 11) },
};

let ports: MemoryPorts;
beforeEach(async () => {
  ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
});

describe('neuron alerts', () => {
  it('lists the alerts of an organization, the newest first, and what is not sent yet', async () => {
    await ports.alerts.add(ALERT, 0);
    const later = { ...ALERT, id: 'a2', keyId: 'k1', metric: 'tokens' as const, period: 'day' as const };
    await ports.alerts.add({ ...later, limit: 1000, used: 1001, share: 100, atMs: NOW_MS + 1000 }, 0);
    await ports.alerts.add({ ...ALERT, id: 'a3', organizationId: 'id-other' }, 0);
    await ports.alerts.markSent(ALERT, 'eventBus', NOW_MS + 20);
    await ports.alerts.markSent(ALERT, 'topic', NOW_MS + 30);
    const { stdout, exitCode } = await runWith(ports, ['alerts', 'acme']);
    expect(exitCode).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.trimEnd().replaceAll(/ {2,}/g, ' | ')),
    ).toEqual([
      'AT | SHARE | LIMIT | WINDOW | USED | API KEY | EVENT SENT | TOPIC SENT',
      '2026-11-21T12:00:01.000Z | 100% | 1000 tokens per day | 2026-11-01 | 1001 tokens | k1 | not yet | -',
      '2026-11-21T12:00:00.000Z | 80% | $500 per month | 2026-11 | $401.2 | - | 2026-11-21T12:00:00.020Z | 2026-11-21T12:00:00.030Z',
    ]);
  });

  it('has this shape as JSON, one alert a line', async () => {
    await ports.alerts.add(ALERT, 0);
    await ports.alerts.markSent(ALERT, 'eventBus', NOW_MS + 20);
    const { stdout } = await runWith(ports, ['alerts', 'acme', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      id: 'a1',
      at: '2026-11-21T12:00:00.000Z',
      keyId: null,
      metric: 'cost',
      period: 'month',
      windowStart: '2026-11-01T00:00:00.000Z',
      windowEnd: '2026-12-01T00:00:00.000Z',
      share: 80,
      limit: 500_000_000,
      used: 401_200_000,
      eventBusAt: '2026-11-21T12:00:00.020Z',
      topicAt: null,
    });
  });

  it('says where there are none, and refuses an organization that never was', async () => {
    const none = await runWith(ports, ['alerts', 'acme']);
    expect(none).toMatchObject({ exitCode: 0, stdout: '' });
    expect(none.stderr).toBe('acme has no alerts. Usage limits with alertAt make them.\n');
    expect((await runWith(ports, ['alerts', 'nobody'])).exitCode).toBe(1);
  });
});
