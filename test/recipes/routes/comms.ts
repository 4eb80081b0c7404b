import { unsubscribeUrl } from '../../../modules/comms/services/unsubscribe-service.ts'
import { api, defineRequests, page } from './request.ts'
import type { World } from './world.ts'

const AT = '/v1/communications'
const TEMPLATE = 'comms.test'
const TEXT = { subject: 'Hello', html: '<p>Hello</p>' }
type Context = Pick<World, 'owner' | 'call' | 'email'>

const message = ({ email }: Pick<World, 'email'>) => ({ templateKey: TEMPLATE, to: email(), data: {} })
const sendMail = async (context: Context): Promise<string> =>
  (await context.call<{ id: string }>(context.owner, 'POST', `${AT}/messages`, message(context))).id
const suppress = async ({ owner, call, email }: Context): Promise<string> =>
  (await call<{ id: string }>(owner, 'POST', `${AT}/suppression`, { email: email() })).id
const tokenOf = ({ owner, secrets }: Pick<World, 'owner' | 'secrets'>, id: string): string =>
  new URL(
    unsubscribeUrl({ secrets, product: { publicUrl: 'http://localhost' } as never }, { tenantId: owner.tenantId, id }),
  ).search

export const comms = defineRequests(
  async world => {
    await world.call(world.owner, 'PUT', `${AT}/templates/${TEMPLATE}`, TEXT)
    const messages: string[] = []
    for (let n = 0; n < 25; n++) messages.push(await sendMail(world))
    const suppressions: string[] = []
    for (let n = 0; n < 25; n++) suppressions.push(await suppress(world))
    return { id: messages[0] as string, sid: suppressions[0] as string }
  },
  {
    'GET /v1/communications/messages': ({ owner }) => api(owner, `${AT}/messages?limit=20`),
    'POST /v1/communications/messages': context => api(context.owner, `${AT}/messages`, message(context)),
    'GET /v1/communications/messages/:id': ({ owner, id }) => api(owner, `${AT}/messages/${id}`),
    'GET /v1/communications/messages/:id/content': ({ owner, id }) => api(owner, `${AT}/messages/${id}/content`),
    'POST /v1/communications/messages/:id/retry': async context => {
      const id = await sendMail(context)
      await context.sql(`update comms_messages set status = 'failed' where id = $1`, [id])
      return api(context.owner, `${AT}/messages/${id}/retry`)
    },
    'GET /v1/communications/templates': ({ owner }) => api(owner, `${AT}/templates`),
    'GET /v1/communications/templates/:key/preview': ({ owner }) => api(owner, `${AT}/templates/${TEMPLATE}/preview`),
    'POST /v1/communications/templates/:key/preview': ({ owner }) =>
      api(owner, `${AT}/templates/${TEMPLATE}/preview`, { data: {} }),
    'GET /v1/communications/templates/:key': ({ owner }) => api(owner, `${AT}/templates/${TEMPLATE}`),
    'PUT /v1/communications/templates/:key': ({ owner }) => api(owner, `${AT}/templates/${TEMPLATE}`, TEXT),
    'DELETE /v1/communications/templates/:key': async ({ register, call }) => {
      const account = await register()
      await call(account, 'PUT', `${AT}/templates/${TEMPLATE}`, TEXT)
      return api(account, `${AT}/templates/${TEMPLATE}`)
    },
    'POST /v1/communications/templates/:key/test': ({ owner, email }) =>
      api(owner, `${AT}/templates/${TEMPLATE}/test`, { to: email() }),
    'GET /v1/communications/suppression': ({ owner }) => api(owner, `${AT}/suppression?limit=20`),
    'POST /v1/communications/suppression': ({ owner, email }) =>
      api(owner, `${AT}/suppression`, { email: email() }, { status: 201 }),
    'POST /v1/communications/suppression/import': ({ owner, email }) =>
      api(owner, `${AT}/suppression/import`, { entries: [{ email: email() }, { email: email() }] }, { status: 200 }),
    'GET /v1/communications/suppression/:id': ({ owner, sid }) => api(owner, `${AT}/suppression/${sid}`),
    'DELETE /v1/communications/suppression/:id': async context =>
      api(context.owner, `${AT}/suppression/${await suppress(context)}`),
    'GET /v1/communications/admin/messages': ({ operator }) => api(operator, `${AT}/admin/messages?limit=20`),
    'GET /v1/communications/admin/messages/:id': ({ operator, id }) => api(operator, `${AT}/admin/messages/${id}`),
    'POST /v1/communications/admin/messages/:id/resend': async context => {
      const id = await sendMail(context)
      await context.sql(`update comms_messages set status = 'failed' where id = $1`, [id])
      return api(context.operator, `${AT}/admin/messages/${id}/resend`, { reason: 'test' })
    },
    'GET /v1/communications/mailbox': ({ operator }) => api(operator, `${AT}/mailbox?limit=20`),
    'GET /v1/communications/mailbox/:id': async ({ operator, call }) => {
      const { data } = await call<{ data: { id: string }[] }>(operator, 'GET', `${AT}/mailbox?limit=1`)
      return api(operator, `${AT}/mailbox/${data[0]?.id}`)
    },
    'POST /v1/communications/unsubscribe': context => ({
      path: `${AT}/unsubscribe${tokenOf(context, context.id)}`,
      status: 200,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    }),
    'POST /v1/communications/intake/:provider': ({ id, signSendGrid }, n) => {
      const event = { event: 'delivered', sg_event_id: `event-${process.pid}-${n}`, email: 'ada@example.test' }
      const events = [{ ...event, timestamp: Math.floor(Date.now() / 1000), larder_message: id }]
      return api(undefined, `${AT}/intake/sendgrid`, events, {
        headers: signSendGrid(JSON.stringify(events)),
        status: 200,
      })
    },
    'GET /mailbox': ({ operator }) => page(operator, '/mailbox'),
    'GET /mailbox/:id': async ({ operator, call }) => {
      const { data } = await call<{ data: { id: string }[] }>(operator, 'GET', `${AT}/mailbox?limit=1`)
      return page(operator, `/mailbox/${data[0]?.id}`)
    },
    'GET /v1/communications/unsubscribe': context =>
      page(undefined, `${AT}/unsubscribe${tokenOf(context, context.id)}`),
  },
)
