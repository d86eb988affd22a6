// Models of a base URL, as OpenAI's clients read them (platform.openai.com/docs/api-reference/models) and as Anthropic's do
// (platform.claude.com/docs/en/api/models-list).

import { RESPONSE_HEADERS } from '../../contract/headers.ts';
import { ServiceError } from '../../contract/service-error.ts';
import { jsonAnswer } from '../headers.ts';
import type { Answer } from '../surface.ts';
import { requestIdHeaders } from './errors.ts';

export interface ListedModel {
  readonly organization: string;
  readonly neuron: string;
  readonly displayName?: string | undefined;
  readonly executionId: string;
}

/** A name by which a neuron can be called, in the form of the client that asks. */
export interface NamedModel {
  readonly id: string;
  /** For people; the id where the neuron has no name. */
  readonly displayName: string;
}

type ModelForm = 'openai' | 'anthropic';

/** Both forms require a time of making, which is unknown here: a version's time would change with each deployment. */
const UNKNOWN_TIME = { openai: 0, anthropic: '1970-01-01T00:00:00Z' } as const;

function toModel({ id, displayName }: NamedModel, owner: string, form: ModelForm): object {
  return form === 'openai'
    ? { id, object: 'model', created: UNKNOWN_TIME.openai, owned_by: owner }
    : { type: 'model', id, display_name: displayName, created_at: UNKNOWN_TIME.anthropic };
}

/** The models of a base URL, all on one page. */
export function renderModelList(
  models: readonly NamedModel[],
  { organization, executionId }: Pick<ListedModel, 'organization' | 'executionId'>,
  form: ModelForm,
): Answer {
  const data = models.map((model) => toModel(model, organization, form));
  const list = form === 'openai' ? { object: 'list', data } : { data, ...pageOf(models) };
  return answerWith(list, executionId, form);
}

function pageOf(models: readonly NamedModel[]) {
  return { has_more: false, first_id: models[0]?.id ?? null, last_id: models.at(-1)?.id ?? null };
}

/** One model, under the name that the caller asked for. */
export function renderModel(
  model: NamedModel,
  { organization, executionId }: Pick<ListedModel, 'organization' | 'executionId'>,
  form: ModelForm,
): Answer {
  return answerWith(toModel(model, organization, form), executionId, form);
}

function answerWith(body: object, executionId: string, form: ModelForm): Answer {
  const ids =
    form === 'openai'
      ? requestIdHeaders(executionId)
      : { [RESPONSE_HEADERS.executionId]: executionId, [RESPONSE_HEADERS.anthropicRequestId]: executionId };
  return jsonAnswer(ids, body);
}

/** The neuron as the one model of its own base URL: a list of one, or with an id the model. Throws `model_not_found` for every other id. */
export function renderModels(model: ListedModel, id: string | undefined, form: ModelForm = 'openai'): Answer {
  const { organization, neuron, displayName } = model;
  const name = `${organization}/${neuron}`;
  if (id !== undefined && id !== neuron && id !== name) throw new ServiceError('model_not_found');
  const one = { id: id ?? name, displayName: displayName ?? name };
  return id === undefined ? renderModelList([one], model, form) : renderModel(one, model, form);
}
