"""Evaluates flags with OpenFeature. Arguments: the base URL, a token."""

import json
import sys

from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext

url, token = sys.argv[1:]
api.set_provider(OFREPProvider(url, headers_factory=lambda: {"Authorization": f"Bearer {token}"}))
client = api.get_client()
results = []
for country in ["DE", "FR"]:
    context = EvaluationContext("user-7", {"country": country})
    for details in [
        client.get_boolean_details("plain", False, context),
        client.get_boolean_details("off", False, context),
        client.get_string_details("theme", "none", context),
        client.get_float_details("share", -1.0, context),
        client.get_integer_details("count", -1, context),
        client.get_object_details("layout", {}, context),
        client.get_boolean_details("missing", False, context),
    ]:
        results.append([details.flag_key, details.value, details.variant])
print(json.dumps(results))
