// The slugs of an organization's neurons, for fields that choose one.
import type { CommandResult } from '../../cli/console/api.ts';
import { read } from './api.ts';
import { useQuery } from './use-query.ts';
import type { NeuronValue } from './values.ts';

export function useNeurons(organization: string): readonly string[] {
  const query = useQuery<CommandResult<NeuronValue>>(`neurons ${organization}`, (signal) =>
    read('neurons', { organization }, signal),
  );
  return query.data?.values.map(({ neuron }) => neuron.split('/')[1] ?? '') ?? [];
}
