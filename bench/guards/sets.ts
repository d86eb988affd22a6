// Public sets of texts for guards, as clones in one folder; each at the commit at which it was measured.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSamples } from './go-samples.ts';

export interface SetSource {
  readonly folder: string;
  readonly url: string;
  readonly commit: string;
  readonly license: string;
}

export const SOURCES = {
  presidio: {
    folder: 'presidio-research',
    url: 'https://github.com/microsoft/presidio-research',
    commit: '7622dec1e5f7d25dc60b57c28c39f4c4af197018',
    license: 'MIT',
  },
  gitleaks: {
    folder: 'gitleaks',
    url: 'https://github.com/gitleaks/gitleaks',
    commit: 'b58d3f102cf3a2c84cb7f923d05c25c9b1aed84b',
    license: 'MIT',
  },
  secretlint: {
    folder: 'secretlint',
    url: 'https://github.com/secretlint/secretlint',
    commit: '18346ba31b8173d52060b971221ab38c1943def0',
    license: 'MIT',
  },
  injecguard: {
    folder: 'InjecGuard',
    url: 'https://github.com/leolee99/InjecGuard',
    commit: '588f555cbc2d592b3fbc9b6f462d844b8bcddb4d',
    license: 'MIT',
  },
} as const satisfies Record<string, SetSource>;

/** A text with the places that the set marks, by kind. */
export interface MarkedText {
  readonly text: string;
  readonly marks: readonly { readonly kind: string; readonly start: number; readonly end: number }[];
}

/** A text that has a secret, or has none. */
export interface LabelledText {
  readonly text: string;
  readonly isBad: boolean;
  /** The rule of the set that it is about; of a harmless one, the rule that must not find it. */
  readonly rule: string;
}

export function readPresidio(sets: string): readonly MarkedText[] {
  const rows = readJson(join(sets, SOURCES.presidio.folder, 'data/synth_dataset_v2.json')) as readonly {
    readonly full_text: string;
    readonly spans: readonly {
      readonly entity_type: string;
      readonly start_position: number;
      readonly end_position: number;
    }[];
  }[];
  return rows.map(({ full_text: text, spans }) => ({
    text,
    marks: spans.map((one) => ({ kind: one.entity_type, start: one.start_position, end: one.end_position })),
  }));
}

/** Prompts without an attack: NotInject and the benign ones of WildGuard. */
export function readBenign(sets: string): readonly string[] {
  const names = ['NotInject_one', 'NotInject_two', 'NotInject_three', 'wildguard'];
  return names.flatMap((name) => {
    const rows = readJson(join(sets, SOURCES.injecguard.folder, `datasets/${name}.json`));
    return (rows as readonly { readonly prompt: string }[]).map(({ prompt }) => prompt);
  });
}

/** Tests of comments, whose secrets are none. */
const NOT_OF_SECRETS = 'secretlint-rule-filter-comments';

/** Harmless by an option of its test alone: the rules of the set find the secret without it. */
const BY_OPTION = /^ok\.allows$|--enableIDScanRule-false$/;

/** Texts of secretlint's recommended rules: `ng` is bad. Files in binary are no texts. */
export function readSecretlint(sets: string): readonly LabelledText[] {
  const root = join(
    sets,
    SOURCES.secretlint.folder,
    'packages/@secretlint/secretlint-rule-preset-recommend/test/snapshots',
  );
  const rules = readdirSync(root).filter((rule) => rule !== NOT_OF_SECRETS);
  return rules.flatMap((rule) =>
    readdirSync(join(root, rule)).flatMap((name) => {
      const file = readdirSync(join(root, rule, name)).find((one) => one.startsWith('input'));
      if (file === undefined || !/^(?:ng|ok)\./.test(name) || BY_OPTION.test(name)) return [];
      const text = readFileSync(join(root, rule, name, file), 'utf8');
      return text.includes('\u0000') ? [] : [{ text, isBad: name.startsWith('ng.'), rule }];
    }),
  );
}

/** The samples of gitleaks' own rules; `unread` counts lists that are made by code which is not read here. */
export function readGitleaks(sets: string): {
  readonly texts: readonly LabelledText[];
  readonly unread: number;
} {
  const folder = join(sets, SOURCES.gitleaks.folder, 'cmd/generate/config/rules');
  const files = readdirSync(folder).filter((name) => name.endsWith('.go'));
  const samples = files.map((name) => readSamples(readFileSync(join(folder, name), 'utf8')));
  return {
    unread: samples.reduce((sum, { unread }) => sum + unread, 0),
    texts: samples.flatMap(({ rules }) =>
      rules.flatMap(({ rule, secrets, harmless }) => [
        ...secrets.map((text) => ({ text, isBad: true, rule })),
        ...harmless.map((text) => ({ text, isBad: false, rule })),
      ]),
    ),
  };
}

/** The clones that are missing. */
export function missingIn(sets: string): readonly SetSource[] {
  return Object.values(SOURCES).filter(({ folder }) => !existsSync(join(sets, folder)));
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
