// Reads parts of messages in the shape of OpenAI's Chat Completions: texts, images and files.

import { bytesOf, isBase64 } from './base64.ts';
import type { ContentPart, DocumentPart } from './conversation.ts';
import { IMAGE } from './parse-image.ts';
import {
  anything,
  choice,
  filledText,
  invalidAt,
  list,
  mapped,
  openObject,
  optional,
  type Reader,
  TEXT,
  variants,
} from './reader.ts';

/** The size that every provider takes (Amazon Bedrock, DocumentBlock: 4.5 MB). */
const MAX_DOCUMENT_BYTES = 4_500_000;

const MAX_NAME_LENGTH = 255;

/** As a data URL (RFC 2397), or the base64 alone, which some clients send. */
const DATA_URL = /^data:application\/pdf;base64,/i;

/** `%PDF-` in base64 (ISO 32000-1, section 7.5.2). */
const SIGNATURE = 'JVBERi0';

const DATA: Reader<string> = {
  schema: {
    type: 'string',
    pattern: '^(?:data:application/pdf;base64,)?JVBERi0',
    description: `A PDF document of at most ${MAX_DOCUMENT_BYTES} bytes as a data URL.`,
  },
  read(located) {
    const { path } = located;
    const text = TEXT.read(located);
    const start = DATA_URL.exec(text)?.[0].length ?? 0;
    const data = start === 0 ? text : text.slice(start);
    if (!data.startsWith(SIGNATURE)) {
      throw invalidAt(path, 'must be a PDF document as a data URL: data:application/pdf;base64,…');
    }
    if (!isBase64(data)) throw invalidAt(path, 'must hold base64 with its padding');
    if (bytesOf(data) > MAX_DOCUMENT_BYTES) {
      throw invalidAt(path, `must be a document of at most ${MAX_DOCUMENT_BYTES} bytes`);
    }
    return data;
  },
};

const FILE = openObject({
  file_data: optional(DATA),
  filename: optional(filledText(MAX_NAME_LENGTH)),
  file_id: optional(
    anything({ type: 'null', description: 'Not supported: nothing is kept that it could name.' }),
  ),
});

/** `{ file_data, filename? }`. */
const DOCUMENT: Reader<DocumentPart> = mapped(
  FILE,
  ({ file_data: data, filename: name, file_id: id }, { path }) => {
    if (id !== undefined) {
      throw invalidAt(`${path}.file_id`, 'is not supported: send the file itself as file_data');
    }
    if (data === undefined) throw invalidAt(`${path}.file_data`, 'is missing');
    return { type: 'document', mediaType: 'application/pdf', data, ...(name === undefined ? {} : { name }) };
  },
);

/** The most that one message has. */
export const MAX_PARTS = 100;

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
