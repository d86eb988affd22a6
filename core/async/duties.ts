// Duties of which none may be lost to a defect in another.

/** The result; undefined where the duty throws. */
export function attempt<Result>(duty: () => Result): Result | undefined {
  try {
    return duty();
  } catch {
    return undefined;
  }
}

/** Does them one after the other, each whatever became of the one before. Never rejects. */
export async function doInTurn(duties: readonly (() => unknown)[]): Promise<void> {
  for (const duty of duties) {
    try {
      await duty();
    } catch {
      // The next one is done all the same.
    }
  }
}
