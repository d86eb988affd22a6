// Secrets that the rules of gitleaks leave out or allow: passwords in URLs, and keys by the prefix that their vendors give them.

/** ASCII that is seen, without quotes, slashes and brackets of HTML; in a name also without `:` and `@`. */
const SEEN = '\\x21\\x23-\\x26\\x28-\\x2e\\x30-\\x3b\\x3d\\x3f-\\x7e';
const NAME = '\\x21\\x23-\\x26\\x28-\\x2e\\x30-\\x39\\x3b\\x3d\\x3f\\x41-\\x7e';
/** Words that examples of connections to databases have in the place of a password. */
const EXAMPLE = `(?<=(?i:mysql|mariadb|postgres|postgresql|mongodb|mongodb\\+srv)://[${NAME}]{1,100}:)(?i:pass|secret)@(?![${SEEN}]{1,200}@)`;
const PLACEHOLDER = '[$%{*]|(?i:my)?(?i:password)@|(?i:your_|replace)|(.)\\2*@';

/** Words in lower case; one must be in a text before its pattern is tried. The first group of a pattern is the secret. */
interface OwnRule {
  readonly id: string;
  readonly pattern: string;
  readonly keywords: readonly string[];
  readonly entropy?: number;
}

const token = (id: string, keyword: string, pattern: string): OwnRule => ({
  id,
  pattern: `(${pattern})`,
  keywords: [keyword],
});

export const OWN_RULES: readonly OwnRule[] = [
  {
    id: 'password-in-url',
    // RFC 3986, section 3.2.1. Placeholders are none: variables of templates, `password`, `YOUR_…`, one character alone; for databases
    // `secret`, too.
    pattern: `(\\b[A-Za-z][A-Za-z0-9+.-]{1,20}://[${NAME}]{1,100}:(?!${PLACEHOLDER}|${EXAMPLE})[${SEEN}]{4,200})@[\\w[]`,
    keywords: ['://'],
  },
  {
    id: 'password-in-url',
    // Examples of FTP have a password of their own.
    pattern: `(\\bftps?://[${NAME}]{1,100}:(?![$%{*])[${SEEN}]{4,200})@[\\w[]`,
    keywords: ['ftp://', 'ftps://'],
  },
  {
    id: 'private-key-in-json',
    pattern: '(-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----\\\\n[A-Za-z0-9+/=\\\\]{64,8000})',
    keywords: ['private key-----\\n'],
  },
  {
    id: 'aws-secret-access-key',
    // The key of AWS's own documents is none.
    pattern: `(?i:aws_?secret_?(?:access_?)?key)['"]?\\s{0,5}(?:=>|[:=])\\s{0,5}['"]?((?![A-Za-z0-9/+]{29}EXAMPLEKEY)[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])`,
    keywords: ['secret'],
  },
  {
    id: 'aws-account-id',
    // Twelve digits alone are no number of an account.
    pattern: `(?i:aws_?account_?(?:id)?)['"]?\\s{0,5}(?:=>|[:=])\\s{0,5}['"]?(\\d{4}-?\\d{4}-?\\d{4})(?!\\d)`,
    keywords: ['account'],
  },
  token('docker-access-token', 'dckr_pat_', 'dckr_pat_[A-Za-z0-9_-]{20,64}'),
  token('figma-access-token', 'figd_', 'figd_[A-Za-z0-9_-]{20,128}'),
  token(
    'github-installation-token',
    'ghs_',
    'ghs_\\d{1,20}_eyJ[\\w-]{10,2000}\\.[\\w-]{10,4000}\\.[\\w-]{10,1000}',
  ),
  // One character again and again is a placeholder.
  { ...token('grafana-service-account-token', 'glsa_', 'glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}'), entropy: 2 },
  token('huggingface-access-token', 'hf_', '(?<![A-Za-z0-9])hf_[A-Za-z0-9]{34}(?![A-Za-z0-9])'),
  token('shopify-access-token', 'shp', '(?<![A-Za-z0-9])shp(?:ss|at|ca|pa)_[A-Za-z0-9]{32,64}'),
  token('stripe-access-token', 'k_', '(?<![A-Za-z0-9])[sr]k_(?:live|test)_[A-Za-z0-9]{24,200}'),
  token('tailscale-key', 'tskey-', '(?<![A-Za-z])tskey-[a-z]{2,20}-[A-Za-z0-9]{10,64}-[A-Za-z0-9]{16,128}'),
  token('vercel-token', 'vc', '(?<![A-Za-z0-9])vc[ipark]_[A-Za-z0-9]{24,128}'),
];
