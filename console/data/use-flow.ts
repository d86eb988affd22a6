// Reads the flow of a version, in YAML.
import { useCommand } from './use-query.ts';
import type { VersionValue } from './values.ts';

/** The flow of the deployed version, or of another one by its id. Undefined until it is there, and where there is none. */
export function useFlow(neuron: string, revision: string): string | undefined {
  const hasNeuron = !neuron.endsWith('/');
  const versions = useCommand<VersionValue>(hasNeuron ? 'versions' : undefined, { neuron });
  const found = versions.data?.values.find((one) =>
    revision === '' ? one.deployed : one.version === revision,
  );
  const flow = useCommand<string>(found === undefined ? undefined : 'version', {
    neuron,
    version: found?.version,
  });
  return found === undefined ? undefined : flow.data?.values.join('');
}
