// Explains the status of a CloudFormation stack: whether a service runs in it, and else how to get one.
import { CommandFailure } from '../output/failure.ts';

/** Statuses of a stack that was never created or is removed (CloudFormation User Guide, "Stack status codes"). */
const WITHOUT_SERVICE: Readonly<
  Record<string, { readonly why: string; readonly remedy: (name: string) => string }>
> = {
  CREATE_IN_PROGRESS: { why: 'It is being created.', remedy: wait },
  CREATE_FAILED: { why: 'Its first deployment failed.', remedy: deleteAndDeploy },
  ROLLBACK_IN_PROGRESS: { why: 'Its first deployment failed and is being undone.', remedy: wait },
  ROLLBACK_COMPLETE: { why: 'Its first deployment failed and was undone.', remedy: deleteAndDeploy },
  ROLLBACK_FAILED: { why: 'Its first deployment failed and could not be undone.', remedy: deleteAndDeploy },
  REVIEW_IN_PROGRESS: {
    why: 'A change set was made for it and never executed.',
    remedy: (name) =>
      `Deploy it with \`npx cdk deploy --all\`, or remove it with \`${deleteCommand(name)}\`.`,
  },
  DELETE_IN_PROGRESS: { why: 'It is being deleted.', remedy: wait },
  DELETE_FAILED: {
    why: 'It could not be deleted whole.',
    remedy: (name) => `Read why, then delete it again.\n${eventsCommand(name)}\n${deleteCommand(name)}`,
  },
};

/** True also for an unknown status. */
export function hasService(status: string | undefined): boolean {
  return status === undefined || !Object.hasOwn(WITHOUT_SERVICE, status);
}

/** Throws `CommandFailure` for a stack in which no service runs. */
export function rejectWithoutService(name: string, status: string | undefined): void {
  const state = status === undefined || hasService(status) ? undefined : WITHOUT_SERVICE[status];
  if (state === undefined) return;
  throw new CommandFailure({
    what: `The stack ${name} is in the status ${status}.`,
    why: state.why,
    remedy: state.remedy(name),
  });
}

/** Throws `CommandFailure` for a stack whose service may run but which cannot be deployed. */
export function rejectStuck(name: string, status: string | undefined): void {
  if (status !== 'UPDATE_ROLLBACK_FAILED' && status !== 'IMPORT_ROLLBACK_FAILED') return;
  throw new CommandFailure({
    what: `The stack ${name} is in the status ${status}.`,
    why: 'A deployment failed and could not be undone. The service may run; nothing can be deployed.',
    remedy: `Find the cause in the events, fix it, and continue.\n${eventsCommand(name)}\naws cloudformation continue-update-rollback --stack-name ${name}`,
  });
}

function wait(): string {
  return 'Wait until CloudFormation is done.';
}

function deleteAndDeploy(name: string): string {
  return [
    'Read why, delete the stack and deploy again.',
    eventsCommand(name),
    `aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name ${name}`,
    deleteCommand(name),
  ].join('\n');
}

function eventsCommand(name: string): string {
  return `aws cloudformation describe-stack-events --stack-name ${name}`;
}

function deleteCommand(name: string): string {
  return `aws cloudformation delete-stack --stack-name ${name}`;
}
