"""Ten calls with the client that openapi-python-client generates. Arguments: the URL of the server, an API key."""

import sys
from io import BytesIO

from larder_api_client import AuthenticatedClient
from larder_api_client.api.content import create_page, update_page
from larder_api_client.api.join import join_session
from larder_api_client.api.me import get_me
from larder_api_client.api.media import upload_media_item
from larder_api_client.api.sessions import create_session, end_session, get_session, list_sessions
from larder_api_client.models import (
    CreatePageInput,
    CreateSessionInput,
    CreateSessionInputMode,
    InvalidJoinTokenProblem,
    JoinSessionInput,
    MediaUploadForm,
    PreconditionFailedProblem,
    UpdatePageInput,
    ValidationFailedProblem,
)
from larder_api_client.types import File

url, key = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=key)

assert get_me.sync(client=client).user is not None
created = create_session.sync(client=client, body=CreateSessionInput(mode=CreateSessionInputMode.SCREENSHARE))
assert get_session.sync(created.id, client=client).code == created.code
assert created.id in [session.id for session in list_sessions.sync(client=client).data]
joined = join_session.sync(client=client, body=JoinSessionInput(join_token=created.join_token))
assert joined.id == created.id
refused = join_session.sync(client=client, body=JoinSessionInput(join_token="0" * len(created.join_token)))
assert isinstance(refused, InvalidJoinTokenProblem), refused
assert refused.code == "invalid_join_token"
assert end_session.sync(created.id, client=client).status == "ended"

page = create_page.sync(client=client, body=CreatePageInput(slug="python", title="Python"))
stale = update_page.sync(page.id, client=client, body=UpdatePageInput(title="Snake"), if_match='"0"')
assert isinstance(stale, PreconditionFailedProblem), stale
invalid = create_page.sync(client=client, body=CreatePageInput(slug="Not a slug", title="Python"))
assert isinstance(invalid, ValidationFailedProblem), invalid
assert invalid.errors[0].pointer == "/slug"

upload = MediaUploadForm(file=File(payload=BytesIO(b"%PDF-1.4\n%%EOF\n"), file_name="a.pdf", mime_type="application/pdf"))
item = upload_media_item.sync(client=client, body=upload)
assert item.file_name == "a.pdf"
