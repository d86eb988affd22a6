// `neuron organization pause|resume`: a state that only commands set, never a settings file.
import { ORGANIZATION, pauseLength, retryAfter } from '../command/arguments.ts';
import { command } from '../command/command.ts';
import { settingsTakeEffect } from '../session/propagation-delay.ts';
import { requireOrganization } from '../session/require-stored.ts';
import { createAuditStamp, writeOrganization } from '../session/stamped-writes.ts';
import { endOf, renderEnd } from './pause-end.ts';

/** Where it is already paused, only the wait changes. */
export const organizationPause = command({
  name: 'pause',
  description: 'Pauses an organization: every call is answered 429.',
  arguments: { organization: ORGANIZATION },
  options: { retryAfterMs: retryAfter('1h'), lengthMs: pauseLength() },
  async run({ organization, retryAfterMs, lengthMs }, { out, connect }) {
    const ports = await connect();
    const found = await requireOrganization(ports.store, organization);
    await out.confirm(`Pause ${organization}? Every call is then answered 429.`);
    const retryAfterSeconds = retryAfterMs / 1000;
    const stamp = await createAuditStamp(ports);
    const pause = { retryAfterSeconds, ...stamp, ...endOf(lengthMs, ports.clock) };
    await writeOrganization({ ...found, pause }, ports, stamp);
    out.value(
      { organization, pause },
      `${organization} is paused${renderEnd(pause)}. ${settingsTakeEffect(ports.stack)} Callers get Retry-After: ${retryAfterSeconds}.`,
    );
  },
});

export const organizationResume = command({
  name: 'resume',
  description: 'Resumes an organization.',
  arguments: { organization: ORGANIZATION },
  async run({ organization }, { out, connect }) {
    const ports = await connect();
    const found = await requireOrganization(ports.store, organization);
    const value = { organization, pause: null };
    if (found.pause === undefined) return out.value(value, `${organization} is not paused.`);
    await out.confirm(`Resume ${organization}?`);
    await writeOrganization({ ...found, pause: undefined }, ports);
    out.value(value, `${organization} is resumed. ${settingsTakeEffect(ports.stack)}`);
  },
});

export const organization = command({
  name: 'organization',
  commands: [organizationPause, organizationResume],
});
