// Opens requests under the address policy of the functions. Used by commands that reach a key set or a provider.
import type { Http } from '../../adapters/http/message.ts';
import type { Stack } from './stack.ts';

/** The name that adapters/http reads when it is loaded. */
const LOOPBACK_HOOK = Symbol.for('neuron.loopback');

/** On the local run, loopback addresses are allowed as in its functions. The hook must be set before adapters/http is loaded. */
export async function openHttp({ local }: Pick<Stack, 'local'>): Promise<Http> {
  if (local !== undefined) Object.assign(globalThis, { [LOOPBACK_HOOK]: true });
  const { createHttp } = await import('../../adapters/http/request.ts');
  return createHttp();
}
