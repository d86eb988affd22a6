// Validates guards: each use names one of the organization's library, and asks of it what it can do.
import { PatternError } from '../../flow/pattern.ts';
import { createPatternRecognizer } from '../../guards/patterns.ts';
import { type Guard, type GuardUse, isServiceGuard } from '../../settings/guards/guards-schema.ts';
import { NATIONAL_REGIONS } from '../../settings/guards/regions.ts';
import type { Neuron } from '../../settings/neuron-schema.ts';
import type { Organization } from '../../settings/organization-schema.ts';
import type { Path } from '../../settings/path.ts';
import { errorAt, type PartDiagnostic } from '../diagnostic.ts';
import { warnOfIdleUses } from '../guards/idle-uses.ts';
import { validateEntities, validateGuardProvider, validateServiceUse } from './guard-services.ts';
import { validateReadable } from './output-schema.ts';
import { passedCalls } from './pass-through.ts';

/** The library and its mandatory list; paths begin at the root of the organization's document. */
export function validateLibrary(organization: Organization): PartDiagnostic[] {
  const { guards = {}, mandatory = [] } = organization;
  return [
    ...Object.entries(guards).flatMap(([name, guard]) => [
      ...validatePatterns(guard, ['guards', name]),
      ...validateRegions(guard, ['guards', name]),
      ...validateSchema(guard, ['guards', name]),
      ...validateEntities(guard, ['guards', name]),
      ...validateGuardProvider(guard, organization, ['guards', name]),
    ]),
    ...mandatory.flatMap((use, index) => validateUse(use, guards, ['mandatory', index])),
  ];
}

/** A neuron's list; the organization is undefined where it is not known. */
export function validateGuards(neuron: Neuron, organization: Organization | undefined): PartDiagnostic[] {
  const { guards: uses = [], flow } = neuron;
  const acting = [...(organization?.mandatory ?? []), ...uses].find(({ action }) => action !== 'flag');
  return [
    ...uses.flatMap((use, index) => validateUse(use, organization?.guards, ['guards', index])),
    ...warnOfIdleUses(neuron, organization),
    ...passedCalls(flow ?? []).flatMap(({ path }) =>
      acting === undefined ? [] : [errorAt(['flow', ...path, 'accepts'], besideGuard(acting.use))],
    ),
  ];
}

function besideGuard(name: string): string {
  return `passes requests on as they are, which the guard ${name} could not change or stop: take passThrough out, or use guards with action: flag alone`;
}

function validateUse(
  use: GuardUse,
  library: Readonly<Record<string, Guard>> | undefined,
  path: Path,
): PartDiagnostic[] {
  const guard = library !== undefined && Object.hasOwn(library, use.use) ? library[use.use] : undefined;
  const errors: PartDiagnostic[] = [];
  if (library !== undefined && guard === undefined) {
    const names = Object.keys(library).join(', ') || 'none yet';
    errors.push(errorAt([...path, 'use'], `is no guard of the organization, which has ${names}`));
  }
  errors.push(...validateAction(use, guard, path), ...validateServiceUse(use, guard, path));
  if (use.text !== undefined && use.action !== 'block')
    errors.push(
      errorAt(
        [...path, 'text'],
        'is the answer of a run that is blocked, and counts with action: block alone',
      ),
    );
  for (const member of ['onFailure', 'history'] as const)
    if (use[member] !== undefined && guard !== undefined && !isServiceGuard(guard))
      errors.push(
        errorAt([...path, member], `counts for guards by services alone, and ${use.use} is in the process`),
      );
  if (use.fingerprints !== undefined && guard !== undefined && isServiceGuard(guard))
    errors.push(
      errorAt([...path, 'fingerprints'], `counts for guards in the process, and ${use.use} is by a service`),
    );
  if (use.onFailure === 'open' && use.action === 'flag')
    errors.push(
      errorAt([...path, 'onFailure'], 'is of guards that act, and action: flag never fails: take it out'),
    );
  if (use.restore !== undefined && use.action !== 'mask')
    errors.push(
      errorAt([...path, 'restore'], 'says where masks come back, and counts with action: mask alone'),
    );
  if (use.unseen === 'refuse' && use.action === 'flag')
    errors.push(
      errorAt([...path, 'unseen'], 'refuses requests, which action: flag never does: take one of them out'),
    );
  return errors;
}

/** The actions that a type has, and their stages. */
function validateAction(use: GuardUse, guard: Guard | undefined, path: Path): PartDiagnostic[] {
  const ofAnswer = use.on.find((stage) => stage === 'output' || stage === 'toolCalls');
  const errors: PartDiagnostic[] = [];
  if (use.action === 'mask' && guard?.type === 'secrets')
    errors.push(
      errorAt(
        [...path, 'action'],
        'cannot be mask for secrets, which come back to nobody: use redact or block',
      ),
    );
  if (guard?.type === 'schema' && (use.action === 'mask' || use.action === 'redact'))
    errors.push(
      errorAt(
        [...path, 'action'],
        `cannot be ${use.action} for a schema, which fits or not: use block or flag`,
      ),
    );
  if (guard?.type === 'schema' && ofAnswer === undefined)
    errors.push(errorAt([...path, 'on'], 'must have output or toolCalls: a schema is of answers'));
  if (use.action === 'mask' && ofAnswer !== undefined)
    errors.push(
      errorAt(
        [...path, 'on'],
        `has ${ofAnswer}, and a mask is of what a caller sends: use redact there, in an entry of its own`,
      ),
    );
  return errors;
}

/** National numbers are those of some countries, and of none where none is named; phone numbers have an international form besides. */
function validateRegions(guard: Guard, path: Path): PartDiagnostic[] {
  if (guard.type !== 'pii') return [];
  const { entities, regions = [] } = guard;
  const asksForPhones = entities.includes('phone');
  const national = regions.filter((region) => NATIONAL_REGIONS.includes(region));
  if (entities.includes('nationalId') && national.length === 0)
    return [
      errorAt(
        [...path, 'entities'],
        `has nationalId, which needs the countries: add regions, of ${NATIONAL_REGIONS.join(', ')}`,
      ),
    ];
  if (asksForPhones) return [];
  if (!entities.includes('nationalId'))
    return regions.length === 0
      ? []
      : [errorAt([...path, 'regions'], 'counts with nationalId and phone alone: add one to entities')];
  return regions.flatMap((region, index) =>
    national.includes(region)
      ? []
      : [
          errorAt(
            [...path, 'regions', index],
            `has no national number that can be checked: those are ${NATIONAL_REGIONS.join(', ')}`,
          ),
        ],
  );
}

/** Each answer is checked against it: one that cannot be read would block them all. */
function validateSchema(guard: Guard, path: Path): PartDiagnostic[] {
  return guard.type === 'schema' ? validateReadable([...path, 'schema'], guard.schema) : [];
}

function validatePatterns(guard: Guard, path: Path): PartDiagnostic[] {
  if (guard.type !== 'patterns') return [];
  return guard.deny.flatMap((pattern, index) => {
    const reason = rejectPattern(pattern, guard.caseSensitive);
    return reason === undefined ? [] : [errorAt([...path, 'deny', index], reason)];
  });
}

function rejectPattern(pattern: string, caseSensitive: boolean): string | undefined {
  try {
    createPatternRecognizer([pattern], { entity: '', caseSensitive });
    return undefined;
  } catch (thrown) {
    return thrown instanceof PatternError ? thrown.message : 'is not a pattern that RE2 takes';
  }
}
