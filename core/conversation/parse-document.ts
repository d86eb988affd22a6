// Reads a file of a message: the data of a PDF document. Nothing is fetched, and no file is kept here that an id could name.
import { bytesOf, isBase64 } from './base64.ts';
import type { DocumentPart } from './conversation.ts';
import {
  anything,
  filledText,
  invalidAt,
  mapped,
  openObject,
  optional,
  type Reader,
  TEXT,
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
export const DOCUMENT: Reader<DocumentPart> = mapped(
  FILE,
  ({ file_data: data, filename: name, file_id: id }, { path }) => {
    if (id !== undefined) {
      throw invalidAt(`${path}.file_id`, 'is not supported: send the file itself as file_data');
    }
    if (data === undefined) throw invalidAt(`${path}.file_data`, 'is missing');
    return { type: 'document', mediaType: 'application/pdf', data, ...(name === undefined ? {} : { name }) };
  },
);
