// The example page: streams from a neuron through the built client and shows the words as they come, then the end: an answer or an error.
import { IncompleteStreamError, NeuronClient, NeuronError, NoAnswerError } from './neuron-client.js';

const element = (id) => document.getElementById(id);
const parameters = new URLSearchParams(location.search);
const api = parameters.get('api') ?? 'http://127.0.0.1:3000';
const issuer = parameters.get('issuer') ?? 'http://127.0.0.1:8081';

let signedIn = false;
let controller;

/** A JWT that lives for a minute: asked for anew before every call, kept nowhere. */
async function fetchToken() {
  if (!signedIn) return undefined;
  const response = await fetch(`${issuer}/token`, { method: 'POST', body: 'alice@example.com' });
  return response.text();
}

// An API key must never be here: whoever opens the page can read it.
const client = new NeuronClient({ baseURL: api, jwtOrApiKey: fetchToken });

async function ask() {
  sendFeedback = undefined;
  showFeedback('');
  controller = new AbortController();
  show({ state: 'asking', badge: 'asking', text: 'Waiting for the neuron …' });
  const [organization, neuron] = element('neuron').value.split('/');
  let text = '';
  try {
    const events = client.stream(organization, neuron, {
      input: element('input').value,
      // Any header may be sent: the preflight allows them all.
      headers: { 'X-Page': 'browser-example' },
      signal: controller.signal,
    });
    for await (const event of events) {
      if (event.type === 'delta') {
        text += event.text;
        show({ state: 'writing', badge: 'writing', text });
      } else if (event.type === 'result') showResult(event.result);
    }
  } catch (error) {
    showError(error, text);
  }
}

/** Sends feedback on the answer that is shown; undefined where its neuron takes none. */
let sendFeedback;

function showResult({ output, fromCache, executionStopped, feedback }) {
  const facts = { 'from cache': fromCache ? 'yes' : 'no', stopped: executionStopped ? 'yes' : 'no' };
  show({ state: 'answered', badge: '200', kind: 'answer', text: output ?? '', facts });
  sendFeedback = feedback;
  showFeedback('Was this helpful?');
}

/** `chosen` is the id of the button that was pressed. */
function showFeedback(text, chosen) {
  element('feedback').hidden = sendFeedback === undefined;
  element('asked').textContent = text;
  for (const id of ['helpful', 'not-helpful']) {
    element(id).disabled = chosen !== undefined;
    element(id).setAttribute('aria-pressed', String(id === chosen));
  }
}

/** The first value of an answer counts: a second one is refused. After another error the buttons can be pressed again. */
async function rate(chosen) {
  const sent = sendFeedback;
  showFeedback('Sending …', chosen);
  try {
    await sent('helpful', chosen === 'helpful');
    if (sent === sendFeedback) showFeedback('Thank you.', chosen);
  } catch (error) {
    if (sent !== sendFeedback) return;
    const isFinal = error.code === 'feedback_exists' || error.code === 'feedback_too_late';
    showFeedback(error.error ?? error.message, isFinal ? chosen : undefined);
  }
}

/** `before` is what came of an answer that did not end: no answer, and shown as none. */
function showError(error, before) {
  const came = before === '' ? {} : { 'came before': before };
  if (error instanceof NeuronError) {
    const mayWait = error.retryAfter !== undefined;
    show({
      state: mayWait ? 'later' : 'refused',
      badge: String(error.statusCode),
      kind: `${error.name} · ${error.code}`,
      text: error.error,
      facts: {
        ...(mayWait ? { 'try again in': `${error.retryAfter} s` } : {}),
        'execution id': error.executionId,
        ...came,
      },
    });
  } else if (error instanceof NoAnswerError) {
    show({ state: 'ended', badge: error.reason, kind: error.name, text: error.message, facts: came });
  } else if (error instanceof IncompleteStreamError) {
    show({ state: 'refused', badge: 'cut', kind: error.name, text: error.message, facts: came });
  } else {
    show({ state: 'refused', badge: 'error', kind: error.name, text: error.message });
  }
}

function show({ state, badge, kind = '', text, facts = {} }) {
  element('result').dataset.state = state;
  element('badge').textContent = badge;
  element('kind').textContent = kind;
  element('text').textContent = text;
  element('facts').replaceChildren(...Object.entries(facts).flatMap(toTerm));
  element('stop').disabled = state !== 'asking' && state !== 'writing';
}

function toTerm([name, value]) {
  const term = document.createElement('dt');
  const detail = document.createElement('dd');
  term.textContent = name;
  detail.textContent = value;
  return [term, detail];
}

function sign(isIn) {
  signedIn = isIn;
  element('user').textContent = isIn ? 'alice@example.com' : 'nobody';
  element('sign-in').disabled = isIn;
  element('sign-out').disabled = !isIn;
}

element('api').textContent = api;
element('origin').textContent = location.origin;
element('neuron').value = parameters.get('neuron') ?? 'acme/members';
element('sign-in').addEventListener('click', () => sign(true));
element('sign-out').addEventListener('click', () => sign(false));
element('stop').addEventListener('click', () => controller.abort());
element('helpful').addEventListener('click', () => void rate('helpful'));
element('not-helpful').addEventListener('click', () => void rate('not-helpful'));
element('ask').addEventListener('submit', (event) => {
  event.preventDefault();
  void ask();
});
