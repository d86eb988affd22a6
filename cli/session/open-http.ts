// Opens HTTP under the address policy of the functions, for commands that call a key set or a provider.
import type { Http, OpenHttp } from '../../adapters/http/message.ts';
import type { Stack } from './stack.ts';

/** adapters/http reads it when it is loaded. */
const LOOPBACK_HOOK = Symbol.for('neuron.loopback');

/** A local run allows loopback addresses, as its functions do. The hook must be set before adapters/http is loaded. */
export async function openHttp({ local }: Pick<Stack, 'local'>): Promise<Http> {
  allowLoopback(local);
  const { createHttp } = await import('../../adapters/http/request.ts');
  return createHttp();
}

/** The same for answers that are read as they come, and for whole ones. */
export async function openWholeHttp({
  local,
}: {
  readonly local: string | undefined;
}): Promise<{ readonly http: Http; readonly openHttp: OpenHttp }> {
  allowLoopback(local);
  const { createOpenHttp } = await import('../../adapters/http/request.ts');
  const { readingWhole } = await import('../../adapters/http/read-whole.ts');
  const opened = createOpenHttp();
  return { http: readingWhole(opened), openHttp: opened };
}

function allowLoopback(local: unknown): void {
  if (local !== undefined) Object.assign(globalThis, { [LOOPBACK_HOOK]: true });
}
