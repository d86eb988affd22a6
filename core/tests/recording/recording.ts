// The record of one call that a run has made to the outside, by which the same run is made again without it.
import * as z from 'zod/mini';
import { digestOf } from '../../text/canonical-json.ts';

/** The run that a call belongs to. */
export interface RunPlace {
  /** `ORGANIZATION/NEURON` of the tests document. */
  readonly tests: string;
  readonly case: string;
  /** From 1. */
  readonly repetition: number;
}

/** A call to the outside. `request` is JSON but for members that are undefined. */
export interface OutsideCall {
  /** `PROVIDER/MODEL`, `guard:NAME`, or the address of a neuron. */
  readonly target: string;
  readonly request: unknown;
}

export const recordingSchema = z.strictObject({
  /** SHA-256, in hex. */
  key: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  tests: z.string(),
  case: z.string(),
  repetition: z.int().check(z.gte(1)),
  target: z.string(),
  /** Milliseconds that the call took, a day at the most. */
  ms: z.int().check(z.gte(0), z.lte(86_400_000)),
  answer: z.record(z.string(), z.unknown()),
});

export type Recording = z.output<typeof recordingSchema>;

/** Counts up when requests of an equal meaning get another form. */
const FORM = 1;

/** The key of a call: the whole request, its case, its repetition, and how many equal calls came before it in its run. */
export function keyOfCall({ target, request }: OutsideCall, place: RunPlace, before: number): string {
  return digestOf({ form: FORM, target, request, ...place, before });
}

/** Recordings by key. */
export interface RecordingStore {
  find(key: string, place: RunPlace): Recording | undefined;
  /** Never throws. */
  add(recording: Recording): void;
  /** True once a recording could not be kept: no further call is made then, since it would be paid for nothing. */
  isBroken?(): boolean;
}

/** `missing`: makes calls that have no recording. `all`: makes every call anew. `none`: makes none. */
export const RECORD_MODES = ['missing', 'all', 'none'] as const;
export type RecordMode = (typeof RECORD_MODES)[number];
