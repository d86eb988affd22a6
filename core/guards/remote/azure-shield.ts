// The traits of Azure AI Content Safety: both of its APIs take 10,000 characters, and count records of 1,000.
import { type AzureShieldGuard, analysesText, recordsOf } from '../../settings/guards/remote/azure-shield.ts';
import { sum } from '../../text/numbers.ts';
import type { ServiceTraits } from './traits.ts';

export const azureShieldTraits: ServiceTraits<AzureShieldGuard> = {
  limits: { textCharacters: 10_000, callCharacters: 10_000, texts: 1, overlap: 500 },
  mostUsage: (guard, texts) => ({
    units: {
      record: sum(texts.map(recordsOf)) * (Number(guard.promptShield) + Number(analysesText(guard))),
    },
  }),
  unpriced: null,
};
