// Validates the result of a Lambda authorizer.

import { type Policy, readPolicy } from './policy.ts';

/** A usable output of an authorizer; all context values are texts, as later stages receive them. */
interface AuthorizerResult {
  readonly principalId: string;
  readonly policy: Policy;
  readonly context: Readonly<Record<string, string>>;
}

/**
 * Reads the JSON that the authorizer returned (API Gateway Developer Guide, "Output from an API Gateway Lambda
 * authorizer"): `principalId` and `policyDocument` must be there; `context` holds texts, numbers and booleans only.
 * @returns undefined for anything else
 */
export function readAuthorizerResult(json: Buffer): AuthorizerResult | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json.toString());
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { principalId, policyDocument, context = {} } = value as Readonly<Record<string, unknown>>;
  const policy = readPolicy(policyDocument);
  const texts = readContext(context);
  if (typeof principalId !== 'string' || principalId === '' || policy === undefined) return undefined;
  return texts === undefined ? undefined : { principalId, policy, context: texts };
}

function readContext(value: unknown): Readonly<Record<string, string>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const texts: Record<string, string> = {};
  for (const [name, member] of Object.entries(value)) {
    if (typeof member !== 'string' && typeof member !== 'number' && typeof member !== 'boolean')
      return undefined;
    texts[name] = String(member);
  }
  return texts;
}
