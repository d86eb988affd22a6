// The names that a call gives itself: its end user and its tags. They count for keys alone whose operator allows them.
import type { Admission, ExecutionRequest } from '../../../adapters/apigateway/proxy-event.ts';
import { isUsername } from '../../../core/access/username.ts';
import { toEndUsername } from '../../../core/contract/end-username.ts';
import { invalidAt } from '../../../core/conversation/reader.ts';
import { MAX_CALL_TAGS, type Tags, tagsSchema } from '../../../core/settings/names/tags.ts';
import type { CallLabels, Invocation } from '../../../core/surfaces/surface.ts';
import { memberOf } from '../../../core/text/json.ts';

/** True where the body may name another caller than the headers do. */
export function mayNameEndUser({ keyGrants, username }: Admission): boolean {
  return keyGrants?.onBehalfOf === true && username === undefined;
}

/**
 * The caller, who is an end user of the key where the call names one: by its header first, else in its body. 422 `invalid_input` for a name
 * that is none, since nobody else's limits must pay for it.
 */
export function nameEndUser(
  admission: Admission,
  { endUsers = [] }: Pick<ExecutionRequest, 'endUsers'>,
  labels: CallLabels = {},
): Admission {
  const { keyId } = admission;
  if (keyId === undefined || !mayNameEndUser(admission)) return admission;
  const name = readEndUser(endUsers, labels.user);
  return name === undefined ? admission : { ...admission, username: toEndUsername(keyId, name) };
}

function readEndUser(headers: readonly string[], user: unknown): string | undefined {
  if (headers.length > 1)
    throw invalidAt('X-End-User', 'must name one end user, and is there more than once');
  const [header] = headers;
  if (header !== undefined) return readName('X-End-User', decodeHeader(header));
  return user === undefined || user === null ? undefined : readName('user', user);
}

function readName(path: string, value: unknown): string {
  if (typeof value === 'string' && isUsername(value)) return value;
  throw invalidAt(path, 'must be the name of an end user: 1 to 256 characters without control characters');
}

/** `UTF-8''J%C3%BCrgen` (RFC 8187, section 3.2): a header holds ASCII alone. Undefined where it is not well formed. */
function decodeHeader(value: string): string | undefined {
  const encoded = /^utf-8'[A-Za-z0-9-]*'(.*)$/i.exec(value)?.[1];
  if (encoded === undefined) return value;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** The labels of a call that count, and the names of those in its body that do not. */
interface TakenLabels {
  readonly tags: Tags | undefined;
  readonly leftOut: readonly string[];
}

const oneTag = tagsSchema(1);

/** `leftOut`: what the surface and the flow leave out. A label that counts is none of it. */
export function takeLabels(
  before: Admission,
  named: Admission,
  invocation: Pick<Invocation, 'labels' | 'leftOut' | 'sentVariables' | 'conversation'>,
): TakenLabels {
  const { labels = {}, leftOut = [] } = invocation;
  const { metadata = {} } = labels;
  const names = Object.keys(metadata);
  const isUserTaken = named.username !== before.username;
  const isInMetadata = isUserTaken && labels.user === memberOf(metadata, 'user_id');
  const others = new Set([
    ...(isInMetadata ? ['user_id'] : []),
    ...(hasVariables(invocation) ? ['variables'] : []),
  ]);
  const tagNames =
    named.keyGrants?.tagsFromCalls === true
      ? names
          .filter((name) => !others.has(name))
          .filter((name) => oneTag.safeParse({ [name]: metadata[name] }).success)
          .slice(0, MAX_CALL_TAGS)
      : [];
  const taken = new Set([...tagNames, ...others]);
  const rest = leftOut.filter((name) => {
    if (name === 'user') return !isUserTaken || isInMetadata;
    return name !== 'metadata' || taken.size === 0;
  });
  const untaken = taken.size === 0 ? [] : names.filter((name) => !taken.has(name));
  return {
    tags:
      tagNames.length === 0
        ? undefined
        : Object.fromEntries(tagNames.map((name) => [name, String(metadata[name])])),
    leftOut: [...rest, ...untaken.map((name) => `metadata.${name}`)],
  };
}

/** True where `metadata.variables` are values for the version's variables, and no label. */
function hasVariables({
  sentVariables,
  conversation,
}: Pick<Invocation, 'sentVariables' | 'conversation'>): boolean {
  return sentVariables?.isText === true && conversation.variables !== undefined;
}
