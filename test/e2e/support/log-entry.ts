// One entry of the log as an operator reads it.
import { expect, vi } from 'vitest';
import type { Stack } from './stack.ts';

/** The whole entry of a run that was logged with its trace, as JSON; waits until it is stored, and starts the command no more often than that takes. */
export function readEntry<T>(stack: Stack, executionId: string): Promise<T> {
  const read = async () => {
    const { stdout } = await stack.neuron(['logs', 'acme', '--id', executionId, '--json']);
    expect(stdout).toContain('"trace"');
    return JSON.parse(stdout) as T;
  };
  return vi.waitFor(read, { timeout: 20_000, interval: 100 });
}
