// Turns settings into guards that can be run: those of the organization that act on every neuron, and those of the neuron's own list.
import {
  type Guard,
  type GuardAction,
  type GuardUse,
  isServiceGuard,
  type LocalGuard,
  type PiiEntity,
  type ServiceGuard,
  type Stage,
} from '../settings/guards/guards-schema.ts';
import type { NeuronSettings } from '../settings/neuron-schema.ts';
import type { Organization } from '../settings/organization-schema.ts';
import type { JsonObject } from '../text/json.ts';
import { type Find, type OpenFrom, type Recognizer, type RestorePlace, withoutOverlaps } from './find.ts';
import { findInViews, openFromOf } from './in-views.ts';
import { createPatternRecognizer } from './patterns.ts';
import { createPhraseRecognizer } from './phrases.ts';
import { recognizerOf } from './pii/forms.ts';
import { createNationalRecognizer } from './pii/national.ts';
import { createPhoneRecognizer, type IsPhoneNumber } from './pii/phone.ts';
import { secretRecognizer } from './secrets/find.ts';

/** A guard of a neuron, ready to be run. */
export interface ActiveGuard {
  readonly name: string;
  readonly type: Guard['type'];
  readonly action: GuardAction;
  readonly stages: ReadonlySet<Stage>;
  /** The answer in place of an error. */
  readonly text: string | undefined;
  /** Where its masks are put back. */
  readonly restores: ReadonlySet<RestorePlace>;
  readonly rejectsUnseen: boolean;
  /** The log tells its values apart. */
  readonly hasFingerprints: boolean;
  /** Finds that do not overlap and begin at `from` or after it. */
  find(text: string, from?: number): readonly Find[];
  /** Absent where a stream must wait for the end of the text. */
  readonly openFrom?: OpenFrom;
  /** Absent for a guard in the process. One with it finds nothing by itself. */
  readonly service?: ServiceUse;
  /** The name in the place of a find, such as `EMAIL`. */
  labelOf(find: Find): string;
  /** The schema of an answer's text or of a tool's arguments; absent for a guard that looks for something in texts. */
  readonly fits?: { readonly schema: JsonObject; readonly tool: string | undefined };
}

/** Libraries that are loaded for guards that ask for them. */
export interface GuardTools {
  readonly isPhoneNumber: IsPhoneNumber;
}

/** For guards that are described, and never run. */
export const NO_TOOLS: GuardTools = {
  isPhoneNumber() {
    throw new Error('the guards were not loaded to be run');
  },
};

/** True where the library of phone numbers is needed. */
export function asksForPhones(library: Readonly<Record<string, Guard>> | undefined): boolean {
  return Object.values(library ?? {}).some(
    (guard) => guard.type === 'pii' && guard.entities.includes('phone'),
  );
}

/** How a guard asks its service. */
export interface ServiceUse extends Required<Pick<GuardUse, 'onFailure' | 'history'>> {
  readonly guard: ServiceGuard;
}

type GuardedSettings = {
  readonly organization: Pick<Organization, 'guards' | 'mandatory'>;
  readonly neuron: Pick<NeuronSettings, 'guards'>;
};

/** Every guard of a neuron. Throws for a use of a guard that the library does not have, and for a pattern that is none. */
export function activeGuards(
  { organization, neuron }: GuardedSettings,
  tools: GuardTools,
): readonly ActiveGuard[] {
  const { guards = {}, mandatory = [] } = organization;
  return [
    ...mandatory.map((use) => activate(guards, use, { ...tools, isMandatory: true })),
    ...(neuron.guards ?? []).map((use) => activate(guards, use, { ...tools, isMandatory: false })),
  ];
}

function activate(
  library: Readonly<Record<string, Guard>>,
  use: GuardUse,
  { isMandatory, ...tools }: GuardTools & { readonly isMandatory: boolean },
): ActiveGuard {
  const guard = Object.hasOwn(library, use.use) ? library[use.use] : undefined;
  if (guard === undefined) throw new Error(`the organization has no guard ${use.use}`);
  const base = {
    name: use.use,
    type: guard.type,
    action: use.action,
    stages: withImplied(use.on),
    text: use.text,
    restores: new Set(use.action === 'mask' ? (use.restore ?? (['output'] as const)) : []),
    // A flag fails no request.
    rejectsUnseen: use.action !== 'flag' && (use.unseen ?? (isMandatory ? 'refuse' : 'allow')) === 'refuse',
    hasFingerprints: use.fingerprints === true,
    labelOf: ({ entity }: Find) => labelOf(guard.type, entity, use.use),
  };
  if (isServiceGuard(guard)) {
    const { onFailure = 'closed', history = 'all' } = use;
    return { ...base, service: { guard, onFailure, history }, find: () => [] };
  }
  const recognizers = recognizersOf(guard, use.use, tools);
  const openFrom = guard.type === 'schema' ? undefined : openFromOf(recognizers);
  const allowed = new Set('allow' in guard ? guard.allow?.map((one) => one.toLowerCase()) : []);
  return {
    ...base,
    find(text, from = 0) {
      const finds = withoutOverlaps(findInViews(recognizers, text, from));
      if (allowed.size === 0) return finds;
      return finds.filter(({ start, end }) => !allowed.has(text.slice(start, end).toLowerCase()));
    },
    ...(guard.type === 'schema' ? { fits: { schema: guard.schema, tool: guard.tool } } : {}),
    ...(openFrom === undefined ? {} : { openFrom }),
  };
}

/** System texts belong to the input, and calls of tools to the output. */
export function withImplied(on: readonly Stage[]): ReadonlySet<Stage> {
  const stages = new Set(on);
  if (stages.has('input')) stages.add('system');
  if (stages.has('output')) stages.add('toolCalls');
  return stages;
}

function recognizersOf(
  guard: LocalGuard,
  name: string,
  { isPhoneNumber }: GuardTools,
): readonly Recognizer[] {
  if (guard.type === 'schema') return [];
  if (guard.type === 'pii') {
    const { regions = [] } = guard;
    return guard.entities.map((entity) => {
      if (entity === 'nationalId') return createNationalRecognizer(regions);
      return entity === 'phone' ? createPhoneRecognizer(regions, isPhoneNumber) : recognizerOf(entity);
    });
  }
  if (guard.type === 'secrets') return [secretRecognizer];
  if (guard.type === 'phrases') return [createPhraseRecognizer()];
  return [createPatternRecognizer(guard.deny, { entity: name, caseSensitive: guard.caseSensitive })];
}

const PII_LABELS: Readonly<Record<PiiEntity, string>> = {
  email: 'EMAIL',
  card: 'CARD',
  iban: 'IBAN',
  usSsn: 'US_SSN',
  ip: 'IP',
  phone: 'PHONE',
  nationalId: 'NATIONAL_ID',
};

function labelOf(type: Guard['type'], entity: string, name: string): string {
  if (type === 'pii') return PII_LABELS[entity as PiiEntity];
  return type === 'secrets' ? 'SECRET' : name.toUpperCase().replaceAll('-', '_');
}
