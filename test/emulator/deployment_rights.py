# The emulator with the rights of a deployment: it makes the resources of a stack without asking IAM. Here each call of AWS that a resource takes
# (deployment_calls.py) is decided by the emulator's own evaluator, for the role that CloudFormation was given, with its permissions boundary.
# AWS: "CloudFormation uses the role that is passed … to make calls on your behalf", and keeps it with the stack (API_CreateChangeSet, RoleARN).
import os
import sys

from deployment_calls import calls_for
from ministack.core import iam_evaluator
from ministack.core.responses import get_account_id, get_region
from ministack.services import iam
from ministack.services.cloudformation import provisioners
from ministack.services.cloudformation.handlers import _ACTION_HANDLERS

CREATE, UPDATE, DELETE = 0, 1, 2
roles = {}


def remembering_role(handler):
    def handle(params):
        passed = {name: params.get(name, [""])[0] for name in ("StackName", "RoleARN")}
        if passed["RoleARN"]:
            # A stack is named by its name or by its ARN.
            roles[passed["StackName"].split("/")[1] if "/" in passed["StackName"] else passed["StackName"]] = passed["RoleARN"]
        return handler(params)

    return handle


def demand(stack_name, kind, resource_type, before, after):
    if stack_name is None:
        raise ValueError(f"no stack of {resource_type}")
    role_arn = roles.get(stack_name)
    if role_arn is None:
        return
    name = role_arn.split("/")[-1]
    account = get_account_id()
    policies = iam_evaluator._gather_role_policies(name, account)
    limits = iam_evaluator._permissions_boundary(iam._roles, name, account)
    for action, passed_to in calls_for(kind, resource_type, before, after):
        context = {} if passed_to is None else {"iam:passedtoservice": passed_to}
        request = iam_evaluator.EvalContext(
            principal_arn=role_arn,
            principal_type="AssumedRole",
            principal_account=account,
            action=action,
            resource_arn="*",
            region=get_region(),
            service_context=context,
        )
        with open(os.environ["NEURON_DEPLOYMENT_CALLS"], "a") as calls:
            calls.write(f"{action}\n")
        if iam_evaluator.evaluate(request, policies, *limits).decision != "Allow":
            raise ValueError(f"User: {role_arn} is not authorized to perform: {action} ({resource_type})")


def provision(resource_type, logical_id, props, stack_name):
    demand(stack_name, CREATE, resource_type, {}, props)
    return original["_provision_resource"](resource_type, logical_id, props, stack_name)


def update(resource_type, physical_id, old_props, new_props, stack_name, logical_id=None, old_attrs=None):
    if old_props != new_props:
        demand(stack_name, UPDATE, resource_type, old_props, new_props)
    return original["_update_resource"](resource_type, physical_id, old_props, new_props, stack_name, logical_id, old_attrs)


def delete(resource_type, physical_id, props, stack_name=None, logical_id=None):
    demand(stack_name, DELETE, resource_type, {}, props)
    return original["_delete_resource"](resource_type, physical_id, props, stack_name, logical_id)


replaced = {"_provision_resource": provision, "_update_resource": update, "_delete_resource": delete}
original = {name: getattr(provisioners, name) for name in replaced}
for module in [each for name, each in sys.modules.items() if name.startswith("ministack.services.cloudformation")]:
    for name, function in replaced.items():
        if getattr(module, name, None) is original[name]:
            setattr(module, name, function)
for action in ("CreateChangeSet", "CreateStack", "UpdateStack", "DeleteStack", "RollbackStack", "ContinueUpdateRollback"):
    _ACTION_HANDLERS[action] = remembering_role(_ACTION_HANDLERS[action])
