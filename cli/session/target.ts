// What a command works on: an organization, or one neuron of it.

/** An organization, or one neuron of it. */
export interface Target {
  readonly organization: string;
  readonly neuron: string | undefined;
}

/** One neuron. */
export type NeuronTarget = Target & { readonly neuron: string };

/** `ORG` or `ORG/NEURON`. */
export function renderTarget({ organization, neuron }: Target): string {
  return neuron === undefined ? organization : `${organization}/${neuron}`;
}
