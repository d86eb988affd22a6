// `neuron keys pause|resume`: closes an API key for a while, without ending it.
import { KEY_ARGUMENT, ORGANIZATION, pauseLength, retryAfter } from '../command/arguments.ts';
import { command } from '../command/command.ts';
import { endOf, renderEnd } from '../controls/pause-end.ts';
import { requireKey, requireOrganization, unknownKey } from '../session/require-stored.ts';
import { createAuditStamp } from '../session/stamped-writes.ts';
import { revokedKey } from './key-arguments.ts';

/** Where it is already paused, only the wait changes. */
export const keysPause = command({
  name: 'pause',
  description: 'Pauses an API key: its calls are answered 429.',
  arguments: { organization: ORGANIZATION, key: KEY_ARGUMENT },
  options: { retryAfterMs: retryAfter('1h'), lengthMs: pauseLength() },
  async run({ organization: slug, key, retryAfterMs, lengthMs }, { out, connect }) {
    const ports = await connect();
    const organization = await requireOrganization(ports.store, slug);
    const { keyId, name } = await requireKey(ports.keys, organization, key);
    await out.confirm(`Pause key ${keyId} (${name}) of ${slug}? Its calls are then answered 429.`);
    const pause = {
      retryAfterSeconds: retryAfterMs / 1000,
      ...(await createAuditStamp(ports)),
      ...endOf(lengthMs, ports.clock),
    };
    const outcome = await ports.keys.change(organization.id, keyId, { pause });
    if (outcome === 'unknown') throw unknownKey(slug, keyId);
    if (outcome === 'revoked') throw revokedKey(slug, keyId);
    out.value(
      { organization: slug, keyId, pause },
      `Key ${keyId} of ${slug} is paused from the next request on${renderEnd(pause)}. Callers get Retry-After: ${pause.retryAfterSeconds}.`,
    );
  },
});

export const keysResume = command({
  name: 'resume',
  description: 'Resumes an API key.',
  arguments: { organization: ORGANIZATION, key: KEY_ARGUMENT },
  async run({ organization: slug, key }, { out, connect }) {
    const ports = await connect();
    const organization = await requireOrganization(ports.store, slug);
    const { keyId, name, pause } = await requireKey(ports.keys, organization, key);
    const value = { organization: slug, keyId, pause: null };
    if (pause === undefined) return out.value(value, `Key ${keyId} of ${slug} is not paused.`);
    await out.confirm(`Resume key ${keyId} (${name}) of ${slug}?`);
    const outcome = await ports.keys.change(organization.id, keyId, { pause: null });
    if (outcome === 'revoked') throw revokedKey(slug, keyId);
    out.value(value, `Key ${keyId} of ${slug} is resumed from the next request on.`);
  },
});
