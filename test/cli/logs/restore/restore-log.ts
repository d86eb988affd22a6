// Output of functions in a file, and a log that has some of its entries.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderLine } from '../../../../core/logs/line.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { createMemoryPorts, logEntry, type MemoryPorts } from '../../memory-ports.ts';

/** The file. */
export function writeLog(...lines: string[]): string {
  const file = join(temporaryFolder(), 'execute.log');
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return file;
}

/** The line of a call. */
export const lineOf = (executionId: string) => renderLine(logEntry({ executionId }), { stage: 'test' });

export async function withEntries(...entries: ReturnType<typeof logEntry>[]): Promise<MemoryPorts> {
  const ports = createMemoryPorts();
  for (const entry of entries) await ports.logStore.put(entry);
  return ports;
}
