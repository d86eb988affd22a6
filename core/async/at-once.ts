// Runs a function for many values, a bounded number at a time, so that thousands of organizations are no flood of requests.

/**
 * The results in the order of the values. Rejects with the first failure; no further run is started then, and the results of those
 * under way are dropped.
 */
export async function mapAtOnce<Value, Result>(
  values: readonly Value[],
  atOnce: number,
  run: (value: Value) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(values.length);
  // The workers share one iterator, so that each value is taken once.
  const left = values.entries();
  let hasFailed = false;
  const work = async (): Promise<void> => {
    for (const [index, value] of left) {
      if (hasFailed) return;
      try {
        results[index] = await run(value);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, values.length) }, work));
  return results;
}
