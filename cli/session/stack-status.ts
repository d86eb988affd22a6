// What the status of a CloudFormation stack means to an operator: whether there is a service in it, and the way out where there is none.
import { CommandFailure } from '../output/failure.ts';

/** Statuses of a stack without a service: created never, or removed (CloudFormation User Guide, "Stack status codes"). */
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
    remedy: (name) => `Deploy it with \`npx cdk deploy --all\`, or remove it with \`${deleteStack(name)}\`.`,
  },
  DELETE_IN_PROGRESS: { why: 'It is being deleted.', remedy: wait },
  DELETE_FAILED: {
    why: 'It could not be deleted whole.',
    remedy: (name) => `Read why, then delete it again.\n${eventsOf(name)}\n${deleteStack(name)}`,
  },
};

/** False for a stack in which nothing runs. A status that is not known, or not said, is no reason to refuse. */
export function hasService(status: string | undefined): boolean {
  return status === undefined || !Object.hasOwn(WITHOUT_SERVICE, status);
}

/** Throws `CommandFailure`: the status, what it means and the way out. */
export function rejectWithoutService(name: string, status: string | undefined): void {
  const state = status === undefined || hasService(status) ? undefined : WITHOUT_SERVICE[status];
  if (state === undefined) return;
  throw new CommandFailure({
    what: `The stack ${name} is in the status ${status}.`,
    why: state.why,
    remedy: state.remedy(name),
  });
}

/** Throws `CommandFailure` for a stack whose service may run and which cannot be deployed. */
export function rejectStuck(name: string, status: string | undefined): void {
  if (status !== 'UPDATE_ROLLBACK_FAILED' && status !== 'IMPORT_ROLLBACK_FAILED') return;
  throw new CommandFailure({
    what: `The stack ${name} is in the status ${status}.`,
    why: 'A deployment failed and could not be undone. The service may run; nothing can be deployed.',
    remedy: `Find the cause in the events, fix it, and continue.\n${eventsOf(name)}\naws cloudformation continue-update-rollback --stack-name ${name}`,
  });
}

function wait(): string {
  return 'Wait until CloudFormation is done.';
}

function deleteAndDeploy(name: string): string {
  return [
    'Read why, delete the stack and deploy again.',
    eventsOf(name),
    `aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name ${name}`,
    deleteStack(name),
  ].join('\n');
}

function eventsOf(name: string): string {
  return `aws cloudformation describe-stack-events --stack-name ${name}`;
}

function deleteStack(name: string): string {
  return `aws cloudformation delete-stack --stack-name ${name}`;
}
