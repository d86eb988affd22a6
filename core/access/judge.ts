// Judges access settings before they are applied: what can never work or contradicts itself is refused, what is risky is warned about.
import type { Access } from '../config/access-schema.ts';
import type { AddressPolicy } from '../config/address-policy.ts';
import type { AccessFinding } from './finding.ts';
import { judgeIps } from './judge-ips.ts';
import { judgeJwtSettings } from './judge-jwt.ts';
import { judgeReferers } from './judge-referers.ts';

/** What is wrong with access settings (`refusals`, nothing may be applied) and what their author should know (`warnings`). */
export interface AccessJudgement {
  readonly refusals: readonly AccessFinding[];
  readonly warnings: readonly AccessFinding[];
}

/** Judges settings that parsed; `addresses` are what a JWKS URL may name. Paths begin below `access`. */
export function judgeAccess(access: Access, addresses: AddressPolicy): AccessJudgement {
  const referers = judgeReferers(access.referers);
  const ips = judgeIps(access.ips);
  const jwt = judgeJwtSettings(access.jwt, addresses);
  const refusals = [...judgeSwitches(access), ...referers.refusals, ...ips.refusals, ...jwt.refusals];
  const warnings = [...warnAboutReach(access), ...referers.warnings, ...ips.warnings, ...jwt.warnings];
  return { refusals, warnings };
}

function judgeSwitches(access: Access): AccessFinding[] {
  const findings: AccessFinding[] = [];
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

function warnAboutReach(access: Access): AccessFinding[] {
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
