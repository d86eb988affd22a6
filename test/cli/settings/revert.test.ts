// `neuron revert`: settings as they were before a change, what stays, and what cannot be gone back to.
import { describe, expect, it } from 'vitest';
import { recordChanges } from '../../../core/admin/record-changes.ts';
import { createMemoryPorts, NOW_MS, neuronRecord, organizationRecord, runWith } from '../memory-ports.ts';

const ACCESS = { access: { apiKey: true } };

async function withChanges() {
  const memory = createMemoryPorts();
  // Each command comes later than the one before it.
  let nowMs = NOW_MS;
  const now = () => {
    nowMs += 1_000;
    return nowMs;
  };
  const ports = { ...memory, clock: { ...memory.clock, now } };
  const recorded = recordChanges(ports);
  const { store } = recorded;
  await store.writeOrganization(organizationRecord('acme', { name: 'One' }), 'absent');
  await store.writeNeuron('acme', neuronRecord('acme', 'hello', ACCESS), 'absent');
  const run = (...words: readonly string[]) => runWith(ports, words);
  const read = async () => {
    const organization = await store.readOrganization('acme');
    const neuron = organization && (await store.readNeuron(organization, 'hello'));
    if (neuron === undefined) throw new Error('acme/hello is gone');
    return { organization, neuron };
  };
  const write = async (members: object) => {
    const { neuron } = await read();
    const document = { ...(neuron.document as object), ...members };
    await store.writeNeuron('acme', { ...neuron, document }, neuron.write);
  };
  /** Newest first. */
  const changes = async (target = 'acme') =>
    (await run('logs', target, '--changes', '--json')).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; actions: string[]; after: object });
  return { ports, store, run, read, write, changes };
}

describe('neuron revert', () => {
  it('puts a neuron back as it was before a change, over all changes since, and says so in the log', async () => {
    const { run, read, write, changes } = await withChanges();
    const { neuron } = await read();
    await write({ name: 'Bad' });
    const [bad] = await changes();
    await write({ name: 'Worse', access: { public: true } });
    const { exitCode, stdout, stderr } = await run('revert', 'acme/hello', '--to', bad?.id ?? '');
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      `Reverted the settings of acme/hello to those before ${bad?.id}. Takes effect within 15 s.`,
    );
    expect(stderr).toMatch(/^-name: Worse$/m);
    expect((await read()).neuron.document).toEqual(neuron.document);
    const [last] = await changes();
    expect(last?.actions).toEqual(['update_neuron', 'revert']);
    expect(last?.after).toMatchObject({ revertTo: bad?.id, document: neuron.document });
  });

  it('leaves versions and states alone, and names them with the command that goes back', async () => {
    const { run, read, write, changes, store } = await withChanges();
    await write({ name: 'Bad' });
    const [bad] = await changes();
    const { neuron } = await read();
    await store.writeNeuron('acme', { ...neuron, deployment: { version: 'v3', number: 6 } }, neuron.write);
    await run('pause', 'acme/hello');
    const { stderr } = await run('revert', 'acme/hello', '--to', bad?.id ?? '');
    expect(stderr).toMatch(/Not reverted: deploy of chg-.*`neuron versions deploy acme\/hello v2`/);
    expect(stderr).toMatch(/Not reverted: pause of chg-/);
    const after = (await read()).neuron;
    expect([after.deployment?.version, after.pause === undefined]).toEqual(['v3', false]);
    expect((after.document as { name?: string }).name).toBeUndefined();
  });

  it('reverts the organization without its neurons', async () => {
    const { run, read, write, changes, store } = await withChanges();
    const { organization } = await read();
    if (organization === undefined) throw new Error('acme is gone');
    await store.writeOrganization(
      { ...organization, document: { organization: 'acme', name: 'Two' } },
      organization.write,
    );
    const [two] = await changes();
    await write({ name: 'Kept' });
    expect((await run('revert', 'acme', '--to', two?.id ?? '')).exitCode).toBe(0);
    const after = await read();
    expect(after.organization?.document).toEqual({ organization: 'acme', name: 'One' });
    expect(after.neuron.document).toMatchObject({ name: 'Kept' });
  });

  it('goes back through a revert, and changes nothing where nothing differs', async () => {
    const { run, read, write, changes } = await withChanges();
    await write({ name: 'Bad' });
    const [bad] = await changes();
    await run('revert', 'acme/hello', '--to', bad?.id ?? '');
    const [reverted] = await changes();
    const again = await run('revert', 'acme/hello', '--to', bad?.id ?? '', '--json');
    expect(JSON.parse(again.stdout)).toEqual({ target: 'acme/hello', to: bad?.id, reverted: false });
    await run('revert', 'acme/hello', '--to', reverted?.id ?? '');
    expect((await read()).neuron.document).toMatchObject({ name: 'Bad' });
  });

  it('says why there is nothing to go back to', async () => {
    const { run, write, changes } = await withChanges();
    const [created] = await changes('acme/hello');
    await write({ name: 'Bad' });
    const [bad] = await changes();
    const cases: readonly (readonly [string, string, string, number])[] = [
      ['acme/hello', created?.id ?? '', 'there was no acme/hello', 1],
      ['acme', bad?.id ?? '', 'is not one of the settings of acme', 1],
      ['acme/hello', 'chg-mwqcvpc0-0000000000000000', 'There is no change', 1],
      ['acme/hello', 'yesterday', 'It must be the id of a change', 2],
      ['acme/nobody', bad?.id ?? '', 'There is no neuron acme/nobody', 1],
    ];
    for (const [target, to, text, code] of cases) {
      const { exitCode, stderr } = await run('revert', target, '--to', to);
      expect([target, to, exitCode]).toEqual([target, to, code]);
      expect(stderr).toContain(text);
    }
    expect((await run('revert', 'acme/hello')).exitCode).toBe(2);
  });

  it('takes no settings that this release does not know, and asks before it writes', async () => {
    const { ports, run, read, write, changes } = await withChanges();
    await write({ ofAnOlderRelease: true });
    await write({ ofAnOlderRelease: undefined });
    const [second] = await changes();
    const { exitCode, stderr } = await run('revert', 'acme/hello', '--to', second?.id ?? '');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('cannot be used')]);
    await write({ name: 'Bad' });
    const [bad] = await changes();
    const words = ['revert', 'acme/hello', '--to', bad?.id ?? ''];
    expect((await runWith(ports, words, { typed: ['n'] })).exitCode).toBe(1);
    expect((await read()).neuron.document).toMatchObject({ name: 'Bad' });
  });

  it('gives way to a change that somebody makes meanwhile', async () => {
    const { ports, run, read, write, changes } = await withChanges();
    await write({ name: 'Bad' });
    const [bad] = await changes();
    const list: typeof ports.changes.list = (...range) => {
      const changesOf = ports.changes.list(...range);
      return (async function* () {
        await write({ name: 'Meanwhile' });
        yield* changesOf;
      })();
    };
    const racing = { ...ports, changes: { ...ports.changes, list } };
    const { exitCode, stderr } = await runWith(racing, ['revert', 'acme/hello', '--to', bad?.id ?? '']);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('was changed by someone else')]);
    expect((await read()).neuron.document).toMatchObject({ name: 'Meanwhile' });
    expect((await run('status', 'acme/hello')).exitCode).toBe(0);
  });
});
