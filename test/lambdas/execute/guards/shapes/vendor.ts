// What the forms of vendors have in common: a value at each place of an answer that can hold a text.
import { exactNumber } from '../../../../../core/text/exact-json.ts';
import type { Told } from '../function.ts';
import { LONG_CARD, MAIL, SSN, TOKEN } from './call.ts';

/** Where a value comes to that no guard looks for: with the answer, in the log alone, or nowhere, since nothing reads it. */
export type Reach = 'answer' | 'log' | 'nowhere';

export interface Shape {
  readonly told: Told;
  readonly reach: Reach;
  /** The answer is an error of the provider. */
  readonly fails?: true;
}

export interface Vendor {
  readonly provider: object;
  readonly model: string;
  readonly shapes: Readonly<Record<string, Shape>>;
}

export const KEY = { apiKey: { secret: 'key' } };
export const SENTENCE = `No, ${MAIL} has ${SSN}.`;
export const ARGUMENTS = { to: [MAIL], [SSN]: 1, key: TOKEN, card: exactNumber(LONG_CARD) };
/** A value in two parts. */
export const HALVES = [MAIL.slice(0, 12), MAIL.slice(12)] as const;

export const pieces = (text: string): readonly string[] => text.match(/.{1,3}/gs) ?? [];
export const shape = (reach: Reach, told: Told): Shape => ({ reach, told });
export const failure = (reach: Reach, told: Told): Shape => ({ reach, told, fails: true });
