// The values of a version's variables within a request.

/** A value as it is filled in. A list of them, in the order of the declarations, is part of a conversation. */
export interface VariableValue {
  readonly name: string;
  /** As guards leave it. */
  readonly text: string;
  /** One of the operator's own texts, which guards of the input leave alone: a default, a value of `enum`, true or false. */
  readonly isOwn?: true;
  /** Filled in as a JSON string. */
  readonly isQuoted?: true;
}

/** The texts by name, as templates get them. */
export function fillingsOf(values: readonly VariableValue[] = []): ReadonlyMap<string, string> {
  return new Map(values.map(({ name, text, isQuoted }) => [name, isQuoted ? quote(text) : text]));
}

/** A JSON string without any line end of Unicode: JSON lets these three stand as they are. */
function quote(text: string): string {
  return JSON.stringify(text).replace(
    /[\u0085\u2028\u2029]/g,
    (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
