// Resolves a name for a socket to permitted addresses only. The socket connects to the very address that was checked, so that a
// name cannot be pointed elsewhere in between (DNS rebinding).
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { type AddressPolicy, mayConnect } from '../../core/settings/address-policy.ts';
import { HttpFailure } from './failure.ts';
import type { ResolveHost } from './resolve.ts';

/** A `lookup` for `net.connect`. Fails with `HttpFailure` `refused` when no address of the name may be connected to. */
export function createCheckedLookup(resolve: ResolveHost, policy: AddressPolicy): LookupFunction {
  return (hostname, options, callback) => {
    resolvePermitted(hostname, familyOf(options.family), resolve, policy).then(
      (addresses) => {
        const [first] = addresses;
        // Node asks for all of them when it tries IPv6 and IPv4 in turn, which is its default.
        if (options.all === true) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (thrown: Error) => callback(thrown, options.all === true ? [] : ''),
    );
  };
}

async function resolvePermitted(
  hostname: string,
  family: number,
  resolve: ResolveHost,
  policy: AddressPolicy,
): Promise<readonly [LookupAddress, ...LookupAddress[]]> {
  const found = await resolve(hostname);
  const permitted = found.filter(({ address }) => mayConnect(hostname, address, policy));
  const [first, ...rest] = permitted.filter((one) => family === 0 || one.family === family);
  if (first !== undefined) return [first, ...rest];
  if (found.length === 0) throw new HttpFailure('unreachable', `${hostname} has no address`);
  throw new HttpFailure('refused', `${hostname} has no address that may be connected to`);
}

function familyOf(family: number | 'IPv4' | 'IPv6' | undefined): number {
  if (family === 'IPv4') return 4;
  if (family === 'IPv6') return 6;
  return family ?? 0;
}
