// Generates the value of a secret with GenerateSecretString.

import { randomInt } from 'node:crypto';
import { asNumber, asText } from '../functions/template-values.ts';

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

/**
 * A value for `GenerateSecretString` (CloudFormation Template Reference, AWS::SecretsManager::Secret GenerateSecretString):
 * a password, or with `SecretStringTemplate` and `GenerateStringKey` a JSON text that holds one.
 * @throws Error when nothing is left to choose from, or the template is no JSON object
 */
export function generateSecretString(settings: Readonly<Record<string, unknown>>): string {
  const password = generatePassword(settings);
  const template = asText(settings['SecretStringTemplate']);
  const key = asText(settings['GenerateStringKey']);
  if (template === undefined || key === undefined) return password;
  return JSON.stringify({ ...(JSON.parse(template) as object), [key]: password });
}

function generatePassword(settings: Readonly<Record<string, unknown>>): string {
  const isOn = (name: string) => asText(settings[name]) === 'true';
  const excluded = asText(settings['ExcludeCharacters']) ?? '';
  const types = [
    isOn('ExcludeLowercase') ? '' : LOWER,
    isOn('ExcludeUppercase') ? '' : UPPER,
    isOn('ExcludeNumbers') ? '' : DIGITS,
    isOn('ExcludePunctuation') ? '' : PUNCTUATION,
    isOn('IncludeSpace') ? ' ' : '',
  ]
    .map((type) => [...type].filter((character) => !excluded.includes(character)))
    .filter((type) => type.length > 0);
  const all = types.flat();
  if (all.length === 0) throw new Error('GenerateSecretString excludes every character');
  const length = asNumber(settings['PasswordLength']) ?? 32;
  const required = asText(settings['RequireEachIncludedType']) === 'false' ? [] : types.map(choose);
  const characters = [...required, ...Array.from({ length: length - required.length }, () => choose(all))];
  return shuffle(characters).join('');
}

function choose(characters: readonly string[]): string {
  return characters[randomInt(characters.length)] ?? '';
}

// Fisher and Yates: the required characters must not stand first.
function shuffle(characters: readonly string[]): readonly string[] {
  const shuffled = [...characters];
  for (let index = shuffled.length - 1; index > 0; index -= 1) {
    const other = randomInt(index + 1);
    [shuffled[index], shuffled[other]] = [shuffled[other] ?? '', shuffled[index] ?? ''];
  }
  return shuffled;
}
