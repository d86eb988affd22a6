// The log and the usage of what has been deleted: an auditor asks for them by the slug all the same.
import { describe, expect, it } from 'vitest';
import {
  createMemoryPorts,
  logEntry,
  type MemoryPorts,
  NOW_MS,
  neuronRecord,
  organizationRecord,
  runWith,
} from '../memory-ports.ts';

async function withCalls(): Promise<MemoryPorts> {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  await ports.store.writeNeuron('acme', neuronRecord('acme', 'hello'), 'absent');
  await ports.store.writeNeuron('acme', neuronRecord('acme', 'other'), 'absent');
  await ports.logStore.put(logEntry({ executionId: 'hello=' }));
  await ports.logStore.put(logEntry({ executionId: 'other=', neuron: 'other', neuronId: 'id-other' }));
  return ports;
}

async function remove(ports: MemoryPorts, target: string): Promise<void> {
  expect(await runWith(ports, ['delete', target, '--yes'])).toMatchObject({ exitCode: 0 });
}

/** Creates acme/hello a second after its deletion, with a call. */
async function createAgain(ports: MemoryPorts): Promise<void> {
  const createdAt = '2026-11-21T12:00:01.000Z';
  const again = { ...neuronRecord('acme', 'hello'), id: 'id-second', createdAt };
  await ports.store.writeNeuron('acme', again, 'absent');
  await ports.logStore.put(logEntry({ executionId: 'second=', neuronId: 'id-second' }));
}

const listed = async (ports: MemoryPorts, ...words: string[]) => {
  const { stdout, stderr } = await runWith(ports, ['logs', ...words, '--json']);
  const lines = stdout.split('\n').filter((line) => line !== '');
  const ids = lines.map((line) => (JSON.parse(line) as { executionId: string }).executionId);
  return { ids: ids.toSorted(), stderr };
};

