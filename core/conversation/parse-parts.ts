// Reads parts of messages in the shape of OpenAI's Chat Completions: texts, images and files.
import type { ContentPart } from './conversation.ts';
import { DOCUMENT } from './parse-document.ts';
import { IMAGE } from './parse-image.ts';
import {
  anything,
  choice,
  invalidAt,
  list,
  mapped,
  openObject,
  optional,
  type Reader,
  TEXT,
  variants,
} from './reader.ts';

const MAX_PARTS = 100;

/** A part of what a user says, or of what a tool gave. */
export const PART: Reader<ContentPart> = variants('type', 'must be a part with a type', {
  text: mapped(
    openObject({ type: choice(['text']), text: TEXT }),
    ({ text }): ContentPart => ({ type: 'text', text }),
  ),
  image_url: mapped(
    openObject({ type: choice(['image_url']), image_url: IMAGE }),
    ({ image_url: image }) => image,
  ),
  file: mapped(openObject({ type: choice(['file']), file: DOCUMENT }), ({ file }) => file),
});
const PARTS = list(PART, 0, MAX_PARTS);

/** A text or parts. */
export const CONTENT: Reader<readonly ContentPart[]> = {
  schema: { oneOf: [TEXT.schema, PARTS.schema] },
  read(located) {
    if (typeof located.value === 'string') return [{ type: 'text', text: TEXT.read(located) }];
    if (!Array.isArray(located.value)) throw invalidAt(located.path, 'must be a text or a list of parts');
    return PARTS.read(located);
  },
};

/** A refusal comes back with answers of OpenAI's own models. */
const TEXT_PARTS = list(
  variants('type', 'must be a part with a type', {
    text: mapped(openObject({ type: choice(['text']), text: TEXT }), ({ text }) => text),
    refusal: mapped(
      openObject({ type: choice(['refusal']), refusal: TEXT, text: optional(anything()) }),
      ({ refusal }) => refusal,
    ),
  }),
  0,
  MAX_PARTS,
);

/** A text, or parts that are one text in pieces. */
export const TEXT_CONTENT: Reader<string> = {
  schema: { oneOf: [TEXT.schema, TEXT_PARTS.schema] },
  read(located) {
    if (typeof located.value === 'string') return TEXT.read(located);
    if (!Array.isArray(located.value))
      throw invalidAt(located.path, 'must be a text or a list of parts of type text');
    return TEXT_PARTS.read(located).join('');
  },
};
