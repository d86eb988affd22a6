// One run for all who ask.

/** Runs at the first call. Every call gets the same promise, a rejected one included. */
export function once<Value>(run: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<Value> | undefined;
  return () => {
    running ??= run();
    return running;
  };
}
