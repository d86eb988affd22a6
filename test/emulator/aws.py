# One call of AWS's own client for Python, which MiniStack brings along: SERVICE OPERATION PARAMETERS-AS-JSON; prints the answer as JSON.
# An error of the service is printed as `{"Error": {"Code", "Message"}}`.
import json
import sys

import botocore.session
from botocore.exceptions import ClientError

service, operation, parameters = sys.argv[1:]
client = botocore.session.get_session().create_client(service)
try:
    answer = getattr(client, operation)(**json.loads(parameters))
    answer.pop("ResponseMetadata", None)
except ClientError as error:
    answer = {"Error": error.response["Error"]}
print(json.dumps(answer, default=str))
