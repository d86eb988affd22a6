// Spreads the rows of the decision table into single cases, and makes the settings and documents that they speak of.
import {
  ADDRESS_KINDS,
  type AddressKind,
  CREDENTIAL_KINDS,
  type CredentialKind,
  REFERER_KINDS,
  type RefererKind,
  type TableBlock,
  type TableVerdict,
} from './decision-table.ts';

/** One kind of request against one neuron, and what it gets. */
export interface TableCase<Kind extends string = CredentialKind> {
  readonly referer: RefererKind;
  readonly address: AddressKind;
  readonly credential: Kind;
  readonly verdict: TableVerdict;
}

/** The `access` document that words of the table mean. */
export function accessOf(
  words: string,
  lists: { readonly referers: readonly string[]; readonly ips: readonly string[] } = {
    referers: ['app.example.com', '*.example.org'],
    ips: ['203.0.113.7', '198.51.100.0/24'],
  },
): Record<string, unknown> {
  const pieces: Readonly<Record<string, Record<string, unknown>>> = {
    nothing: {},
    public: { public: true },
    referers: { referers: lists.referers },
    ips: { ips: lists.ips },
    apiKey: { apiKey: true },
    jwt: { jwt: { sharedSecret: { secret: 'support-jwt' } } },
    'public: false': { public: false },
    'apiKey: false': { apiKey: false },
    'referers: []': { referers: [] },
    'ips: []': { ips: [] },
  };
  return Object.assign({}, ...words.split(' + ').map((word) => pieces[word]!));
}

/** Every kind of request against one block. Throws unless each is in exactly one row. */
export function casesOf(block: TableBlock): TableCase[];
export function casesOf<Kind extends string>(block: TableBlock, kinds: readonly Kind[]): TableCase<Kind>[];
export function casesOf(block: TableBlock, kinds: readonly string[] = CREDENTIAL_KINDS): TableCase<string>[] {
  const cases: TableCase<string>[] = [];
  for (const referer of Object.keys(REFERER_KINDS) as RefererKind[]) {
    for (const address of Object.keys(ADDRESS_KINDS) as AddressKind[]) {
      for (const credential of kinds) {
        const rows = block.rows.filter(
          (row) =>
            cellHolds(row[0], referer) && cellHolds(row[1], address) && credentialHolds(row[2], credential),
        );
        if (rows.length !== 1) {
          throw new Error(
            `${block.settings[0]}: ${rows.length} rows for ${referer}, ${address}, ${credential}`,
          );
        }
        cases.push({ referer, address, credential, verdict: rows[0]![3] });
      }
    }
  }
  return cases;
}

function cellHolds(cell: string, kind: string): boolean {
  return cell === 'any' || cell.split(' ').includes(kind);
}

function credentialHolds(cell: string, kind: string): boolean {
  return cell === 'bad' ? kind !== 'valid' && kind !== 'unreachable' : cellHolds(cell, kind);
}
