// Decides a case of the decision table for the example neuron.
import type { Decision } from '../../../core/access/decision.ts';
import { NO_JWTS } from '../../../core/admin/explain/example-jwt.ts';
import { statusOf } from '../../../core/contract/error-codes.ts';
import type { KeyStore } from '../../../core/ports/keys.ts';
import { ADDRESS_KINDS, REFERER_KINDS } from './decision-table.ts';
import { createKeyring, decide, requestWith, settingsWith } from './examples.ts';
import { accessOf, type TableCase } from './table-cases.ts';

const DOWN: KeyStore = { read: () => Promise.reject(new Error('the table is gone')) };
/** The keys of the table's cases. */
export const { keys, headers, validKeyId } = await createKeyring();

/** What the neuron with these settings decides; `unreachable` asks a store that is down. */
export function decideCase(
  words: string,
  { referer, address, credential }: Omit<TableCase, 'verdict'>,
): Promise<Decision> {
  const request = requestWith({
    ...REFERER_KINDS[referer],
    sourceIp: ADDRESS_KINDS[address],
    authorizations: headers[credential],
  });
  const ports = { keys: credential === 'unreachable' ? DOWN : keys, jwt: NO_JWTS };
  return decide(settingsWith(accessOf(words)), request, ports);
}

/** A decision in the words of the table. */
export function verdictOf(decision: Decision): string {
  switch (decision.outcome) {
    case 'allow':
      return `allow as ${decision.authentication}`;
    case 'refused':
      return `${statusOf(decision.code)} ${decision.code}`;
    case 'not_found':
      return '404 not_found';
    case 'configuration':
      return '500 configuration';
    case 'unavailable':
      return '503 dependency_unavailable';
  }
}
