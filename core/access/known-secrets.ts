// JWT secrets that appear in documentation, starter kits, product defaults and attackers' word lists.
import { createHash } from 'node:crypto';
import { KNOWN_SECRET_DIGESTS } from './known-secret-digests.ts';

/** Words of letters and digits, in lower case: one entry matches all its spellings. */
const KNOWN = new Set(
  // One text, so that the formatter does not put each word on a line.
  `
  0123456789abcdef0123456789abcdef 123456 12345678 1234567890 12345678901234567890123456789012 abc123
  accesstokensecret apisecret appsecret astringsecretatleast256bitslong
  astringsecretatleast384bitslongwhichisverylong astringsecretatleast512bitslongwhichisverylong authsecret
  avalidstringsecretthatisatleast384bitslongwhichisverylong
  avalidstringsecretthatisatleast512bitslongwhichisverylong
  avalidstringsecretthatisatleast512bitslongwhichisveryverylong changeit changeme changethis
  changethissecret clientsecret defaultsecret devsecret donttellanyone example examplekey examplesecret
  gaborsecret helloworld hmacsecret insecure iloveyou jsonwebtokensecret jwt jwtkey jwtpassword
  jwtprivatekey jwtsecret jwtsecretkey jwtsecrettoken jwtsigningkey jwttokensecret key keyboardcat letmein
  my32characterultrasecureandultralongsecret myjwtsecret mykey mysecret mysecretkey mysecrettoken
  mysupersecret mysupersecretkey notsosecret password password123 privatekey qwerty
  qwertyuiopasdfghjklzxcvbnm123456 refreshtokensecret replaceme s3cr3t secret secret1 secret123 secretkey
  secretkey123 secretpassword secrettoken secretvalue seed shhhhh shhhhhh shhhhhsharedsecret sharedsecret
  signingkey somesecret supersecret supersecretjwttokenwithatleast32characterslong supersecretkey
  supersecretpassword symmetrickey test testing testkey testsecret thisisasecret thisisasecretkey
  thisismysecret token tokensecret topsecret verysecret verysecretkey yoursecret yoursecrethere
  yoursecretkey yoursupersecret yoursupersecretkey your256bitsecret your384bitsecret your512bitsecret
  yourjwtsecret yourjwtsecretkey
  `
    .trim()
    .split(/\s+/),
);

/** Characters of a digest. A random value has one of the 2,000 with a probability of 10^-11. */
const DIGEST_LENGTH = 8;

/**
 * True for a value that is one of these words in some spelling (case, blanks and punctuation do not count), or is in the public list
 * exactly as it appears there.
 */
export function isKnownSecret(value: string): boolean {
  return KNOWN.has(value.toLowerCase().replaceAll(/[^a-z0-9]/g, '')) || isListed(value);
}

/** Searches the sorted text itself, so that no cold start builds a set. */
function isListed(value: string): boolean {
  const digest = createHash('sha256').update(value).digest('base64url').slice(0, DIGEST_LENGTH);
  let low = 0;
  let high = KNOWN_SECRET_DIGESTS.length / DIGEST_LENGTH;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const listed = KNOWN_SECRET_DIGESTS.slice(middle * DIGEST_LENGTH, (middle + 1) * DIGEST_LENGTH);
    if (listed === digest) return true;
    if (listed < digest) low = middle + 1;
    else high = middle;
  }
  return false;
}
