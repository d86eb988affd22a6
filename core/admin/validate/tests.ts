// Validates tests documents: by their schema, and by what a schema cannot say.
import { ServiceError } from '../../contract/service-error.ts';
import { parseConversation } from '../../conversation/parse-conversation.ts';
import { compileBounded, PatternError } from '../../flow/pattern.ts';
import type { Path } from '../../settings/path.ts';
import type { Assertion, SingleAssertion } from '../../settings/tests/assertion-schema.ts';
import type { TestCase, TestsDocument } from '../../settings/tests/tests-schema.ts';
import { splitValues } from '../../tests/assertions/comma-values.ts';
import { namesIn } from '../../tests/assertions/fill-in.ts';
import type { JsonObject } from '../../text/json.ts';
import {
  type Diagnostic,
  errorAt,
  locateAll,
  type PartDiagnostic,
  type SourceDocument,
} from '../diagnostic.ts';
import { type ReadTests, readTests } from './read-documents.ts';

/** Documents that may be run, where there is no error. */
interface ValidTests {
  readonly tests: readonly ReadTests[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Tests among the documents; the others are ignored. */
export function validateTests(documents: readonly SourceDocument[]): ValidTests {
  const { whole, errors } = readTests(documents);
  const own = whole.flatMap(({ source, parsed }) => locateAll(source, validateDocument(parsed)));
  return { tests: whole, diagnostics: [...errors, ...own, ...findRepeated(whole)] };
}

function validateDocument(document: TestsDocument): PartDiagnostic[] {
  return document.cases.flatMap((test, at) => {
    const path: Path = ['cases', at];
    return [
      ...validateRequest(test, path),
      ...(test.assert ?? []).flatMap((one, index) =>
        validateAssertion(one, [...path, 'assert', index], { document, test }),
      ),
    ];
  });
}

/** More than any neuron takes: its own limit is that of the run. */
const MAX_BYTES = 16 * 1_048_576;

function validateRequest({ messages }: TestCase, path: Path): PartDiagnostic[] {
  if (messages === undefined) return [];
  try {
    parseConversation({ messages } as JsonObject, MAX_BYTES);
    return [];
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    return [errorAt([...path, 'messages'], `are no conversation: ${thrown.detail ?? thrown.code}`)];
  }
}

interface Context {
  readonly document: TestsDocument;
  readonly test: TestCase;
}

function validateAssertion(one: Assertion, path: Path, context: Context): PartDiagnostic[] {
  if (one.type === 'assert-set')
    return one.assert.flatMap((inner, at) => validateSingle(inner, [...path, 'assert', at], context));
  return validateSingle(one, path, context);
}

function validateSingle(one: SingleAssertion, path: Path, { document, test }: Context): PartDiagnostic[] {
  const unknown = namesIn(one).filter((name) => !Object.hasOwn(test.variables ?? {}, name));
  return [
    ...unknown.map((name) => errorAt([...path, 'value'], `names ${name}, which is no variable of the case`)),
    ...validateType(one, path, document),
  ];
}

function validateType(one: SingleAssertion, path: Path, document: TestsDocument): PartDiagnostic[] {
  switch (one.type) {
    case 'regex':
    case 'not-regex':
      return validatePattern(one.value, [...path, 'value']);
    case 'llm-rubric':
    case 'not-llm-rubric':
      return document.judge === undefined ? [errorAt([...path, 'type'], NO_JUDGE)] : [];
    case 'similar':
    case 'not-similar':
      return document.embeddings === undefined ? [errorAt([...path, 'type'], NO_EMBEDDINGS)] : [];
    case 'contains-any':
    case 'not-contains-any':
    case 'icontains-any':
    case 'not-icontains-any':
    case 'contains-all':
    case 'not-contains-all':
    case 'icontains-all':
    case 'not-icontains-all':
      return validateList(one.value, [...path, 'value']);
    default:
      return [];
  }
}

const NO_JUDGE =
  'asks a judge, and the document names none: add `judge: ORGANIZATION/NEURON`, a neuron that answers { pass, score, reason }';

const NO_EMBEDDINGS =
  'compares vectors, and the document names nothing that makes them: add `embeddings: ORGANIZATION/NEURON`, a neuron with an `embed` step';

function validatePattern(pattern: string, path: Path): PartDiagnostic[] {
  try {
    compileBounded(pattern, true);
    return [];
  } catch (thrown) {
    if (!(thrown instanceof PatternError)) throw thrown;
    return [errorAt(path, thrown.message)];
  }
}

function validateList(value: unknown, path: Path): PartDiagnostic[] {
  if (typeof value !== 'string') return [];
  const list = splitValues(value);
  if (list !== undefined && list.length > 0) return [];
  return [errorAt(path, 'must be texts with commas between them, each quote with its end; or write a list')];
}

/** A case is known by its name: recordings and comparisons hang on it. */
function findRepeated(tests: readonly ReadTests[]): Diagnostic[] {
  const seen = new Map<string, string>();
  return tests.flatMap(({ source, parsed }) =>
    parsed.cases.flatMap(({ name }, at) => {
      const key = JSON.stringify([parsed.tests, name]);
      const before = seen.get(key);
      const { file, line } = source.locate(['cases', at, 'name']);
      if (before === undefined) {
        seen.set(key, `${file}:${line}`);
        return [];
      }
      const message = `is the name of a case of ${parsed.tests} already at ${before}; give each its own`;
      return locateAll(source, [errorAt(['cases', at, 'name'], message)]);
    }),
  );
}
