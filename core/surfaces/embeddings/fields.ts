// Every field of an embeddings request (OpenAI's published schema, CreateEmbeddingRequest), and what becomes of it here.
import type { FieldTable } from '../parse.ts';

/** `user` names a caller to nobody: a body is written by anyone. */
export const EMBEDDING_FIELDS: FieldTable = {
  fields: {
    input: 'honoured',
    model: 'honoured',
    dimensions: 'honoured',
    encoding_format: 'honoured',
    user: 'leftOut',
  },
  harmless: {},
};
