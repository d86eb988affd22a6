// An item of the log table as plain JSON, exact to the last digit, so that its digest is the same from the stream and from the table.
import type { Json, StoredRecord } from '../../../core/ports/seals.ts';

/** An attribute value of the stream (binary as base64) or of the SDK (binary as bytes). */
export interface AttributeValue {
  readonly S?: string | undefined;
  readonly N?: string | undefined;
  readonly B?: string | Uint8Array | undefined;
  readonly BOOL?: boolean | undefined;
  readonly NULL?: boolean | undefined;
  readonly L?: readonly AttributeValue[] | undefined;
  readonly M?: Readonly<Record<string, AttributeValue>> | undefined;
  readonly SS?: readonly string[] | undefined;
  readonly NS?: readonly string[] | undefined;
  readonly BS?: readonly (string | Uint8Array)[] | undefined;
}

/** The name of an attribute in the table, of the one that its reader gives. */
type NameOf = (name: string) => string;

/** All attributes of an item, its keys included. */
export function toStoredRecord(
  item: Readonly<Record<string, AttributeValue>>,
  nameOf: NameOf = (name) => name,
): StoredRecord {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => [nameOf(name), toJson(value, nameOf)]),
  );
}

function toJson(value: AttributeValue, nameOf: NameOf): Json {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return toNumber(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.B !== undefined) return { $binary: toBase64(value.B) };
  if (value.L !== undefined) return value.L.map((member) => toJson(member, nameOf));
  if (value.M !== undefined) return toMap(value.M, nameOf);
  // Sets have no order: sorting gives equal sets equal text.
  if (value.SS !== undefined) return { $set: [...value.SS].sort(byCodeUnits) };
  if (value.NS !== undefined) return { $numberSet: value.NS.map(normalNumber).sort(byCodeUnits) };
  if (value.BS !== undefined) return { $binarySet: value.BS.map(toBase64).sort(byCodeUnits) };
  return null;
}

/** Names that begin with `$` get another `$`, so that no map looks like one of the types above. */
function toMap(members: Readonly<Record<string, AttributeValue>>, nameOf: NameOf): Json {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name.startsWith('$') ? `$${name}` : nameOf(name),
      toJson(value, nameOf),
    ]),
  );
}

/** A JSON number where a double holds it exactly; DynamoDB keeps 38 digits. */
function toNumber(text: string): Json {
  const number = Number(text);
  return normalNumber(String(number)) === normalNumber(text) ? number : { $number: normalNumber(text) };
}

/** One spelling for equal numbers: the digits without outer zeros, and the exponent of the last one. */
function normalNumber(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  if (digits === '') return '0';
  const trimmed = digits.replace(/0+$/, '');
  const power = Number(exponent) - fraction.length + digits.length - trimmed.length;
  return `${sign === '-' ? '-' : ''}${trimmed}e${power}`;
}

function toBase64(bytes: string | Uint8Array): string {
  return typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('base64');
}

function byCodeUnits(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
