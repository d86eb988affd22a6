// Mapping templates of an answer, by media type.

import { parseTemplate, type Variables } from './substitution.ts';

/** Name and value, in the order in which they are sent. */
export type HeaderList = [string, string][];

type Template = (variables: Variables) => string;

/** By media type, in the order of the CloudFormation template. */
export type Templates = ReadonlyMap<string, Template>;

export function parseTemplates(texts: Readonly<Record<string, string>>): Templates {
  return new Map(Object.entries(texts).map(([type, text]) => [type, parseTemplate(text)]));
}

/** The template of the Accept header, else the JSON one, else the first. */
export function chooseTemplate(
  templates: Templates | undefined,
  accept: string | undefined,
): readonly [type: string, template: Template | undefined] {
  const [first] = templates ?? [];
  for (const type of [mediaTypeOf(accept), 'application/json']) {
    const template = templates?.get(type);
    if (template !== undefined) return [type, template];
  }
  return first ?? ['application/json', undefined];
}

/** The first media type of a header, without parameters; empty where there is none. */
export function mediaTypeOf(header: string | undefined): string {
  return header?.split(',', 1)[0]?.split(';', 1)[0]?.trim() ?? '';
}

/** Adds a content type where there is none; AWS: "By default, the content type is application/json." */
export function withContentType(headers: HeaderList, type = 'application/json'): HeaderList {
  if (!headers.some(([name]) => name.toLowerCase() === 'content-type')) headers.push(['Content-Type', type]);
  return headers;
}
