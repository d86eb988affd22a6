// `node bench/compare.ts BEFORE [ROUNDS]`: this checkout beside another one, whose packages are installed, in turns on this machine. CPU
// alone: it differs little beside other work, and times differ much.
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { ROOT } from './assembly.ts';
import { end, type Gateway } from './gateways/gateway.ts';
import { type Target, timeCalls } from './gateways/load.ts';
import { startLocalStack } from './gateways/local-stack.ts';
import { cpuBetween, MS_OF_A_TICK, readProcesses } from './gateways/processes.ts';
import { makeText, sizeName } from './gateways.ts';
import { withSpread } from './statistics.ts';
import { type Row, table } from './tables.ts';
import { withTemporaryFolder } from './with-temporary-folder.ts';

const COMMANDS = ['--version', '--help', 'list --local=nowhere', 'validate nowhere.yaml'];
const SIZES = [1, 800];
/** Calls of a kind in a round: enough for the ticks of 10 ms in which the kernel counts. */
const callsOf = (kind: string): number => (kind === sizeName(800) ? 60 : 200);
/** Until Node has compiled most of it. */
const WARM_UP_CALLS = 300;

/** Milliseconds of CPU by what took them. */
type Figures = Readonly<Record<string, number>>;

function measureCommands(root: string): Figures {
  return Object.fromEntries(
    COMMANDS.map((line) => {
      const before = cpuOfChildren();
      try {
        execFileSync(process.execPath, [join(root, 'bin/neuron.js'), ...line.split(' ')], {
          stdio: 'ignore',
        });
      } catch {
        // Two of them fail, having loaded all that they need for it.
      }
      return [`neuron ${line}`, cpuOfChildren() - before];
    }),
  );
}

/** CPU of the children of this process that have ended (proc(5): cutime and cstime). */
function cpuOfChildren(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * MS_OF_A_TICK;
}

async function measureCalls({ pid, nameProcess, target, variants }: Gateway): Promise<Figures> {
  const targets: [string, Target][] = [
    ...SIZES.map((size): [string, Target] => [sizeName(size), target(makeText(size))]),
    ...Object.entries(variants),
  ];
  const figures: Record<string, number> = {};
  for (const [kind, one] of targets) {
    const before = readProcesses(pid, nameProcess);
    await timeCalls(one, callsOf(kind));
    const parts = cpuBetween(before, readProcesses(pid, nameProcess));
    for (const [name, ms] of Object.entries(parts)) figures[`call, ${kind}: ${name}`] = ms / callsOf(kind);
  }
  return figures;
}

async function compare(roots: readonly string[], rounds: number): Promise<Figures[][]> {
  const provider = fork(join(import.meta.dirname, 'mock-provider.ts'));
  const [port] = (await once(provider, 'message')) as [number];
  return withTemporaryFolder(async (folder) => {
    const stacks: Gateway[] = [];
    try {
      for (const root of roots)
        stacks.push(await startLocalStack(folder, `http://127.0.0.1:${port}/v1`, { root }));
      for (const stack of stacks) {
        for (const size of SIZES) await timeCalls(stack.target(makeText(size)), WARM_UP_CALLS / SIZES.length);
      }
      for (const root of roots) measureCommands(root);
      const measured = roots.map((): Figures[] => []);
      for (let round = 0; round < rounds; round += 1) {
        // Each is first as often as the other.
        const turns = [...roots.entries()];
        for (const [index, root] of round % 2 === 0 ? turns : turns.toReversed()) {
          const stack = stacks[index];
          if (stack !== undefined)
            measured[index]?.push({ ...measureCommands(root), ...(await measureCalls(stack)) });
        }
      }
      return measured;
    } finally {
      await Promise.all(stacks.map((stack) => stack.stop()));
      await end(provider);
    }
  });
}

const [other, rounds = '5'] = process.argv.slice(2);
if (other === undefined) throw new Error('usage: node bench/compare.ts FOLDER [ROUNDS]');
const loads = () => loadavg()[0]?.toFixed(1);
const loadBefore = loads();
const [before = [], after = []] = await compare([resolve(other), ROOT], Number(rounds));
const names = Object.keys(after[0] ?? {});
const cell = (runs: readonly Figures[], name: string) => withSpread(runs.map((run) => run[name] ?? 0));
const rows = names.map((name): Row => [name, cell(before, name), cell(after, name)]);
process.stdout.write(
  `${table(['CPU, ms', 'Before', 'After'], rows)}\n\n${rounds} rounds in turns; load of the machine ${loadBefore} to ${loads()}\n`,
);
