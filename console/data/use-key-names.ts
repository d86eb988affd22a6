// The names of API keys where ids are known.
import { useCommand } from './use-query.ts';
import type { KeyValue } from './values.ts';

/** Names keys by their ids; they are read where one of the rows has a key. */
export function useKeyNames(
  organization: string,
  rows: readonly { readonly keyId: string | null }[] = [],
): (keyId: string) => string {
  const isNeeded = rows.some(({ keyId }) => keyId !== null);
  const { data } = useCommand<KeyValue>(isNeeded ? 'keys' : undefined, { organization });
  return (keyId) => data?.values.find((key) => key.keyId === keyId)?.name ?? keyId;
}
