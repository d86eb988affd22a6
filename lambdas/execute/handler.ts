// The execution function: the way of a request, as a list.
import httpCors from '@middy/http-cors';
import { EXECUTION_FIELDS, fromVariables } from '../environment.ts';
import { beginChain, corsOptions } from './chain.ts';
import { compose } from './compose.ts';
import { admit } from './steps/admit.ts';
import { answerErrors } from './steps/answer-errors.ts';
import { findVersion } from './steps/find-version.ts';
import { openRun } from './steps/open-run.ts';
import { readInvocation } from './steps/read-invocation.ts';
import { recordLine } from './steps/record-line.ts';
import { refuseWhileClosed } from './steps/refuse-while-closed.ts';
import { responseCache, startExactRead } from './steps/response-cache.ts';

const environment = fromVariables(EXECUTION_FIELDS, process.env);
const ports = compose(environment);

// Errors go the list up, from the step that threw to the first: an answer is made, the line written, CORS added.
export const handler = beginChain(environment.transferMode, ports)
  .use(httpCors(corsOptions))
  .use(recordLine(ports))
  .use(answerErrors())
  .use(openRun(ports))
  .use(refuseWhileClosed())
  .use(readInvocation())
  .use(findVersion(ports.versions))
  .use(startExactRead(ports))
  .use(admit(ports))
  .use(responseCache(ports));
