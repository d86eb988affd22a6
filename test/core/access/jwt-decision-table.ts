// The decision table of neurons that JWTs let in, written by hand like that of the others.
import { PASSED_PAGES, REFUSED_PAGES, type TableBlock, type TableRow } from './decision-table.ts';

/**
 * What a request presents. `keyUnreachable` is a valid key while the key store fails, `jwtUnreachable` a valid JWT while the
 * store of secrets fails, `jwtUnset` one while the secret is not set.
 */
export const JWT_CREDENTIAL_KINDS = [
  'absent',
  'doubled',
  'notBearer',
  'key',
  'keyUnreachable',
  'keyRevoked',
  'keyMalformed',
  'jwt',
  'jwtUnreachable',
  'jwtUnset',
  'jwtForged',
  'jwtExpired',
  'jwtMalformed',
] as const;

export type JwtCredentialKind = (typeof JWT_CREDENTIAL_KINDS)[number];

const NOTHING = 'absent doubled notBearer';
const BAD_KEY = 'keyRevoked keyMalformed';
const BAD_JWT = 'jwtForged jwtExpired jwtMalformed';
const FOREIGN_REFERER: TableRow = [REFUSED_PAGES, 'any', 'any', '403 referer_not_allowed'];

/** Rows that the credential decides: `jwt` alone, then with `apiKey` beside it. */
function byJwt(referer: string, address: string): readonly TableRow[] {
  return [
    [referer, address, `${NOTHING} key keyUnreachable ${BAD_KEY} ${BAD_JWT}`, '401 unauthorized'],
    [referer, address, 'jwtUnreachable', '503 dependency_unavailable'],
    [referer, address, 'jwtUnset', '500 configuration'],
    [referer, address, 'jwt', 'allow as jwt'],
  ];
}

function byEither(referer: string, address: string): readonly TableRow[] {
  return [
    [referer, address, `${NOTHING} ${BAD_KEY} ${BAD_JWT}`, '401 unauthorized'],
    [referer, address, 'keyUnreachable jwtUnreachable', '503 dependency_unavailable'],
    [referer, address, 'jwtUnset', '500 configuration'],
    [referer, address, 'key', 'allow as apiKey'],
    [referer, address, 'jwt', 'allow as jwt'],
  ];
}

const FOREIGN_ADDRESS: TableRow = ['any', 'foreign ipv6 unknown', 'any', '403 ip_not_allowed'];
const FOREIGN_ADDRESS_AFTER_REFERER: TableRow = [
  PASSED_PAGES,
  'foreign ipv6 unknown',
  'any',
  '403 ip_not_allowed',
];

/** Settings that `apply` takes. */
export const JWT_BLOCKS: readonly TableBlock[] = [
  { settings: ['jwt'], rows: byJwt('any', 'any') },
  { settings: ['jwt + apiKey'], rows: byEither('any', 'any') },
  { settings: ['jwt + referers'], rows: [FOREIGN_REFERER, ...byJwt(PASSED_PAGES, 'any')] },
  { settings: ['jwt + ips'], rows: [FOREIGN_ADDRESS, ...byJwt('any', 'listed')] },
  { settings: ['jwt + referers + apiKey'], rows: [FOREIGN_REFERER, ...byEither(PASSED_PAGES, 'any')] },
  { settings: ['jwt + ips + apiKey'], rows: [FOREIGN_ADDRESS, ...byEither('any', 'listed')] },
  {
    settings: ['jwt + referers + ips'],
    rows: [FOREIGN_REFERER, FOREIGN_ADDRESS_AFTER_REFERER, ...byJwt(PASSED_PAGES, 'listed')],
  },
  {
    settings: ['jwt + referers + ips + apiKey'],
    rows: [FOREIGN_REFERER, FOREIGN_ADDRESS_AFTER_REFERER, ...byEither(PASSED_PAGES, 'listed')],
  },
];
