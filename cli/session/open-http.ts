// Opens HTTP under the address policy of the functions, for commands that call a key set or a provider.
import type { Http } from '../../adapters/http/message.ts';
import type { Stack } from './stack.ts';

/** adapters/http reads it when it is loaded. */
const LOOPBACK_HOOK = Symbol.for('neuron.loopback');

/** A local run allows loopback addresses, as its functions do. The hook must be set before adapters/http is loaded. */
export async function openHttp({ local }: Pick<Stack, 'local'>): Promise<Http> {
  if (local !== undefined) Object.assign(globalThis, { [LOOPBACK_HOOK]: true });
  const { createHttp } = await import('../../adapters/http/request.ts');
  return createHttp();
}
