// `neuron maintenance on|off|status`: starts, ends and shows maintenance mode, in which every call is answered 503.
import { retryAfter } from '../command/arguments.ts';
import { command } from '../command/command.ts';
import { settingsTakeEffect } from '../session/propagation-delay.ts';
import { createAuditStamp } from '../session/stamped-writes.ts';

/** Where it is already on, only the wait changes. */
export const maintenanceOn = command({
  name: 'on',
  description: 'Starts maintenance mode: every call is answered 503.',
  options: { retryAfterMs: retryAfter('1m') },
  async run({ retryAfterMs }, { out, connect }) {
    const ports = await connect();
    await out.confirm('Start maintenance mode? Every call is then answered 503.');
    const retryAfterSeconds = retryAfterMs / 1000;
    const maintenance = { retryAfterSeconds, ...(await createAuditStamp(ports)) };
    await ports.store.setMaintenance(maintenance);
    out.value(
      { maintenance },
      `Maintenance mode is on. ${settingsTakeEffect(ports.stack)} Callers get Retry-After: ${retryAfterSeconds}.`,
    );
  },
});

export const maintenanceStatus = command({
  name: 'status',
  description: 'Shows whether maintenance mode is on, since when and by whom.',
  async run(_input, { out, connect }) {
    const maintenance = await (await connect()).store.readMaintenance();
    out.value(
      { maintenance: maintenance ?? null },
      maintenance === undefined
        ? 'Maintenance mode is off.'
        : `Maintenance mode is on since ${maintenance.since}, by ${maintenance.by}. Callers get Retry-After: ${maintenance.retryAfterSeconds}.`,
    );
  },
});

export const maintenanceOff = command({
  name: 'off',
  description: 'Ends maintenance mode.',
  async run(_input, { out, connect }) {
    const { store, stack } = await connect();
    const value = { maintenance: null };
    if ((await store.readMaintenance()) === undefined) return out.value(value, 'Maintenance mode is not on.');
    await out.confirm('End maintenance mode?');
    await store.setMaintenance(undefined);
    out.value(value, `Maintenance mode is off. ${settingsTakeEffect(stack)}`);
  },
});

export const maintenance = command({
  name: 'maintenance',
  commands: [maintenanceOn, maintenanceStatus, maintenanceOff],
});
