// The decision table of access control, written by hand: settings against kinds of request, and what each gets. JWTs have one of
// their own, beside this file.
// Read by the unit tests, by the end-to-end tests over HTTP and by the program that writes docs/access-table.md.

/** What a request's Referer and Origin are to a neuron that lists `app.example.com` and `*.example.org`. */
export const REFERER_KINDS = {
  absent: { referers: [], origins: [] },
  listed: { referers: ['https://app.example.com/page?x=1'], origins: [] },
  foreign: { referers: ['https://app.example.com.attacker.example/'], origins: [] },
  malformed: { referers: ['app.example.com'], origins: [] },
  doubled: { referers: ['https://app.example.com/', 'https://app.example.com/'], origins: [] },
  originListed: { referers: [], origins: ['https://www.example.org:8443'] },
  originForeign: { referers: [], origins: ['https://app.example.com.attacker.example'] },
  originNull: { referers: [], origins: ['null'] },
  originDoubled: { referers: [], origins: ['https://app.example.com', 'https://app.example.com'] },
  originDiffers: { referers: ['https://app.example.com/'], origins: ['https://attacker.example'] },
} as const satisfies Record<
  string,
  { readonly referers: readonly string[]; readonly origins: readonly string[] }
>;

/** What a caller's address is to a neuron that lists `203.0.113.7` and `198.51.100.0/24`. */
export const ADDRESS_KINDS = {
  listed: '198.51.100.9',
  foreign: '192.0.2.1',
  ipv6: '::ffff:203.0.113.7',
  unknown: undefined,
} as const satisfies Record<string, string | undefined>;

/** What a request presents as its credential. `unreachable` is a valid key while the key store fails. */
export const CREDENTIAL_KINDS = [
  'absent',
  'valid',
  'unreachable',
  'doubled',
  'notBearer',
  'jwt',
  'malformed',
  'unknown',
  'revoked',
  'expired',
  'otherOrganization',
  'otherNeuron',
] as const;

export type RefererKind = keyof typeof REFERER_KINDS;
export type AddressKind = keyof typeof ADDRESS_KINDS;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

/** What the caller gets: let in as something, or a status and a code. */
export type TableVerdict =
  | 'allow as public'
  | 'allow as referer'
  | 'allow as ip'
  | 'allow as apiKey'
  | '403 referer_not_allowed'
  | '403 ip_not_allowed'
  | '403 access_closed'
  | '401 unauthorized'
  | '404 not_found'
  | 'allow as jwt'
  | '500 configuration'
  | '503 dependency_unavailable';

/** One row: kinds of Referer, address and credential, separated by spaces; `any` is all, `bad` all but valid and unreachable. */
export type TableRow = readonly [referer: string, address: string, credential: string, verdict: TableVerdict];

/** Settings that behave alike, and their rows. Every kind of request is in exactly one row. */
export interface TableBlock {
  readonly settings: readonly string[];
  readonly rows: readonly TableRow[];
}

/** What the words of `settings` mean; ` + ` joins them. */
export const SETTINGS_WORDS = [
  'nothing',
  'public',
  'referers',
  'ips',
  'apiKey',
  'jwt',
  'public: false',
  'apiKey: false',
  'referers: []',
  'ips: []',
] as const;

/** A page that is listed, or none, and pages that are refused. */
export const PASSED_PAGES = 'absent listed originListed';
export const REFUSED_PAGES = 'foreign malformed doubled originForeign originNull originDoubled originDiffers';
const NAMED_PAGES = `listed originListed ${REFUSED_PAGES}`;

const FOREIGN_REFERER: TableRow = [REFUSED_PAGES, 'any', 'any', '403 referer_not_allowed'];

