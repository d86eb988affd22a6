// An organization in memory, and API keys made for it on the command line.
import { createMemoryPorts, type MemoryPorts, organizationRecord, runWith } from '../memory-ports.ts';

export const COST = { metric: 'cost', limit: 50_000_000, period: 'month' };

export async function withAcme(): Promise<MemoryPorts> {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  return ports;
}

/** What the command prints of the new key. */
export async function createKey(ports: MemoryPorts, ...words: string[]) {
  const { stdout } = await runWith(ports, ['keys', 'create', 'acme', '--name', 'shop', ...words, '--json']);
  return JSON.parse(stdout) as { readonly key: string; readonly keyId: string; readonly limits: unknown };
}
