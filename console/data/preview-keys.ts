// Keeps preview keys that were created on this page until it is closed. The service stores none of them.
const created = new Map<string, string>();

/** `neuron`: ORG/NEURON. */
export function storePreviewKey(neuron: string, version: string, key: string): void {
  created.set(`${neuron} ${version}`, key);
}

/** Undefined for a key that was not created on this page. */
export function findPreviewKey(neuron: string, version: string): string | undefined {
  return created.get(`${neuron} ${version}`);
}
