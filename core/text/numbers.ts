// Arithmetic on lists.

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** An integer, as sums are kept exactly; undefined for a number with more than 3 decimals. */
export function toThousandths(value: number): number | undefined {
  const rounded = Math.round(value * 1_000);
  return rounded / 1_000 === value ? rounded : undefined;
}
