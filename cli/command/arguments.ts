// Arguments and options that several commands take, and their parsers.
import { isIP } from 'node:net';
import { InvalidArgumentError } from 'commander';
import { digestOf } from '../../core/access/api-key.ts';
import { findForeignKeyFlaw } from '../../core/access/foreign-key.ts';
import { explainSlug, isSlug, isVersionId } from '../../core/contract/slugs.ts';
import { nameOfDigest } from '../../core/ports/keys.ts';
import { parseDuration } from '../../core/settings/scalars.ts';
import type { NeuronTarget, Target } from '../session/target.ts';
import { argument, option } from './parameters.ts';

export function parseOrganization(text: string): string {
  if (isSlug(text)) return text;
  throw new InvalidArgumentError(`It must be an organization, such as acme.${explainParts([text])}`);
}

/** `ORG/NEURON` */
export function parseNeuron(text: string): NeuronTarget {
  const { organization, neuron } = splitTarget(text) ?? {};
  if (organization === undefined || neuron === undefined)
    throw new InvalidArgumentError(
      `It must be ORGANIZATION/NEURON, such as acme/support.${explainParts(text.split('/'))}`,
    );
  return { organization, neuron };
}

/** `ORG` or `ORG/NEURON` */
export function parseTarget(text: string): Target {
  const target = splitTarget(text);
  if (target !== undefined) return target;
  throw new InvalidArgumentError(
    `It must be an organization such as acme, or one neuron such as acme/support.${explainParts(text.split('/'))}`,
  );
}

/** ` "chat" is reserved; choose another name.`: the first part that is no slug, and why. Empty where another thing is wrong. */
function explainParts(parts: readonly string[]): string {
  const wrong = parts.find((part) => explainSlug(part) !== undefined);
  if (parts.length > 2 || !wrong || wrong.length > 80) return '';
  return ` ${JSON.stringify(wrong)} ${explainSlug(wrong)}.`;
}

function splitTarget(text: string): Target | undefined {
  const [organization, neuron, ...rest] = text.split('/');
  if (rest.length > 0 || !isSlug(organization)) return undefined;
  if (neuron !== undefined && !isSlug(neuron)) return undefined;
  return { organization, neuron };
}

/** `v3` */
export function parseVersionId(text: string): string {
  if (!isVersionId(text)) throw new InvalidArgumentError('It must be the id of a version, such as v3.');
  return text;
}

/** Milliseconds of a duration such as `30s`. */
export function parseDurationMs(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined)
    throw new InvalidArgumentError('It must be a duration such as 30s, 5m, 1h or 90d.');
  return milliseconds;
}

/** A whole number from 1 to `maximum`. */
export function parseMaximum(maximum: number): (text: string) => number {
  return (text) => {
    const number = /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
    if (number >= 1 && number <= maximum) return number;
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${maximum}.`);
  };
}

/** An id, a prefix, or a whole key, so that a leaked key can be named as it was found. */
const KEY = /^(?:nrn_)?([0-9A-Za-z]{12})(?:_[0-9A-Za-z]{36})?$/;

/** A name of a key as `KeyAdmin.find` takes it. */
export function parseKey(text: string): string {
  const keyId = KEY.exec(text)?.[1];
  if (keyId !== undefined) return keyId;
  if (findForeignKeyFlaw(text) === undefined) return nameOfDigest(digestOf(text));
  throw new InvalidArgumentError(
    'It must be the id or the prefix of a key, as `neuron keys list` shows them, or the key itself.',
  );
}

/** Usernames of tokens have at most 256 (core/access/username.ts); before that of an end user stands its key. */
const MAX_USERNAME_LENGTH = 256 + 'nrn_123456789012/'.length;

/** A username as tokens have it: compared exactly, with its letter case and blanks. */
function parseUsername(text: string): string {
  if (text === '' || text.length > MAX_USERNAME_LENGTH)
    throw new InvalidArgumentError(
      `It must be a username of 1 to ${MAX_USERNAME_LENGTH} characters, exactly as in the log.`,
    );
  return text;
}

/** An address in the form in which API Gateway writes it (RFC 5952), since log and counters are compared as text. */
export function parseAddress(text: string): string {
  const family = isIP(text);
  if (family === 0 || text.includes('%'))
    throw new InvalidArgumentError('It must be an IP address, such as 203.0.113.7.');
  return family === 4 ? text : new URL(`http://[${text}]`).hostname.slice(1, -1);
}

export const ORGANIZATION = argument('<organization>', 'the organization', parseOrganization);
export const NEURON = argument('<organization/neuron>', 'the neuron', parseNeuron);
export const VERSION = argument('<version>', 'the version, such as v3', parseVersionId);
export const KEY_ARGUMENT = argument('<key>', 'the key, by id, prefix or text', parseKey);

/** Options that select calls or counters. */
export function keyOption(description: string) {
  return option('--key <key>', `${description}, by id, prefix or text`, parseKey);
}
export function userOption(description: string) {
  return option('--user <username>', description, parseUsername);
}
export function addressOption(description: string) {
  return option('--ip <address>', description, parseAddress);
}

/** Milliseconds; without it a pause lasts until a command ends it. */
export function pauseLength() {
  return option('--for <duration>', 'resume by itself after this time, such as 2h', parseDurationMs);
}

/** Milliseconds. `initial`: the default, such as `1m`. */
export function retryAfter(initial: string) {
  return option('--retry-after <duration>', 'Retry-After of the answers, such as 10m', parseDurationMs, {
    default: parseDurationMs(initial),
    shown: initial,
  });
}
