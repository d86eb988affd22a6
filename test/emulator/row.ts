// One row of the report: a step, what AWS's documentation leads to, and what happened.

/** Where the emulator does something else than AWS documents, and why we know. */
export interface KnownDeviation {
  /** What the emulator does, as the check observes it. */
  readonly seen: RegExp;
  /** What AWS does, and where it says so. */
  readonly because: string;
}

/** One step. */
export interface Check {
  readonly name: string;
  /** What is observed on AWS by its documentation. */
  readonly expected: string | RegExp;
  readonly deviation?: KnownDeviation;
  /** Does the step and says what was seen. */
  observe(): Promise<string>;
}

export interface Row {
  readonly step: string;
  readonly seen: string;
  /** `deviates`: as known of the emulator. `failed`: neither as documented nor as known. */
  readonly result: 'as documented' | 'deviates' | 'failed';
  readonly because?: string;
  readonly seconds: number;
}

export async function runCheck({ name, expected, deviation, observe }: Check): Promise<Row> {
  const started = performance.now();
  const seen = await observe().catch((error: unknown) =>
    error instanceof Error ? `${error.name}: ${error.message}` : String(error),
  );
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  // Folders differ from run to run.
  const row = {
    step: name,
    seen: seen.replaceAll(/\S*neuron-emulator-[^\s/]+/g, 'FOLDER').slice(0, 600),
    seconds,
  };
  if (typeof expected === 'string' ? seen === expected : expected.test(seen))
    return { ...row, result: 'as documented' };
  if (deviation?.seen.test(seen)) return { ...row, result: 'deviates', because: deviation.because };
  return { ...row, result: 'failed', because: `expected ${String(expected)}` };
}
