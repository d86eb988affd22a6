// The lookup that sockets use: permitted addresses only, in both forms that Node asks for.
import type { LookupAddress, LookupOptions } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { createCheckedLookup } from '../../../adapters/http/resolve.ts';

const MIXED: readonly LookupAddress[] = [
  { address: '10.0.0.1', family: 4 },
  { address: '93.184.216.34', family: 4 },
  { address: '::1', family: 6 },
  { address: '2606:2800:220:1:248:1893:25c8:1946', family: 6 },
];

function look(hostname: string, options: LookupOptions, found = MIXED, allowLoopback = false) {
  const lookup = createCheckedLookup(async () => found, { allowLoopback });
  return new Promise((resolve) => {
    lookup(hostname, options, (error, address, family) =>
      resolve(error === null ? { address, family } : error),
    );
  });
}

describe('the lookup of a socket', () => {
  it('gives every address that may be connected to when Node asks for all', async () => {
    expect(await look('api.example.com', { all: true })).toEqual({
      address: [MIXED[1], MIXED[3]],
      family: undefined,
    });
  });

  it('gives one address with its family when Node asks for one', async () => {
    expect(await look('api.example.com', {})).toEqual({ address: '93.184.216.34', family: 4 });
  });

  it.each([
    [6, '2606:2800:220:1:248:1893:25c8:1946'],
    ['IPv6' as const, '2606:2800:220:1:248:1893:25c8:1946'],
    [4, '93.184.216.34'],
    ['IPv4' as const, '93.184.216.34'],
  ])('gives the family that Node asks for: %s', async (family, address) => {
    expect(await look('api.example.com', { family })).toMatchObject({ address });
  });

  it('refuses a name none of whose addresses may be connected to', async () => {
    const failure = await look('api.example.com', { all: true }, MIXED.slice(0, 1));
    expect(failure).toMatchObject({ name: 'HttpFailure', kind: 'refused' });
    expect(String(failure)).not.toContain('10.0.0.1');
  });

  it('calls a name without addresses unreachable', async () => {
    expect(await look('api.example.com', { all: true }, [])).toMatchObject({ kind: 'unreachable' });
  });

  it('gives loopback for localhost in the local run, and for no public name', async () => {
    const loopback = [{ address: '127.0.0.1', family: 4 }];
    expect(await look('localhost', {}, loopback, true)).toMatchObject({ address: '127.0.0.1' });
    expect(await look('api.example.com', {}, loopback, true)).toMatchObject({ kind: 'refused' });
    expect(await look('localhost', {}, loopback, false)).toMatchObject({ kind: 'refused' });
  });
});
