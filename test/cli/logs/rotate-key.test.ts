// `neuron logs rotate-key`: a new key, the earlier one kept, an entry of the change, and no key printed.
import { expect, it } from 'vitest';
import { logKeyId } from '../../../core/ports/log-key.ts';
import { createMemoryPorts, NOW_MS, runWith } from '../memory-ports.ts';

const STAMP = { createdAt: '', updatedAt: '', updatedBy: '' };

it('makes a new key, keeps the earlier one under its id, and shows neither', async () => {
  const ports = createMemoryPorts();
  const organization = { id: 'org-1', slug: 'acme', document: {}, pause: undefined, write: 0, ...STAMP };
  await ports.store.writeOrganization(organization, 'absent');
  await ports.secrets.mintKeys('org-1');
  const before = ports.secretValues.get('org-1/providers/log:hmac') ?? '';
  const { exitCode, stdout, stderr } = await runWith(ports, ['logs', 'rotate-key', 'acme', '--json']);
  expect(exitCode).toBe(0);
  const after = ports.secretValues.get('org-1/providers/log:hmac') ?? '';
  expect(after).not.toBe(before);
  expect(Buffer.from(after, 'base64')).toHaveLength(32);
  expect(ports.secretValues.get(`org-1/providers/log:hmac-${logKeyId(before)}`)).toBe(before);
  expect(JSON.parse(stdout)).toEqual({
    organization: 'acme',
    key: logKeyId(after),
    previous: logKeyId(before),
  });
  expect(stdout + stderr).not.toContain(before);
  expect(stdout + stderr).not.toContain(after);
  const actions = [];
  for await (const change of ports.changes.list('acme', 0, NOW_MS + 60_000)) actions.push(...change.actions);
  expect(actions).toEqual(['rotate_log_key']);
});

it('refuses an organization that is not there', async () => {
  const { exitCode, stderr } = await runWith(createMemoryPorts(), ['logs', 'rotate-key', 'acme']);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('acme');
});
