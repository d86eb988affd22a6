// Modules that are loaded when they are first needed: one load at a time, and a failure that is no end.
import { expect, it } from 'vitest';
import { lazy } from '../../../core/async/lazy.ts';

it('loads nothing before it is asked, and once for everyone who asks', async () => {
  let loads = 0;
  const load = lazy(async () => {
    loads += 1;
    return { number: loads };
  });
  expect(loads).toBe(0);
  const both = await Promise.all([load(), load()]);
  expect([...both, await load()]).toEqual([{ number: 1 }, { number: 1 }, { number: 1 }]);
  expect(loads).toBe(1);
});

it('answers everyone who waits for a load that fails with an error of the service that names the cause', async () => {
  const load = lazy(() => Promise.reject(new SyntaxError('half a file')));
  const expected = { code: 'internal', reason: 'a module could not be loaded (SyntaxError)' };
  const outcomes = await Promise.allSettled([load(), load()]);
  expect(outcomes).toMatchObject([
    { status: 'rejected', reason: expected },
    { status: 'rejected', reason: expected },
  ]);
});

it('loads again after a failure', async () => {
  let loads = 0;
  const load = lazy(async () => {
    loads += 1;
    if (loads === 1) throw new Error('no file descriptor is left');
    return loads;
  });
  await expect(load()).rejects.toMatchObject({ code: 'internal' });
  expect(await load()).toBe(2);
});
