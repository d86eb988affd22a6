// Counts things in words.

/** `1 neuron`, `2 neurons`; for nouns that take an s. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
