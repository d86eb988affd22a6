// The memory of the questions of one request: what was asked, what came of it, and what is still under way.
import type { LoggedGuard, LoggedModelCall } from '../../contract/log-entry.ts';
import { type Block, firstByName, strictest } from '../block.ts';
import { locate } from '../find-counts.ts';
import type { InspectPlace } from '../inspect-conversation.ts';
import type { Placeholders } from '../placeholders.ts';
import { ask, NOTHING } from './ask.ts';
import { type ReservedQuestion, reserveQuestion, type ServicePorts } from './question.ts';
import {
  type PlacedQuestion,
  type PlacedTexts,
  readReplies,
  replayCuts,
  toLogged,
  type Verdicts,
} from './verdicts.ts';

interface Answered {
  readonly blocked: Block | undefined;
  readonly replay: InspectPlace;
  readonly cuts: Verdicts['cuts'];
}

export function createAsking(placeholders: Placeholders, ports: ServicePorts) {
  const asked: { readonly question: ReservedQuestion & PlacedQuestion; logged: LoggedGuard }[] = [];
  const unreserved: LoggedGuard[] = [];
  const flagging: Promise<unknown>[] = [];

  /** A flag fails no request. */
  async function reserve(questions: readonly PlacedQuestion[]) {
    const onFlag = (question: PlacedQuestion) => unreserved.push(toLogged(question, UNRESERVED));
    const held = await reserveEach(questions, ports, onFlag);
    const reserved = held.map((question) => ({ question, logged: toLogged(question, UNFINISHED) }));
    asked.push(...reserved);
    return reserved;
  }

  async function answer(one: (typeof asked)[number]) {
    const reply = await ask(one.question, ports);
    one.logged = toLogged(one.question, reply);
    return { question: one.question, reply };
  }

  return {
    async askAll(questions: readonly PlacedQuestion[], placed: readonly PlacedTexts[]): Promise<Answered> {
      const reserved = await reserve(questions);
      if (reserved.length > 0) ports.onCalls();
      const isFlag = ({ question }: (typeof reserved)[number]) => question.guard.action === 'flag';
      flagging.push(...reserved.filter(isFlag).map(answer));
      const replies = await Promise.all(reserved.filter((one) => !isFlag(one)).map(answer));
      const { blocks, cuts } = readReplies(replies, placeholders);
      const first = strictest(blocks.map(({ guard: { name, text }, ...at }) => ({ name, text, ...at })));
      const place = first && placeOf(first, placed);
      const failed = firstByName(
        replies.flatMap(({ question, reply }) => {
          const error = reply.failure?.error;
          return error === undefined ? [] : [{ name: question.guard.name, error }];
        }),
      );
      // A block is a verdict, whatever the others could not say.
      if (first === undefined && failed !== undefined) throw failed.error;
      return {
        blocked: first === undefined || place === undefined ? undefined : { text: first.text, place },
        replay: replayCuts(placed, cuts, placeholders),
        cuts,
      };
    },
    calls: (): readonly LoggedModelCall[] => asked.map(({ question }) => question.record),
    found: (): readonly LoggedGuard[] => [...asked.map(({ logged }) => logged), ...unreserved],
    ended: async () => void (await Promise.all(flagging)),
  };
}

/** One after the other. Throws where one has no room: then nobody is asked, and what the others could have cost is not spent. */
async function reserveEach(
  questions: readonly PlacedQuestion[],
  ports: ServicePorts,
  onFlag: (question: PlacedQuestion) => void,
): Promise<readonly (ReservedQuestion & PlacedQuestion)[]> {
  const reserved: (ReservedQuestion & PlacedQuestion)[] = [];
  for (const question of questions) {
    try {
      reserved.push({ ...(await reserveQuestion(question, ports)), texts: question.texts });
    } catch (thrown) {
      if (question.guard.action === 'flag') {
        onFlag(question);
        continue;
      }
      for (const { reservation } of reserved) reservation.settle(NOTHING);
      throw thrown;
    }
  }
  return reserved;
}

function placeOf({ at, from }: { at: number; from: number }, placed: readonly PlacedTexts[]) {
  const found = placed[at];
  return found && locate(found.place, found.texts, from);
}

const UNFINISHED = {
  finds: [],
  unnamed: [],
  failure: { notJudged: 'unfinished', error: undefined },
  ms: 0,
} as const;

const UNRESERVED = { ...UNFINISHED, failure: { notJudged: 'limits', error: undefined } } as const;
