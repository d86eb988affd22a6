// Decides who may call a neuron. Top to bottom this is the whole of access control: the first denial wins, and
// only the two lines that say `allow` admit a caller.

import type { Authentication } from '../contract/log-entry.ts';
import type { KeyGrants, StoredKey } from '../ports/keys.ts';
import type { Access } from '../settings/access-schema.ts';
import { authenticate, type CredentialPorts } from './credentials.ts';
import { type AccessDenialCode, type Decision, type Ending, openDecisionTrace } from './decision.ts';
import { checkAddress } from './ipv4.ts';
import { toJwtMethod } from './jwt-method.ts';
import { checkReferer } from './referer.ts';
import type { AccessFacts } from './request.ts';
import type { AccessSettings, NeuronAccess } from './settings.ts';

export type AccessPorts = CredentialPorts;

/** A caller who is admitted, unless a later check denies the request. */
interface AdmittedCaller {
  readonly authentication: Authentication;
  readonly keyId?: string | undefined;
  readonly keyLimits?: StoredKey['usageLimits'];
  readonly keyGrants?: KeyGrants | undefined;
  readonly username?: string | undefined;
  readonly conditions?: readonly string[];
}

/** Decides on a request by the settings of the neuron it names. Cheap checks come first; never throws. */
export async function decide(
  settings: AccessSettings,
  request: AccessFacts,
  ports: AccessPorts,
): Promise<Decision> {
  const trace = openDecisionTrace();
  let admitted: AdmittedCaller | undefined;

  // 1. Unknown organization or neuron, settings that cannot be used: 404. Settings that could not be read: 503.
  if (settings.outcome !== 'usable') return trace.end('settings', settings);
  const { access } = settings;
  const contradiction = findContradiction(access);
  if (contradiction !== undefined) {
    return trace.end('settings', { outcome: 'not_found', reason: contradiction });
  }
  trace.pass('settings', 'the neuron exists and its settings can be used');

  // 2. A public neuron checks nothing.
  if (access.public === true) {
    return trace.end('public', allow(settings, { authentication: 'public' }, 'the neuron is public'));
  }
  trace.off('public');

  // 3. The page that a Referer or an Origin names, if one does, is listed: else 403.
  if (access.referers === undefined) trace.off('referers');
  else {
    const { passes, reason } = checkReferer(access.referers, request);
    if (!passes) return trace.end('referers', deny('referer_not_allowed', reason));
    trace.pass('referers', reason);
    admitted = { authentication: 'referer' };
  }

  // 4. The caller's address is listed: else 403.
  if (access.ips === undefined) trace.off('ips');
  else {
    const { passes, reason } = checkAddress(access.ips, request.sourceIp);
    if (!passes) return trace.end('ips', deny('ip_not_allowed', reason));
    trace.pass('ips', reason);
    admitted = { authentication: 'ip' };
  }

  // 5. The credential is valid, API key or JWT: else 401. A store that fails: 503. No secret to verify with: 500.
  if (access.apiKey !== true && access.jwt === undefined) trace.off('credentials');
  else {
    const { result, details } = await authenticate(settings, request, ports);
    if (result.outcome === 'invalid')
      return trace.end('credentials', deny('unauthorized', result.reason, result.keyId), details);
    if (result.outcome !== 'valid') return trace.end('credentials', result, details);
    trace.pass('credentials', result.reason, details);
    admitted = result;
  }

  // 6. Some check is enabled, and no setting is false or empty: else 403.
  const disabled = findDisabled(access);
  if (admitted !== undefined && disabled === undefined) {
    return trace.end('enabled', allow(settings, admitted, 'every check that is enabled has passed'));
  }
  return trace.end('enabled', deny('access_closed', disabled ?? 'no way of access is enabled'));
}

/** The contradiction in settings that allow nobody or verify no token. `apply` rejects them too. */
function findContradiction(access: Access): string | undefined {
  const { public: isPublic, ...others } = access;
  if (isPublic === true && Object.values(others).some((setting) => setting !== undefined)) {
    return 'public: true stands beside other settings';
  }
  if (access.jwt === undefined || toJwtMethod(access.jwt) !== undefined) return undefined;
  return 'jwt has not exactly one of jwks and sharedSecret with algorithms of its own family';
}

/** The method that is false or empty, so that the settings admit nobody. An empty `ips` was denied before. `apply` rejects them too. */
function findDisabled(access: Access): string | undefined {
  if (access.public === false) return 'public is false';
  if (access.apiKey === false) return 'apiKey is false';
  if (access.referers?.length === 0) return 'referers is empty';
  return undefined;
}

function deny(code: AccessDenialCode, reason: string, keyId?: string): Ending {
  return { outcome: 'refused', code, keyId, reason };
}

function allow({ organizationId, neuronId }: NeuronAccess, admitted: AdmittedCaller, reason: string): Ending {
  const { authentication, keyId, keyLimits, keyGrants, username, conditions } = admitted;
  const caller = { authentication, keyId, keyLimits, keyGrants, username, conditions };
  return { outcome: 'allow', organizationId, neuronId, ...caller, reason };
}
