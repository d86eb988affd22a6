// Validates access settings before they are applied: contradictions and what can never work are errors, risks are warnings.
import type { Access } from '../../../settings/access-schema.ts';
import type { AddressPolicy } from '../../../settings/address-policy.ts';
import { errorAt, type PartDiagnostic, warningAt } from '../../diagnostic.ts';
import { validateIps } from './ips.ts';
import { validateJwt } from './jwt.ts';
import { validateReferers } from './referers.ts';

/** Validates settings that parsed; `addresses` are what a JWKS URL may name. Paths begin below `access`. */
export function validateAccess(access: Access, addresses: AddressPolicy): readonly PartDiagnostic[] {
  return [
    ...validateSwitches(access),
    ...warnAboutReach(access),
    ...validateReferers(access.referers),
    ...validateIps(access.ips),
    ...validateJwt(access.jwt, addresses),
  ];
}

function validateSwitches(access: Access): PartDiagnostic[] {
  const diagnostics: PartDiagnostic[] = [];
  const others = (['referers', 'ips', 'apiKey', 'jwt'] as const).filter((name) => access[name] !== undefined);
  if (access.public === true && others.length > 0) {
    const message = `excludes every other setting, but stands beside ${others.join(' and ')}: a public neuron checks nothing. Remove public, or remove ${others.join(' and ')}.`;
    diagnostics.push(errorAt(['public'], message));
  }
  for (const name of ['public', 'apiKey'] as const) {
    if (access[name] !== false) continue;
    const message = `is false, but what is not enabled is left out. Remove the line, or write ${name}: true.`;
    diagnostics.push(errorAt([name], message));
  }
  return diagnostics;
}

function warnAboutReach(access: Access): PartDiagnostic[] {
  const enabled = Object.values(access).filter((setting) => setting !== undefined);
  if (enabled.length === 0) {
    const message =
      'enables nothing, so every call is answered 403 access_closed. Enable apiKey, ips or referers, or write public: true.';
    return [warningAt([], message)];
  }
  if (access.referers === undefined || access.referers.length === 0) return [];
  if (enabled.length === 1) {
    const message =
      'stands alone, which leaves the neuron open to every caller that sends neither Referer nor Origin, such as a script. Referers are no authentication: add apiKey, jwt or ips, or at least rateLimits.';
    return [warningAt(['referers'], message)];
  }
  if (access.apiKey !== true || access.jwt !== undefined) return [];
  const message =
    'concerns calls from web pages, but the only credential is an API key, which must never be in the code of a page. Remove referers, or let pages authenticate with a JWT.';
  return [warningAt(['referers'], message)];
}
