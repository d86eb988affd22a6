// Binds steps to Middy: keeps the record of each request, and lets a step follow only the one whose result it takes.
import type middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { OpenedRun, PartialRun } from './run.ts';

/** A middleware of the execution function. */
export type Middleware = middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult>;

type Middy = middy.MiddyfiedHandler<APIGatewayProxyEvent, APIGatewayProxyResult>;

// On the event, not in Middy's `internal`: the handler at the end of the chain does not get that. Nor in a `WeakMap`, whose values
// a collection of young objects takes for alive, each with all that it refers to.
const RUN = Symbol('run');

/** An event with the record of its request. */
interface RecordedEvent extends APIGatewayProxyEvent {
  readonly [RUN]?: PartialRun;
}

/** The record as far as it goes; undefined when the chain failed before `openRun`. */
export function runSoFar(event: APIGatewayProxyEvent): PartialRun | undefined {
  return (event as RecordedEvent)[RUN];
}

/** Adds to the record and keeps the rest of it: after an early timeout the handler goes on beside the error path. */
export function keep<Run extends PartialRun>(event: APIGatewayProxyEvent, run: Run): void {
  // Another object each time: who has the record keeps it as it was. Not enumerable: a copy of the event is another request's.
  Object.defineProperty(event, RUN, { value: { ...runSoFar(event), ...run }, configurable: true });
}

/** The rest of a chain whose record has come as far as `Run`. */
interface Chain<Run extends OpenedRun, Ports> {
  /** What a step returns replaces the record. What it throws ends the chain: it never answers itself. */
  step<Later extends OpenedRun>(
    step: (run: Run, ports: Ports) => Later | Promise<Later>,
  ): Chain<Later, Ports>;
  /** For what happens on the way back, too. */
  use(middleware: Middleware): Chain<Run, Ports>;
  /** Runs within Middy's early timeout. Keeps what it came to before it may throw. */
  answer(
    respond: (run: Run, event: APIGatewayProxyEvent, ports: Ports) => Promise<APIGatewayProxyResult>,
  ): Middy;
}

/** Starts a chain with the step that creates the record of a request. */
export function chainOf<Run extends OpenedRun, Ports>(
  handler: Middy,
  ports: Ports,
  open: (event: APIGatewayProxyEvent, ports: Ports) => Run,
): Chain<Run, Ports> {
  return bind(handler, ports, (event) => open(event, ports));
}

/** Binds one step, and goes on with the next. */
function bind<Later extends OpenedRun, Ports>(
  handler: Middy,
  ports: Ports,
  advance: (event: APIGatewayProxyEvent) => Later | Promise<Later>,
): Chain<Later, Ports> {
  handler.before(async ({ event }) => keep(event, await advance(event)));
  return after<Later, Ports>(handler, ports);
}

function after<Run extends OpenedRun, Ports>(handler: Middy, ports: Ports): Chain<Run, Ports> {
  return {
    step: (step) => bind(handler, ports, (event) => step(recordOf<Run>(event), ports)),
    use(middleware) {
      handler.use(middleware);
      return after(handler, ports);
    },
    answer: (respond) => handler.handler(async (event) => respond(recordOf<Run>(event), event, ports)),
  };
}

/** The record is what the step before returned: `Chain` lets no other step come next. */
function recordOf<Run>(event: APIGatewayProxyEvent): Run {
  return runSoFar(event) as Run;
}
