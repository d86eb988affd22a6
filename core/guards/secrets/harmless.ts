// Values in base64 that look like secrets and are none, which the lists of gitleaks do not name.

/** Base64 with its padding (RFC 4648, section 4). */
const PADDED = /^[A-Za-z0-9+/]{2,}={1,2}$/;
const WORDS = /^[A-Za-z]+(?: [A-Za-z]+)+$/;

/** Words with blanks between them, one of which is in the list: as harmless as the same words written plainly. */
export function saysWordOf(stopwords: readonly string[], secret: string): boolean {
  if (!PADDED.test(secret)) return false;
  const plain = Buffer.from(secret, 'base64').toString('latin1');
  return WORDS.test(plain) && stopwords.some((word) => plain.toLowerCase().includes(word));
}

const AWS_NAME = /aws_?secret_?(?:access_?)?key/i;
/** Forty bytes. */
const FORTY = /^[A-Za-z0-9+/]{54}==$/;
const VISIBLE = /^[!-~]+$/;

/**
 * Forty bytes that are no text, as the secret key of an account of AWS: such a key has forty characters, and would be a text once decoded;
 * keys of other stores under that name have 32 or 64 bytes. It is something encrypted.
 */
export function isEncryptedAwsKey(secret: string, match: string): boolean {
  return (
    FORTY.test(secret) &&
    AWS_NAME.test(match) &&
    !VISIBLE.test(Buffer.from(secret, 'base64').toString('latin1'))
  );
}
