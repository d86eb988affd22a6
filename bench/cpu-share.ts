// Gives a process a share of a CPU, as Lambda does by memory: by a control group, or by stopping and continuing it.
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A function has one vCPU at 1,769 MB (docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html). */
const MEGABYTES_OF_A_CPU = 1_769;
/** Short, so that a start of a tenth of a second spans many periods. */
const PERIOD_US = 20_000;
const CGROUPS = '/sys/fs/cgroup';

/** A share of the CPU, for one process at a time. */
export interface CpuShare {
  /** `signals` where no control group can be made. */
  readonly by: 'cgroup' | 'signals';
  /** The command that runs a program with the share. */
  wrap(program: string, args: readonly string[]): readonly [program: string, args: readonly string[]];
  /** Must be called with each process that was started. */
  watch(child: ChildProcess): void;
  remove(): void;
}

/** The share of a function of that size. */
export function shareOf(memoryMb: number): number {
  return memoryMb / MEGABYTES_OF_A_CPU;
}

/** `share` of one CPU; more than 1 means several CPUs. */
export function limitCpu(share: number): CpuShare {
  return limitByGroup(share) ?? limitBySignals(share);
}

function limitByGroup(share: number): CpuShare | undefined {
  const isSecondVersion = existsSync(join(CGROUPS, 'cgroup.controllers'));
  const folder = join(CGROUPS, isSecondVersion ? '' : 'cpu', `neuron-bench-${process.pid}`);
  const quotaUs = Math.round(share * PERIOD_US);
  try {
    mkdirSync(folder);
    if (isSecondVersion) writeFileSync(join(folder, 'cpu.max'), `${quotaUs} ${PERIOD_US}`);
    else {
      writeFileSync(join(folder, 'cpu.cfs_period_us'), String(PERIOD_US));
      writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(quotaUs));
    }
  } catch {
    // Only root may make one, and not every kernel has the controller.
    if (existsSync(folder)) rmdirSync(folder);
    return undefined;
  }
  const enter = 'echo $$ >"$0/cgroup.procs" && exec "$@"';
  return {
    by: 'cgroup',
    wrap: (program, args) => ['/bin/sh', ['-c', enter, folder, program, ...args]],
    watch: () => undefined,
    remove: () => rmdirSync(folder),
  };
}

/** Coarser: timers bound the period, and a share of more than one CPU is not limited. */
function limitBySignals(share: number): CpuShare {
  return {
    by: 'signals',
    wrap: (program, args) => [program, args],
    watch(child) {
      if (share >= 1) return;
      let running = true;
      const periodMs = PERIOD_US / 1_000;
      const turn = (): void => {
        child.kill(running ? 'SIGSTOP' : 'SIGCONT');
        running = !running;
        timer = setTimeout(turn, running ? periodMs * share : periodMs * (1 - share));
      };
      let timer = setTimeout(turn, periodMs * share);
      child.once('exit', () => clearTimeout(timer));
    },
    remove: () => undefined,
  };
}
