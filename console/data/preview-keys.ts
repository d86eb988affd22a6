// Preview keys that were created here, for as long as the page is open: the service stores none of them.
const created = new Map<string, string>();

/** Keeps the key of a version. `neuron` is ORG/NEURON. */
export function keepPreviewKey(neuron: string, version: string, key: string): void {
  created.set(`${neuron} ${version}`, key);
}

/** Undefined where it was not created here. */
export function findPreviewKey(neuron: string, version: string): string | undefined {
  return created.get(`${neuron} ${version}`);
}
