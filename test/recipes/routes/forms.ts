import { newId } from '../../../kernel/base/index.ts'
import { api, defineRequests, form, page } from './request.ts'
import type { World } from './world.ts'

const SCHEMA = {
  type: 'object',
  required: ['email'],
  properties: { email: { type: 'string', format: 'email' }, message: { type: 'string', maxLength: 1000 } },
}
const DATA = { email: 'ada@example.test', message: 'Hello' }
const FIELDS = { '/email': DATA.email, '/message': DATA.message }
const create = async ({ owner, call }: Pick<World, 'owner' | 'call'>): Promise<string> =>
  (await call<{ id: string }>(owner, 'POST', '/v1/forms', { name: 'Contact', access: 'public', schema: SCHEMA })).id
const submit = async ({ owner, call }: Pick<World, 'owner' | 'call'>, formId: string): Promise<string> =>
  (await call<{ id: string }>(owner, 'POST', `/v1/forms/${formId}/submit`, { data: DATA })).id

type LinkKind = 'confirm' | 'unsubscribe'
/** The token of a link in an email to an address that a form notifies. */
async function notificationToken(
  { owner, sql, secrets, email }: Pick<World, 'owner' | 'sql' | 'secrets' | 'email'>,
  kind: LinkKind,
): Promise<string> {
  const id = newId('fnr')
  const state = kind === 'confirm' ? 'pending' : 'confirmed'
  await sql(
    `insert into forms_recipients (tenant_id, id, email, state, link_version, requested_at, created_at, updated_at)
     values ($1, $2, $3, $4, 1, now(), now(), now())`,
    [owner.tenantId, id, email(), state],
  )
  return `${id}.1.${secrets.sign(`forms.recipient.${kind}`, id, '1')}`
}

export const forms = defineRequests(
  async world => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => create(world)))
    const id = ids[0] as string
    const filled = ids[1] as string
    const submissions: string[] = []
    for (let n = 0; n < 25; n++) submissions.push(await submit(world, filled))
    return { id, filled, sid: submissions[0] as string }
  },
  {
    'GET /v1/forms': ({ owner }) => api(owner, '/v1/forms?limit=20'),
    'POST /v1/forms': ({ owner }) => api(owner, '/v1/forms', { name: 'Contact', access: 'public', schema: SCHEMA }),
    'GET /v1/forms/:id': ({ owner, id }) => api(owner, `/v1/forms/${id}`),
    'PATCH /v1/forms/:id': ({ owner, id }, n) => api(owner, `/v1/forms/${id}`, { name: `Contact ${n}` }),
    'DELETE /v1/forms/:id': async context => api(context.owner, `/v1/forms/${await create(context)}`),
    'GET /v1/forms/:id/blank': ({ id }) => api(undefined, `/v1/forms/${id}/blank`),
    'POST /v1/forms/:id/submit': ({ owner, id }) => api(owner, `/v1/forms/${id}/submit`, { data: DATA }),
    'GET /v1/forms/:id/submissions': ({ owner, filled }) => api(owner, `/v1/forms/${filled}/submissions?limit=20`),
    'GET /v1/forms/:id/submissions/:sid': ({ owner, filled, sid }) =>
      api(owner, `/v1/forms/${filled}/submissions/${sid}`),
    'PATCH /v1/forms/:id/submissions/:sid': ({ owner, filled, sid }, n) =>
      api(owner, `/v1/forms/${filled}/submissions/${sid}`, { note: `Note ${n}` }),
    'GET /v1/forms/:id/summary': ({ owner, filled }) => api(owner, `/v1/forms/${filled}/summary`),
    'DELETE /v1/forms/:id/submissions/:sid': async context => {
      const { owner, id } = context
      return api(owner, `/v1/forms/${id}/submissions/${await submit(context, id)}`)
    },
    'GET /forms/embed.js': () => page(undefined, '/forms/embed.js'),
    'GET /forms/frame.js': () => page(undefined, '/forms/frame.js'),
    'GET /forms/:id': ({ id }) => page(undefined, `/forms/${id}`),
    'POST /forms/:id': ({ id }) => form(undefined, `/forms/${id}`, FIELDS),
    'GET /forms/:id/frame': ({ id }) => page(undefined, `/forms/${id}/frame`),
    'GET /form-notifications/confirm': async world =>
      page(undefined, `/form-notifications/confirm?token=${await notificationToken(world, 'confirm')}`),
    'POST /form-notifications/confirm': async world => {
      const token = await notificationToken(world, 'confirm')
      return form(undefined, '/form-notifications/confirm', { token }, { status: 200 })
    },
    'GET /form-notifications/unsubscribe': async world =>
      page(undefined, `/form-notifications/unsubscribe?token=${await notificationToken(world, 'unsubscribe')}`),
    'POST /form-notifications/unsubscribe': async world => {
      const token = await notificationToken(world, 'unsubscribe')
      return form(undefined, '/form-notifications/unsubscribe', { token }, { status: 200 })
    },
    'POST /forms/:id/frame': ({ id }) => form(undefined, `/forms/${id}/frame`, FIELDS),
  },
)
