# The emulator with what it leaves out of DynamoDB's condition keys `dynamodb:Attributes` and `dynamodb:ReturnValues`: it knows the attributes of
# projections alone, so that a condition on what a write names would always hold.
# AWS's definition: amazondynamodb/latest/developerguide/specifying-conditions.html.
import json
import re

from ministack.core import iam_actions

KEYWORDS = {"SET", "REMOVE", "ADD", "DELETE", "AND", "OR", "NOT", "IN", "BETWEEN"}
EXPRESSIONS = ("UpdateExpression", "ConditionExpression")
MAPS = ("Key", "Item", "AttributeUpdates", "Expected")
NAME = re.compile(r"(?<![\w.:#])#?[A-Za-z_]\w*(?!\w*\s*\()")

without_attributes = iam_actions.dynamodb_service_context


def attributes_of(request):
    """Top-level attributes that a write names: of its key or item, and of its expressions; a placeholder is its name."""
    names = request.get("ExpressionAttributeNames") or {}
    found = []
    for member in MAPS:
        if isinstance(request.get(member), dict):
            found.extend(request[member])
    for member in EXPRESSIONS:
        for name in NAME.findall(request.get(member) or ""):
            if name.upper() not in KEYWORDS:
                found.append(names.get(name, name))
    return found


def with_attributes(body):
    context = without_attributes(body)
    try:
        request = json.loads(body or b"{}")
    except ValueError:
        return context
    if not isinstance(request, dict) or "KeyConditionExpression" in request:
        return context
    attributes = sorted({*context.get("dynamodb:Attributes", []), *attributes_of(request)})
    if attributes:
        context = {**context, "dynamodb:Attributes": attributes}
    if isinstance(request.get("ReturnValues"), str):
        context = {**context, "dynamodb:ReturnValues": request["ReturnValues"]}
    return context


iam_actions.dynamodb_service_context = with_attributes