/** Settings that `apply` takes. */
export const USABLE_BLOCKS: readonly TableBlock[] = [
  { settings: ['nothing'], rows: [['any', 'any', 'any', '403 access_closed']] },
  { settings: ['public'], rows: [['any', 'any', 'any', 'allow as public']] },
  {
    settings: ['referers'],
    rows: [FOREIGN_REFERER, [PASSED_PAGES, 'any', 'any', 'allow as referer']],
  },
  {
    settings: ['ips'],
    rows: [
      ['any', 'foreign ipv6 unknown', 'any', '403 ip_not_allowed'],
      ['any', 'listed', 'any', 'allow as ip'],
    ],
  },
  {
    settings: ['apiKey'],
    rows: [
      ['any', 'any', 'bad', '401 unauthorized'],
      ['any', 'any', 'unreachable', '503 dependency_unavailable'],
      ['any', 'any', 'valid', 'allow as apiKey'],
    ],
  },
  {
    settings: ['referers + ips'],
    rows: [
      FOREIGN_REFERER,
      [PASSED_PAGES, 'foreign ipv6 unknown', 'any', '403 ip_not_allowed'],
      [PASSED_PAGES, 'listed', 'any', 'allow as ip'],
    ],
  },
  {
    settings: ['referers + apiKey'],
    rows: [
      FOREIGN_REFERER,
      [PASSED_PAGES, 'any', 'bad', '401 unauthorized'],
      [PASSED_PAGES, 'any', 'unreachable', '503 dependency_unavailable'],
      [PASSED_PAGES, 'any', 'valid', 'allow as apiKey'],
    ],
  },
  {
    settings: ['ips + apiKey'],
    rows: [
      ['any', 'foreign ipv6 unknown', 'any', '403 ip_not_allowed'],
      ['any', 'listed', 'bad', '401 unauthorized'],
      ['any', 'listed', 'unreachable', '503 dependency_unavailable'],
      ['any', 'listed', 'valid', 'allow as apiKey'],
    ],
  },
  {
    settings: ['referers + ips + apiKey'],
    rows: [
      FOREIGN_REFERER,
      [PASSED_PAGES, 'foreign ipv6 unknown', 'any', '403 ip_not_allowed'],
      [PASSED_PAGES, 'listed', 'bad', '401 unauthorized'],
      [PASSED_PAGES, 'listed', 'unreachable', '503 dependency_unavailable'],
      [PASSED_PAGES, 'listed', 'valid', 'allow as apiKey'],
    ],
  },
];

/** Settings that `apply` refuses, should they be found in the store all the same. */
export const REFUSED_BLOCKS: readonly TableBlock[] = [
  {
    settings: [
      'public + referers',
      'public + ips',
      'public + apiKey',
      'public + referers + ips + apiKey',
      'public + apiKey: false',
      'public + referers: []',
      'public + ips: []',
      'public + jwt',
    ],
    rows: [['any', 'any', 'any', '404 not_found']],
  },
  {
    settings: ['public: false', 'apiKey: false', 'public: false + apiKey: false'],
    rows: [['any', 'any', 'any', '403 access_closed']],
  },
  {
    settings: ['referers: []', 'referers: [] + apiKey: false', 'referers: [] + public: false'],
    rows: [
      [NAMED_PAGES, 'any', 'any', '403 referer_not_allowed'],
      ['absent', 'any', 'any', '403 access_closed'],
    ],
  },
  {
    settings: ['ips: []', 'ips: [] + apiKey', 'ips: [] + apiKey: false', 'ips: [] + public: false'],
    rows: [['any', 'any', 'any', '403 ip_not_allowed']],
  },
  {
    settings: ['referers + public: false', 'referers + apiKey: false'],
    rows: [FOREIGN_REFERER, [PASSED_PAGES, 'any', 'any', '403 access_closed']],
  },
  {
    settings: ['ips + public: false', 'ips + apiKey: false'],
    rows: [
      ['any', 'foreign ipv6 unknown', 'any', '403 ip_not_allowed'],
      ['any', 'listed', 'any', '403 access_closed'],
    ],
  },
  {
    settings: ['apiKey + public: false'],
    rows: [
      ['any', 'any', 'bad', '401 unauthorized'],
      ['any', 'any', 'unreachable', '503 dependency_unavailable'],
      ['any', 'any', 'valid', '403 access_closed'],
    ],
  },
  {
    settings: ['referers: [] + apiKey'],
    rows: [
      [NAMED_PAGES, 'any', 'any', '403 referer_not_allowed'],
      ['absent', 'any', 'bad', '401 unauthorized'],
      ['absent', 'any', 'unreachable', '503 dependency_unavailable'],
      ['absent', 'any', 'valid', '403 access_closed'],
    ],
  },
  {
    settings: ['referers: [] + ips'],
    rows: [
      [NAMED_PAGES, 'any', 'any', '403 referer_not_allowed'],
      ['absent', 'foreign ipv6 unknown', 'any', '403 ip_not_allowed'],
      ['absent', 'listed', 'any', '403 access_closed'],
    ],
  },
  {
    settings: ['referers + ips: []', 'referers + ips: [] + apiKey'],
    rows: [FOREIGN_REFERER, [PASSED_PAGES, 'any', 'any', '403 ip_not_allowed']],
  },
];

export const DECISION_TABLE: readonly TableBlock[] = [...USABLE_BLOCKS, ...REFUSED_BLOCKS];
