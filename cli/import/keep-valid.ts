// Leaves out of imported settings what is not valid here, with the reason that `neuron validate` would give.
import { validateDocuments } from '../../core/admin/validate/documents.ts';
import { type Path, renderPath } from '../../core/settings/path.ts';
import type { ImportedSettings, ImportNote } from './write-imported.ts';

type Json = Record<string, unknown>;

/** Each round leaves something out, and a file of another gateway has thousands of members at most. */
const MAX_ROUNDS = 5_000;
/** A budget is kept though it needs prices that the file does not have: the operator adds them, or takes it out. */
const LACKS_PRICE = /, which has no price, /;
/** That of any stage. */
const MAX_DEADLINE_MS = 240_000;

/** Addresses of this machine stay: they are valid in the local run. Throws where the name of the organization is not valid. */
export function keepValid(settings: ImportedSettings): ImportedSettings {
  const organization = structuredClone(settings.organization) as Json;
  const neurons = structuredClone(settings.neurons) as Json[];
  const notes: ImportNote[] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const error = findError(organization, neurons);
    if (error === undefined)
      return {
        organization,
        neurons,
        notes: [...settings.notes, ...notes],
        secrets: secretsOf(organization, settings.secrets),
      };
    const { index, path, message } = error;
    const document = index === 0 ? organization : neurons[index - 1];
    const subject = index === 0 ? 'organization' : `neuron ${String(document?.['neuron'])}`;
    const place = index === 0 ? placeInOrganization(path) : placeInNeuron(path);
    notes.push({
      path: [subject, renderPath(place)].filter((part) => part !== '').join(': '),
      text: message,
    });
    const isLeftOut = document !== undefined && leaveOut(document, place);
    if (!isLeftOut) neurons.splice(index - 1, 1);
  }
  throw new Error('settings of another gateway do not become valid');
}

function findError(organization: Json, neurons: readonly Json[]) {
  const documents = [organization, ...neurons].map((value, index) => ({
    value,
    locate: () => ({ file: String(index).padStart(6, '0'), line: 1, column: 1 }),
  }));
  const { diagnostics } = validateDocuments(documents, {
    addresses: { allowLoopback: true },
    maxDeadlineMs: MAX_DEADLINE_MS,
    transferMode: 'STREAM',
    stored: undefined,
    complete: true,
  });
  const error = diagnostics.find(
    ({ severity, message }) => severity === 'error' && !LACKS_PRICE.test(message),
  );
  return error === undefined ? undefined : { ...error, index: Number(error.file) };
}

/** A header or a query parameter by itself, else the whole provider, price or limit. */
function placeInOrganization(path: Path): Path {
  const [member, , inner] = path;
  if (member === 'organization' || member === undefined)
    throw new Error('the organization of an import is valid before');
  return member === 'providers' && (inner === 'headers' || inner === 'query')
    ? path.slice(0, 4)
    : path.slice(0, 2);
}

/** A name, a limit, a target, a fallback or a member of the step by itself. Empty: the neuron cannot be without it. */
function placeInNeuron(path: Path): Path {
  const [member, index, step, part] = path;
  if (member === 'models' || member === 'rateLimits') return index === undefined ? [member] : [member, index];
  if (member === 'flow') {
    const isOne = part === 'targets' || part === 'fallbacks';
    if (isOne) return path.slice(0, 5);
    const isNeeded = part === undefined || part === 'provider' || part === 'model';
    return isNeeded || index === undefined || step === undefined ? [] : [member, index, step, part];
  }
  return member === undefined || member === 'neuron' || member === 'access' ? [] : [member];
}

/** False where there is nothing to leave out. */
function leaveOut(document: Json, path: Path): boolean {
  const outer = path.slice(0, -1).reduce<unknown>((value, part) => (value as Json)[part], document) as Json;
  const last = path.at(-1);
  if (last === undefined || !Object.hasOwn(outer, last)) return false;
  if (!Array.isArray(outer)) return delete outer[last];
  outer.splice(Number(last), 1);
  // A list of nothing is not valid.
  return outer.length > 0 || leaveOut(document, path.slice(0, -1));
}

function secretsOf(organization: Json, secrets: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const named = JSON.stringify(organization['providers']);
  return new Map([...secrets].filter(([name]) => named.includes(JSON.stringify(name))));
}
