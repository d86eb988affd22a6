// Parses the arguments that name organizations, neurons, versions, durations and messages.
import { InvalidArgumentError } from 'commander';
import { isSlug, isVersionId } from '../../core/contract/slugs.ts';
import { parseDuration } from '../../core/settings/scalars.ts';

/** An organization, or one neuron of it. */
export interface Target {
  readonly organization: string;
  readonly neuron: string | undefined;
}

/** One neuron. */
export type NeuronTarget = Target & { readonly neuron: string };

/** One version of a neuron. */
export type VersionTarget = NeuronTarget & { readonly version: string };

/** Checks `ORG`; for commander. */
export function checkOrganization(text: string): string {
  if (!isSlug(text)) throw new InvalidArgumentError('It must be an organization, such as acme.');
  return text;
}

/** Checks `ORG/NEURON`; for commander. */
export function checkNeuron(text: string): string {
  if (parseTarget(text)?.neuron === undefined)
    throw new InvalidArgumentError('It must be ORGANIZATION/NEURON, such as acme/support.');
  return text;
}

/** Checks `ORG` or `ORG/NEURON`; for commander. */
export function checkTarget(text: string): string {
  if (parseTarget(text) === undefined)
    throw new InvalidArgumentError(
      'It must be an organization such as acme, or one neuron such as acme/support.',
    );
  return text;
}

/** Checks the id of a version; for commander. */
export function checkVersion(text: string): string {
  if (!isVersionId(text)) throw new InvalidArgumentError('It must be the id of a version, such as v3.');
  return text;
}

/** Checks an idempotency key (docs/client.md); for commander. */
export function checkIdempotencyKey(text: string): string {
  if (!/^[!-~]{1,255}$/.test(text))
    throw new InvalidArgumentError('It must have 1 to 255 visible ASCII characters, such as order-7.');
  return text;
}

/** The target in a text; undefined for an invalid one. */
function parseTarget(text: string): Target | undefined {
  const [organization, neuron, ...rest] = text.split('/');
  if (rest.length > 0 || !isSlug(organization)) return undefined;
  if (neuron !== undefined && !isSlug(neuron)) return undefined;
  return { organization, neuron };
}

/** Converts a checked text. Throws for an unchecked one, which is a defect. */
export function toTarget(text: string | undefined): Target {
  const target = text === undefined ? undefined : parseTarget(text);
  if (target === undefined) throw new Error('the target was not checked');
  return target;
}

/** Converts a checked neuron. Throws for an unchecked text, which is a defect. */
export function toNeuronTarget(text: string | undefined): NeuronTarget {
  const { organization, neuron } = toTarget(text);
  if (neuron === undefined) throw new Error('the neuron was not checked');
  return { organization, neuron };
}

/** `ORG` or `ORG/NEURON`. */
export function renderTarget({ organization, neuron }: Target): string {
  return neuron === undefined ? organization : `${organization}/${neuron}`;
}

/** The most characters of a message; for lists it is one line. */
const MAX_MESSAGE_LENGTH = 500;

/** Checks the message of a version; for commander. */
export function checkMessage(text: string): string {
  if (text.trim() === '' || text.length > MAX_MESSAGE_LENGTH || /\p{Cc}/u.test(text))
    throw new InvalidArgumentError(`It must be one line of 1 to ${MAX_MESSAGE_LENGTH} characters.`);
  return text;
}

/** Milliseconds of a duration such as `30s`; for commander. */
export function readDuration(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined)
    throw new InvalidArgumentError('It must be a duration such as 30s, 5m, 1h or 90d.');
  return milliseconds;
}

/** An id, a prefix, or a whole key, so that a leaked key can be named as it was found. */
const KEY = /^(?:nrn_)?([0-9A-Za-z]{12})(?:_[0-9A-Za-z]{36})?$/;

/** The id of an API key; for commander. */
export function readKeyId(text: string): string {
  const keyId = KEY.exec(text)?.[1];
  if (keyId === undefined)
    throw new InvalidArgumentError(
      'It must be the id of a key, as shown by `neuron keys list` and in the log.',
    );
  return keyId;
}