describe('neuron logs, after a deletion', () => {
  it('shows the entries of a neuron, and says when it was deleted', async () => {
    const ports = await withCalls();
    await remove(ports, 'acme/hello');
    const { ids, stderr } = await listed(ports, 'acme/hello');
    expect(ids).toEqual(['hello=']);
    expect(stderr).toMatch(/^acme\/hello was deleted at 2026-11-21T12:00:00\.\d{3}Z\.\n$/);
  });

  it('shows the entries of an organization and of each of its neurons', async () => {
    const ports = await withCalls();
    await remove(ports, 'acme');
    expect((await listed(ports, 'acme')).ids).toEqual(['hello=', 'other=']);
    expect((await listed(ports, 'acme/other')).ids).toEqual(['other=']);
    const one = await runWith(ports, ['logs', 'acme', '--id', 'hello=', '--json']);
    expect(JSON.parse(one.stdout)).toMatchObject({ executionId: 'hello=', organizationId: 'id-acme' });
  });

  it('shows the present owner of a slug that is used again', async () => {
    const ports = await withCalls();
    await remove(ports, 'acme/hello');
    await createAgain(ports);
    expect((await listed(ports, 'acme/hello')).ids).toEqual(['second=']);
  });

  it('says under which id earlier calls of a slug that is used again are, and shows them by that id', async () => {
    const ports = await withCalls();
    await remove(ports, 'acme/hello');
    await createAgain(ports);
    const { stderr } = await listed(ports, 'acme/hello');
    expect(stderr).toMatch(
      /^acme\/hello was deleted at 2026-11-21T12:00:00\.\d{3}Z and created again\. For the calls before that, pass --deleted id-hello\.\n$/,
    );
    const earlier = await listed(ports, 'acme/hello', '--deleted', 'id-hello');
    expect(earlier.ids).toEqual(['hello=']);
    const one = await runWith(ports, ['logs', 'acme/hello', '--deleted', 'id-hello', '--id', 'hello=']);
    expect(one).toMatchObject({ exitCode: 0 });
    const missed = await runWith(ports, ['logs', 'acme/hello', '--id', 'hello=']);
    expect(missed.exitCode).toBe(1);
    expect(missed.stderr).toContain('pass --deleted id-hello.');
  });

  it('says nothing of a deletion before the time that is asked for', async () => {
    const ports = await withCalls();
    await remove(ports, 'acme/hello');
    await createAgain(ports);
    const later = ['acme/hello', '--from', '2026-11-21T12:00:30Z', '--to', '2026-11-21T12:00:31Z'];
    expect((await listed(ports, ...later)).stderr).toBe('');
  });

  it('says so of an organization too, in the log and in usage', async () => {
    const ports = await withCalls();
    await remove(ports, 'acme');
    const createdAt = '2026-11-21T12:00:01.000Z';
    const again = { ...organizationRecord('acme'), id: 'id-second', createdAt };
    await ports.store.writeOrganization(again, 'absent');
    expect((await listed(ports, 'acme')).stderr).toContain('pass --deleted id-acme.');
    expect((await listed(ports, 'acme', '--deleted', 'id-acme')).ids).toEqual(['hello=', 'other=']);
    expect((await listed(ports, 'acme/other', '--deleted', 'id-other')).ids).toEqual(['other=']);
    expect((await runWith(ports, ['usage', 'acme'])).stderr).toContain('pass --deleted id-acme.');
    expect((await runWith(ports, ['usage', 'acme', '--deleted', 'id-acme'])).exitCode).toBe(0);
  });

  it('refuses an id that nothing deleted had', async () => {
    const ports = await withCalls();
    await remove(ports, 'acme/hello');
    for (const words of [
      ['acme/hello', '--deleted', 'id-other'],
      ['acme/other', '--deleted', 'id-other'],
      ['acme', '--deleted', 'id-acme'],
    ]) {
      const { exitCode, stderr } = await runWith(ports, ['logs', ...words]);
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`No deleted ${words[0]} had the id ${words[2]}.`);
    }
  });

  it('does not take a neuron of an earlier organization for one of the present', async () => {
    const ports = await withCalls();
    await remove(ports, 'acme');
    const again = { ...organizationRecord('acme'), id: 'id-second' };
    await ports.store.writeOrganization(again, 'absent');
    const { exitCode, stderr } = await runWith(ports, ['logs', 'acme/hello']);
    expect([exitCode, stderr.split('\n')[0]]).toEqual([1, 'error: There is no neuron acme/hello.']);
  });

  it('ignores a deletion that failed', async () => {
    const ports = await withCalls();
    const deletion = {
      ...{ id: 'chg-1-0000000000000000', timeMs: NOW_MS, by: 'local', expiresAt: NOW_MS },
      ...{ actions: ['delete_neuron'] as const, before: undefined, after: undefined },
      ...{ organization: 'acme', organizationId: 'id-acme', neuron: 'never', neuronId: 'id-never' },
    };
    await ports.changes.begin(deletion);
    await ports.changes.end(deletion, 'failed');
    expect((await runWith(ports, ['logs', 'acme/never'])).exitCode).toBe(1);
  });

  it.each(['never', 'acme/never', 'never/hello'])('refuses %s, which never existed', async (target) => {
    const { exitCode, stderr } = await runWith(await withCalls(), ['logs', target]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('error: There is no ');
  });
});

describe('neuron usage, after a deletion', () => {
  it('shows the usage of an organization', async () => {
    const ports = await withCalls();
    await remove(ports, 'acme');
    const { exitCode, stderr } = await runWith(ports, ['usage', 'acme']);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('acme was deleted at ');
  });
});

const MONTH = ['--since', '30d'];

describe('neuron logs, with rights that reach no changes', () => {
  const denying = (ports: MemoryPorts, name: string): MemoryPorts => ({
    ...ports,
    changes: {
      ...ports.changes,
      list: () => {
        throw Object.assign(new Error('not authorized to perform: dynamodb:Query'), { name });
      },
    },
  });

  it('shows the calls of the present owner, and says that earlier ones were not looked for', async () => {
    const { ids, stderr } = await listed(
      denying(await withCalls(), 'AccessDeniedException'),
      'acme/hello',
      ...MONTH,
    );
    expect(ids).toEqual(['hello=']);
    expect(stderr).toBe('Earlier owners of acme/hello are not shown: changes could not be read.\n');
  });

  it('fails where changes cannot be read for another reason', async () => {
    const ports = denying(await withCalls(), 'ThrottlingException');
    expect(await runWith(ports, ['logs', 'acme/hello', '--json', ...MONTH])).toMatchObject({
      exitCode: 1,
      stdout: '',
    });
  });

  it('fails for a deleted owner, who can be found in the changes alone', async () => {
    const ports = await withCalls();
    await remove(ports, 'acme/hello');
    const { exitCode } = await runWith(denying(ports, 'AccessDeniedException'), ['logs', 'acme/hello']);
    expect(exitCode).toBe(1);
  });
});
