// Reads the slugs of an organization's neurons, for fields that select one.
import { useCommand } from './use-query.ts';
import type { NeuronValue } from './values.ts';

export function useNeurons(organization: string): readonly string[] {
  const query = useCommand<NeuronValue>('neurons', { organization });
  return query.data?.values.map(({ neuron }) => neuron.split('/')[1] ?? '') ?? [];
}
