// Draws its children only where an organization has a neuron, and says so where it has none.
import type { ComponentChildren } from 'preact';
import { useCommand } from '../data/use-query.ts';
import type { NeuronValue } from '../data/values.ts';
import { NoNeurons } from './state.tsx';

export function NeedsNeuron({
  organization,
  children,
}: {
  readonly organization: string;
  readonly children: ComponentChildren;
}): ComponentChildren {
  const neurons = useCommand<NeuronValue>('neurons', { organization });
  return neurons.data?.values.length === 0 ? <NoNeurons /> : children;
}
