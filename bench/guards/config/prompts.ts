// Prompts of public sets by the place where a guard sees them, with and without an attack; and texts with personal data.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '../../../core/settings/guards/guards-schema.ts';
import { type MarkedText, readBenign, readPresidio, type SetSource, SOURCES } from '../sets.ts';

/** The sets of attacks, which guards in the process are not measured with: none of them finds meaning. */
export const ATTACK_SOURCES = {
  bipia: {
    folder: 'BIPIA',
    url: 'https://github.com/microsoft/BIPIA',
    commit: '1a2a91da6bb12838e05d1b2e54d98e2f37b835f3',
    license: 'MIT',
  },
  purple: {
    folder: 'PurpleLlama',
    url: 'https://github.com/meta-llama/PurpleLlama',
    commit: '4be64c3a24442b51c76175e6ec67722cc3f5fe38',
    license: 'MIT',
  },
} as const satisfies Record<string, SetSource>;

/** A text, and whether its set calls it an attack. */
export interface Prompt {
  readonly text: string;
  readonly isBad: boolean;
}

export interface PromptSet {
  readonly name: string;
  readonly stage: Stage;
  readonly prompts: readonly Prompt[];
}

/** The clones that are missing. */
export function missingPromptSets(sets: string): readonly SetSource[] {
  const needed = [SOURCES.presidio, SOURCES.injecguard, ...Object.values(ATTACK_SOURCES)];
  return needed.filter(({ folder }) => !existsSync(join(sets, folder)));
}

/** `draw` gives a whole number below its argument, and places the attacks of BIPIA. */
export function readPromptSets(sets: string, draw: (below: number) => number): readonly PromptSet[] {
  const valid = readJson(sets, SOURCES.injecguard, 'datasets/valid.json') as readonly {
    readonly prompt: string;
    readonly label: number;
  }[];
  const bad = (text: string): Prompt => ({ text, isBad: true });
  return [
    {
      name: 'InjecGuard valid',
      stage: 'input',
      prompts: valid.map(({ prompt, label }) => ({ text: prompt, isBad: label === 1 })),
    },
    {
      name: 'NotInject and WildGuard, benign',
      stage: 'input',
      prompts: readBenign(sets).map((text) => ({ text, isBad: false })),
    },
    { name: 'CyberSecEval, direct', stage: 'input', prompts: readCyberSecEval(sets, 'direct').map(bad) },
    {
      name: 'CyberSecEval, indirect',
      stage: 'toolResults',
      prompts: readCyberSecEval(sets, 'indirect').map(bad),
    },
    { name: 'BIPIA in mail', stage: 'toolResults', prompts: readBipia(sets, draw) },
  ];
}

function readCyberSecEval(sets: string, type: 'direct' | 'indirect'): readonly string[] {
  const path = 'CybersecurityBenchmarks/datasets/prompt_injection/prompt_injection.json';
  const rows = readJson(sets, ATTACK_SOURCES.purple, path) as readonly {
    readonly injection_type: string;
    readonly user_input: string;
  }[];
  return rows.filter(({ injection_type: one }) => one === type).map(({ user_input: text }) => text);
}

/** Each mail of the test half as it is, and once with each kind of attack in one of its lines. */
function readBipia(sets: string, draw: (below: number) => number): readonly Prompt[] {
  const folder = join(sets, ATTACK_SOURCES.bipia.folder, 'benchmark');
  const mails = readFileSync(join(folder, 'email/test.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { readonly context: string }).context);
  const attacks = Object.values(
    JSON.parse(readFileSync(join(folder, 'text_attack_test.json'), 'utf8')) as Record<string, string[]>,
  );
  return mails.flatMap((mail) => [
    { text: mail, isBad: false },
    ...attacks.map((kind) => ({ text: insert(mail, kind[draw(kind.length)] ?? '', draw), isBad: true })),
  ]);
}

function insert(mail: string, attack: string, draw: (below: number) => number): string {
  const lines = mail.split('\n');
  return lines.toSpliced(draw(lines.length + 1), 0, attack).join('\n');
}

/** Kinds of marks in presidio-research, by the names that guards have for them. */
const MARKS: Readonly<Record<string, readonly string[]>> = {
  PERSON: ['PERSON'],
  NAME: ['PERSON'],
  LOCATION: ['GPE', 'STREET_ADDRESS'],
  ADDRESS: ['STREET_ADDRESS'],
  EMAIL_ADDRESS: ['EMAIL_ADDRESS'],
  EMAIL: ['EMAIL_ADDRESS'],
  email: ['EMAIL_ADDRESS'],
  CREDIT_CARD: ['CREDIT_CARD'],
  CREDIT_DEBIT_CARD_NUMBER: ['CREDIT_CARD'],
  card: ['CREDIT_CARD'],
  IBAN_CODE: ['IBAN_CODE'],
  INTERNATIONAL_BANK_ACCOUNT_NUMBER: ['IBAN_CODE'],
  iban: ['IBAN_CODE'],
  US_SSN: ['US_SSN'],
  US_SOCIAL_SECURITY_NUMBER: ['US_SSN'],
  usSsn: ['US_SSN'],
  IP_ADDRESS: ['IP_ADDRESS'],
  ip: ['IP_ADDRESS'],
  PHONE_NUMBER: ['PHONE_NUMBER'],
  PHONE: ['PHONE_NUMBER'],
  phone: ['PHONE_NUMBER'],
};

/** The kinds that a find of the name may stand for; none for one that the set does not mark. */
export const marksOf = (entity: string): readonly string[] => MARKS[entity] ?? [];

export const readPersonalTexts = (sets: string): readonly MarkedText[] => readPresidio(sets);

function readJson(sets: string, { folder }: SetSource, path: string): unknown {
  return JSON.parse(readFileSync(join(sets, folder, path), 'utf8'));
}
