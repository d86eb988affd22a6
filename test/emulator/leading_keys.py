# The emulator with DynamoDB's condition key `dynamodb:LeadingKeys`, which it leaves out: without it every condition on partitions passes.
# AWS's definition: amazondynamodb/latest/developerguide/specifying-conditions.html.
import json
import re

from ministack.core import iam_actions

PARTITION = "pk"
without_keys = iam_actions.dynamodb_service_context


def text_of(value):
    return value.get("S") if isinstance(value, dict) else None


def keys_of(request):
    """Values of the partition key that a request names: of its key or item, of each item of a batch, of the condition of a query."""
    items = [request.get("Key"), request.get("Item")]
    for table in (request.get("RequestItems") or {}).values():
        if isinstance(table, dict):
            items.extend(table.get("Keys") or [])
    for write in request.get("TransactItems") or []:
        for part in write.values():
            items.extend([part.get("Key"), part.get("Item")])
    found = [text_of(item[PARTITION]) for item in items if isinstance(item, dict) and PARTITION in item]
    condition = re.match(r"\s*\(?\s*[#\w]+\s*=\s*(:\w+)", request.get("KeyConditionExpression") or "")
    if condition:
        found.append(text_of((request.get("ExpressionAttributeValues") or {}).get(condition.group(1))))
    return [key for key in found if key is not None]


def with_keys(body):
    context = without_keys(body)
    try:
        request = json.loads(body or b"{}")
    except ValueError:
        return context
    keys = keys_of(request) if isinstance(request, dict) else []
    return {**context, "dynamodb:LeadingKeys": keys} if keys else context


iam_actions.dynamodb_service_context = with_keys
