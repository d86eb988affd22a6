// What has to end with a test file, whoever started it: Vitest drops an afterAll that a hook or a test registers.
const ends: (() => unknown)[] = [];

/** Calls `end` when the tests of the file and all its hooks are over; what was registered last ends first. */
export function afterFile(end: () => unknown): void {
  ends.push(end);
}

/** Ends what was registered, all of it even when something fails, which is thrown then. */
export async function endFile(): Promise<void> {
  const failures: unknown[] = [];
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) {
    try {
      await end();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'what a test file started did not end well');
}
