// Secrets of providers for calls from this process.
import { once } from '../../core/async/once.ts';
import type { SecretReader } from '../../core/ports/stores.ts';
import type { Session } from '../session/session.ts';

/** `NEURON_SECRET_OPENAI_KEY` for the secret `openai-key`. */
function variableOf(secret: string): string {
  return `NEURON_SECRET_${secret.toUpperCase().replaceAll('-', '_')}`;
}

/** From the environment, else of the organization on its stack. Takes slugs in place of ids. */
export function createTestSecrets({ terminal, connect }: Session, notes: Set<string>): SecretReader {
  const ports = once(connect);
  return {
    async read(slug, purpose, name, detail) {
      const own = terminal.environment[variableOf(name)];
      if (own) return own;
      const found = await readStored(slug, purpose, name, detail).catch(() => undefined);
      if (found === undefined)
        notes.add(`The secret ${name} of ${slug} was not found. Set ${variableOf(name)}, or name its stack.`);
      return found;
    },
  };

  async function readStored(slug: string, ...[purpose, name, detail]: Rest): Promise<string | undefined> {
    const { store, secretReader } = await ports();
    const organization = await store.readOrganization(slug);
    return organization && secretReader.read(organization.id, purpose, name, detail);
  }
}

type Rest = Parameters<SecretReader['read']> extends [string, ...infer Others] ? Others : never;
