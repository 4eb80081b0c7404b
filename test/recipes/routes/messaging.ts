import { api, defineRequests, form, page } from './request.ts'
import type { Account, World } from './world.ts'

const AT = '/v1/messaging/conversations'
const INBOX = '/v1/messaging/inbox'
const REPLIES = '/v1/messaging/saved-replies'
type Context = Pick<World, 'owner' | 'member' | 'call'>

const create = async ({ owner, member, call }: Context): Promise<string> =>
  (await call<{ id: string }>(owner, 'POST', AT, { subject: 'Hello', participantIds: [member.userId] })).id
const ask = async ({ member, call }: Context): Promise<string> =>
  (await call<{ id: string }>(member, 'POST', AT, { kind: 'support', subject: 'Help', participantIds: [] })).id
const REPLY = { title: 'Hello', body: 'Hello {name}' }
const saveReply = async ({ call }: Context, account: Account): Promise<string> =>
  (await call<{ id: string }>(account, 'POST', REPLIES, REPLY)).id
const post = async ({ owner, call }: Context, id: string): Promise<string> =>
  (await call<{ id: string }>(owner, 'POST', `${AT}/${id}/messages`, { body: 'Hello' })).id

export const messaging = defineRequests(
  async world => {
    const ids: string[] = []
    for (let n = 0; n < 20; n++) ids.push(await create(world))
    const id = ids[0] as string
    const messages: string[] = []
    for (let n = 0; n < 25; n++) messages.push(await post(world, id))
    for (const other of ids.slice(2)) await post(world, other)
    const asked = await ask(world)
    for (let n = 0; n < 20; n++) await world.call(world.member, 'POST', `${AT}/${asked}/messages`, { body: 'Hello' })
    for (let n = 0; n < 19; n++) await ask(world)
    const reply = await saveReply(world, world.owner)
    const other = await world.register()
    return { id, mid: messages[0] as string, busy: ids[1] as string, asked, reply, other }
  },
  {
    'GET /v1/messaging/conversations': ({ owner }) => api(owner, `${AT}?limit=20`),
    'POST /v1/messaging/conversations': ({ owner, member }) =>
      api(owner, AT, { subject: 'Hello', participantIds: [member.userId] }),
    'GET /v1/messaging/conversations/:id': ({ owner, id }) => api(owner, `${AT}/${id}`),
    'PATCH /v1/messaging/conversations/:id': ({ owner, id }, n) => api(owner, `${AT}/${id}`, { subject: `Hello ${n}` }),
    'GET /v1/messaging/unread': ({ member }) => api(member, '/v1/messaging/unread'),
    'GET /v1/messaging/conversations/:id/participants': ({ owner, id }) => api(owner, `${AT}/${id}/participants`),
    'POST /v1/messaging/conversations/:id/participants': async ({ owner, member, call }) => {
      const { id } = await call<{ id: string }>(owner, 'POST', AT, { participantIds: [] })
      return api(owner, `${AT}/${id}/participants`, { userId: member.userId }, { status: 201 })
    },
    'DELETE /v1/messaging/conversations/:id/participants/:userId': async context =>
      api(context.owner, `${AT}/${await create(context)}/participants/${context.member.userId}`),
    'GET /v1/messaging/conversations/:id/messages': ({ owner, id }) => api(owner, `${AT}/${id}/messages?limit=20`),
    'POST /v1/messaging/conversations/:id/messages': ({ owner, busy }) =>
      api(owner, `${AT}/${busy}/messages`, { body: 'Hello' }, { status: 201 }),
    'GET /v1/messaging/conversations/:id/messages/:mid': ({ owner, id, mid }) =>
      api(owner, `${AT}/${id}/messages/${mid}`),
    'PATCH /v1/messaging/conversations/:id/messages/:mid': ({ owner, id, mid }, n) =>
      api(owner, `${AT}/${id}/messages/${mid}`, { body: `Hello ${n}` }),
    'DELETE /v1/messaging/conversations/:id/messages/:mid': async context =>
      api(context.owner, `${AT}/${context.busy}/messages/${await post(context, context.busy)}`),
    'PUT /v1/messaging/conversations/:id/read': ({ member, id }, n) =>
      api(member, `${AT}/${id}/read`, { seq: 1 + (n % 20), unread: n % 2 === 0 }),
    'GET /v1/messaging/inbox': ({ operator }) => api(operator, `${INBOX}?limit=20`),
    'GET /v1/messaging/inbox/assignees': ({ operator }) => api(operator, `${INBOX}/assignees`),
    'GET /v1/messaging/inbox/:id': ({ operator, asked }) => api(operator, `${INBOX}/${asked}`),
    'PATCH /v1/messaging/inbox/:id': ({ operator, asked }, n) =>
      api(operator, `${INBOX}/${asked}`, { subject: `Help ${n}` }),
    'GET /v1/messaging/inbox/:id/messages': ({ operator, asked }) =>
      api(operator, `${INBOX}/${asked}/messages?limit=20`),
    'GET /v1/messaging/inbox/:id/attachments/:mediaId': ({ operator, asked }) =>
      api(operator, `${INBOX}/${asked}/attachments/med_none`, undefined, { status: 404 }),
    'POST /v1/messaging/inbox/:id/messages': ({ operator, asked }) =>
      api(operator, `${INBOX}/${asked}/messages`, { body: 'Hello' }, { status: 201 }),
    'GET /v1/messaging/saved-replies': ({ owner }) => api(owner, `${REPLIES}?limit=20`),
    // A workspace can have 1,000, so they are few.
    'POST /v1/messaging/saved-replies': async ({ owner }) => api(owner, REPLIES, REPLY),
    'GET /v1/messaging/saved-replies/:id': ({ owner, reply }) => api(owner, `${REPLIES}/${reply}`),
    'PATCH /v1/messaging/saved-replies/:id': ({ owner, reply }, n) =>
      api(owner, `${REPLIES}/${reply}`, { title: `Hello ${n}` }),
    'DELETE /v1/messaging/saved-replies/:id': async context =>
      api(context.other, `${REPLIES}/${await saveReply(context, context.other)}`),
    'GET /messages/support': ({ owner }) => page(owner, '/messages/support'),
    'POST /messages/support': ({ owner }) => form(owner, '/messages/support', { subject: 'Help', body: 'Hello' }),
    'GET /messages': ({ owner }) => page(owner, '/messages'),
    'GET /messages/new': ({ owner }) => page(owner, '/messages/new'),
    'POST /messages/new': ({ owner, member }) =>
      form(owner, '/messages/new', { [`to:${member.userId}`]: 'on', subject: 'Hello', body: 'Hello' }),
    'GET /messages/:id': ({ owner, id }) => page(owner, `/messages/${id}`),
    'POST /messages/:id': ({ owner, busy }) => form(owner, `/messages/${busy}`, { body: 'Hello' }),
  },
)
