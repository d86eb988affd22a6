// Judges access settings before they are applied: what can never work or contradicts itself is refused, what is risky is warned about.
import type { Access } from '../../settings/access-schema.ts';
import type { AddressPolicy } from '../../settings/address-policy.ts';
import type { AccessDiagnostic } from './access-finding.ts';
import { validateIps } from './access-ips.ts';
import { validateJwt } from './access-jwt.ts';
import { validateReferers } from './access-referers.ts';

/** What is wrong with access settings (`refusals`, nothing may be applied) and what their author should know (`warnings`). */
export interface AccessValidation {
  readonly refusals: readonly AccessDiagnostic[];
  readonly warnings: readonly AccessDiagnostic[];
}

/** Judges settings that parsed; `addresses` are what a JWKS URL may name. Paths begin below `access`. */
export function validateAccess(access: Access, addresses: AddressPolicy): AccessValidation {
  const referers = validateReferers(access.referers);
  const ips = validateIps(access.ips);
  const jwt = validateJwt(access.jwt, addresses);
  const refusals = [...validateSwitches(access), ...referers.refusals, ...ips.refusals, ...jwt.refusals];
  const warnings = [...warnAboutReach(access), ...referers.warnings, ...ips.warnings, ...jwt.warnings];
  return { refusals, warnings };
}

function validateSwitches(access: Access): AccessDiagnostic[] {
  const findings: AccessDiagnostic[] = [];
  const others = (['referers', 'ips', 'apiKey', 'jwt'] as const).filter((name) => access[name] !== undefined);
  if (access.public === true && others.length > 0) {
    findings.push({
      path: ['public'],
      message: `excludes every other setting, but stands beside ${others.join(' and ')}: a public neuron checks nothing. Remove public, or remove ${others.join(' and ')}.`,
    });
  }
  for (const name of ['public', 'apiKey'] as const) {
    if (access[name] !== false) continue;
    findings.push({
      path: [name],
      message: `is false, but what is not enabled is left out. Remove the line, or write ${name}: true.`,
    });
  }
  return findings;
}

function warnAboutReach(access: Access): AccessDiagnostic[] {
  const enabled = Object.values(access).filter((setting) => setting !== undefined);
  if (enabled.length === 0) {
    return [
      {
        path: [],
        message:
          'enables nothing, so every call is answered 403 access_closed. Enable apiKey, ips or referers, or write public: true.',
      },
    ];
  }
  if (access.referers === undefined || access.referers.length === 0) return [];
  if (enabled.length === 1) {
    return [
      {
        path: ['referers'],
        message:
          'stands alone, which leaves the neuron open to every caller that sends no Referer, such as a script. Referers are no authentication: add apiKey, jwt or ips, or at least rateLimits.',
      },
    ];
  }
  if (access.apiKey !== true || access.jwt !== undefined) return [];
  return [
    {
      path: ['referers'],
      message:
        'concerns calls from web pages, but the only credential is an API key, which must never be in the code of a page. Remove referers, or let pages authenticate with a JWT.',
    },
  ];
}
