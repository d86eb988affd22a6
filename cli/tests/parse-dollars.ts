// Parses amounts of money on the command line.
import { InvalidArgumentError } from 'commander';

/** Integer microdollars of US dollars such as `1.50`. */
export function parseDollars(text: string): number {
  if (/^(?:0|[1-9][0-9]{0,5})(?:\.[0-9]{1,6})?$/.test(text)) return Math.round(Number(text) * 1_000_000);
  throw new InvalidArgumentError('It must be an amount in US dollars, such as 1.50.');
}
