// The organization or neuron that a command works on.

export interface Target {
  readonly organization: string;
  readonly neuron: string | undefined;
}

export type NeuronTarget = Target & { readonly neuron: string };

/** `ORG` or `ORG/NEURON`. */
export function renderTarget({ organization, neuron }: Target): string {
  return neuron === undefined ? organization : `${organization}/${neuron}`;
}
