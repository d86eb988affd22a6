// The traits of Azure AI Content Safety: both of its APIs take 10,000 characters, and count records of 1,000.
import { type AzureShieldGuard, analysesText } from '../../settings/guards/remote/azure-shield.ts';
import { sum } from '../../text/numbers.ts';
import type { ServiceTraits } from './traits.ts';

const RECORD_CHARACTERS = 1_000;

export const azureShieldTraits: ServiceTraits<AzureShieldGuard> = {
  limits: { textCharacters: 10_000, callCharacters: 10_000, texts: 1, overlap: 500 },
  mostUsage: (guard, texts) => ({
    units: {
      record: sum(texts.map(recordsOf)) * (Number(guard.promptShield) + Number(analysesText(guard))),
    },
  }),
  unpriced: null,
};

/** Of one text, as one of the APIs counts them. */
export function recordsOf(text: string): number {
  return Math.ceil(text.length / RECORD_CHARACTERS);
}
