// `neuron organization pause|resume` and `neuron maintenance on|off`: what they store and say.
import { describe, expect, it } from 'vitest';
import { createMemoryPorts, organizationRecord, runWith } from '../memory-ports.ts';

async function withAcme() {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme', { name: 'Acme Inc.' }), 'absent');
  return ports;
}

describe('neuron organization', () => {
  it('pauses with the wait given, who did it and when, and says when it takes effect', async () => {
    const ports = await withAcme();
    const { exitCode, stdout } = await runWith(ports, [
      'organization',
      'pause',
      'acme',
      '--retry-after',
      '2h',
    ]);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'acme is paused. Takes effect within 15 s. Callers get Retry-After: 7200.\n',
    });
    expect(await ports.store.readOrganization('acme')).toMatchObject({
      pause: {
        retryAfterSeconds: 7200,
        since: '2026-11-21T12:00:00.000Z',
        by: 'arn:aws:iam::123456789012:user/ada',
      },
      updatedBy: 'arn:aws:iam::123456789012:user/ada',
      document: { organization: 'acme', name: 'Acme Inc.' },
    });
  });

  it('tells callers to wait an hour by default', async () => {
    const ports = await withAcme();
    await runWith(ports, ['organization', 'pause', 'acme']);
    expect((await ports.store.readOrganization('acme'))?.pause?.retryAfterSeconds).toBe(3600);
  });

  it('resumes, and changes nothing where there is no pause', async () => {
    const ports = await withAcme();
    await runWith(ports, ['organization', 'pause', 'acme']);
    const resumed = await runWith(ports, ['organization', 'resume', 'acme', '--json']);
    expect(resumed.stdout).toBe('{"organization":"acme","pause":null}\n');
    const stored = await ports.store.readOrganization('acme');
    expect(stored?.pause).toBeUndefined();
    expect((await runWith(ports, ['organization', 'resume', 'acme'])).stdout).toBe('acme is not paused.\n');
    expect((await ports.store.readOrganization('acme'))?.write).toBe(stored?.write);
  });

  it('asks on a terminal, and changes nothing after a no', async () => {
    const ports = await withAcme();
    const rejected = await runWith(ports, ['organization', 'pause', 'acme'], { typed: ['n'] });
    expect(rejected.exitCode).toBe(1);
    expect((await ports.store.readOrganization('acme'))?.pause).toBeUndefined();
    await runWith(ports, ['organization', 'pause', 'acme'], { typed: ['y'] });
    expect((await ports.store.readOrganization('acme'))?.pause).toBeDefined();
  });

  it('refuses an unknown organization and a wait that is no duration', async () => {
    const ports = await withAcme();
    const unknown = await runWith(ports, ['organization', 'pause', 'other']);
    expect(unknown.exitCode).toBe(1);
    expect(unknown.stderr).toContain('error: There is no organization other.');
    expect((await runWith(ports, ['organization', 'pause', 'acme', '--retry-after', '5'])).exitCode).toBe(2);
  });
});

describe('neuron maintenance', () => {
  it('goes on and off, and says when it takes effect', async () => {
    const ports = createMemoryPorts();
    const on = await runWith(ports, ['maintenance', 'on']);
    expect(on.stdout).toBe(
      'Maintenance mode is on. Takes effect within 15 s. Callers get Retry-After: 60.\n',
    );
    expect(await ports.store.readMaintenance()).toEqual({
      retryAfterSeconds: 60,
      since: '2026-11-21T12:00:00.000Z',
      by: 'arn:aws:iam::123456789012:user/ada',
    });
    const off = await runWith(ports, ['maintenance', 'off']);
    expect(off.stdout).toBe('Maintenance mode is off. Takes effect within 15 s.\n');
    expect(await ports.store.readMaintenance()).toBeUndefined();
    expect((await runWith(ports, ['maintenance', 'off'])).stdout).toBe('Maintenance mode is not on.\n');
  });

  it('shows whether it is on, since when and by whom', async () => {
    const ports = createMemoryPorts();
    const status = (...words: string[]) => runWith(ports, ['maintenance', 'status', ...words]);
    expect(await status()).toMatchObject({ exitCode: 0, stdout: 'Maintenance mode is off.\n' });
    expect((await status('--json')).stdout).toBe('{"maintenance":null}\n');
    await runWith(ports, ['maintenance', 'on', '--retry-after', '2m']);
    expect((await status()).stdout).toBe(
      'Maintenance mode is on since 2026-11-21T12:00:00.000Z, by arn:aws:iam::123456789012:user/ada. Callers get Retry-After: 120.\n',
    );
    expect(JSON.parse((await status('--json')).stdout)).toEqual({
      maintenance: await ports.store.readMaintenance(),
    });
  });

  it('is one JSON value with --json', async () => {
    const ports = createMemoryPorts();
    const { stdout } = await runWith(ports, ['maintenance', 'on', '--retry-after', '5m', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      maintenance: {
        retryAfterSeconds: 300,
        since: '2026-11-21T12:00:00.000Z',
        by: 'arn:aws:iam::123456789012:user/ada',
      },
    });
  });
});
