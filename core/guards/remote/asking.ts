// The memory of the questions of one request: what was asked, what came of it, and what is still under way.
import type { LoggedGuard, LoggedModelCall } from '../../contract/log-entry.ts';
import { type Block, firstByName } from '../block.ts';
import { locate } from '../find-counts.ts';
import type { InspectPlace } from '../inspect-conversation.ts';
import type { Placeholders } from '../placeholders.ts';
import { ask } from './ask.ts';
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

  /** Reservations are made one after the other. */
  async function reserve(questions: readonly PlacedQuestion[]) {
    const reserved: (typeof asked)[number][] = [];
    for (const question of questions) {
      try {
        const held = { ...(await reserveQuestion(question, ports)), texts: question.texts };
        reserved.push({ question: held, logged: toLogged(held, UNFINISHED) });
      } catch (thrown) {
        if (question.guard.action !== 'flag') throw thrown;
        // A flag fails no request.
        unreserved.push(
          toLogged(question, { ...UNFINISHED, failure: { notJudged: 'limits', error: undefined } }),
        );
      }
    }
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
      const first = firstByName(blocks.map(({ guard: { name, text }, ...at }) => ({ name, text, ...at })));
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

function placeOf({ at, from }: { at: number; from: number }, placed: readonly PlacedTexts[]) {
  const found = placed[at];
  return found && locate(found.place, found.texts, from);
}

const UNFINISHED = {
  isBlocked: false,
  finds: [],
  failure: { notJudged: 'unfinished', error: undefined },
  ms: 0,
} as const;
