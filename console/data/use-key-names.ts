// Finds the names of API keys by their ids.
import { useCommand } from './use-query.ts';
import type { KeyValue } from './values.ts';

/** Keys are read only where a row has one. An unknown id stands for its name. */
export function useKeyNames(
  organization: string,
  rows: readonly { readonly keyId: string | null }[] = [],
): (keyId: string) => string {
  const isNeeded = rows.some(({ keyId }) => keyId !== null);
  const { data } = useCommand<KeyValue>(isNeeded ? 'keys' : undefined, { organization });
  return (keyId) => data?.values.find((key) => key.keyId === keyId)?.name ?? keyId;
}
