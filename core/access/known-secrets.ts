// JWT secrets that appear in documentation, starter kits, product defaults and attackers' word lists.

/** Words of letters and digits alone, in lower case: one entry matches all its spellings. */
const KNOWN = new Set(
  // One text, so that the list reads as a list.
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

/** True for a value that is one of them in some spelling: case, blanks and punctuation count for nothing. */
export function isKnownSecret(value: string): boolean {
  return KNOWN.has(value.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
}
