// CPU time of work in this thread, whatever else the machine does.

/** Milliseconds of CPU: the least of three times, since a collection of garbage that others left may fall into one. */
export function cpuMsOf(work: () => unknown): number {
  const times = [1, 2, 3].map(() => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}
