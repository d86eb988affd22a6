// Duties of which none may be lost to a defect in another.

/** The result. Undefined where the duty throws, which `onDefect` is told. */
export function attempt<Result>(duty: () => Result, onDefect: (thrown: unknown) => void): Result | undefined {
  try {
    return duty();
  } catch (thrown) {
    onDefect(thrown);
    return undefined;
  }
}

/** Does them in their order, each whatever became of the one before; `onDefect` is told what one throws. Never rejects. */
export async function doInTurn(
  duties: Readonly<Record<string, () => unknown>>,
  onDefect: (duty: string, thrown: unknown) => void,
): Promise<void> {
  for (const [name, duty] of Object.entries(duties)) {
    try {
      await duty();
    } catch (thrown) {
      onDefect(name, thrown);
    }
  }
}
