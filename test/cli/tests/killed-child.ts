// Runs `neuron test` in a folder, and is killed within, or right after, one of its writes beside the recordings.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [folder = '', at = '0', moment = 'within'] = process.argv.slice(2);
let writes = 0;
let isInside = false;

/** Counts the call; kills this process within it, where `part` has done a part of it, or after it. */
function guard<Arguments extends readonly unknown[]>(
  whole: (...args: Arguments) => unknown,
  part: (...args: Arguments) => void,
) {
  return (...args: Arguments): void => {
    const isCounted = !isInside && String(args[0]).includes('.neuron-recordings');
    if (isCounted) writes += 1;
    const isLast = isCounted && writes === Number(at);
    // To append is a write to the library, too.
    isInside = true;
    if (isLast && moment === 'within') part(...args);
    else whole(...args);
    isInside = false;
    if (isLast) process.kill(process.pid, 'SIGKILL');
  };
}

const { writeFileSync, appendFileSync, renameSync } = fs;
const half = (text: unknown): string => String(text).slice(0, String(text).length / 2);
Object.assign(fs, {
  writeFileSync: guard(writeFileSync, (path, text) => writeFileSync(path, half(text))),
  appendFileSync: guard(appendFileSync, (path, text) => appendFileSync(path, half(text))),
  renameSync: guard(renameSync, () => undefined),
});
syncBuiltinESMExports();

const { createMemoryPorts, runWith } = await import('../memory-ports.ts');
const words = ['--local', 'test', '.', '--record', 'missing', '--parallel', '1'];
const { exitCode, stderr } = await runWith(createMemoryPorts(), words, { folder, environment: {} });
process.stdout.write(`${writes} writes\n${stderr}`);
process.exitCode = exitCode;
