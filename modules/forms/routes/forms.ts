/** Forms themselves. A route is one object: copy one, and it is mounted, checked, documented and limited. */
import { common, type Deps, etag, KIB, listOf, listQuery, reply, route, Type } from 'larder/kernel'
import { Access, Form, FormPatch, FormSummary, NewForm } from './form-schemas.ts'

/** Schema, uiSchema and the rest: bytes. */
const FORM_LIMIT = 256 * KIB
const shown = (status: number, form: Form, headers: Record<string, string> = {}) =>
  reply(status, form, { etag: etag(form.version), ...headers })

export function formRoutes({ forms: { editing, rows } }: Deps<'forms'>) {
  const list = route({
    method: 'get',
    path: '/forms',
    summary: 'Forms, newest first, without their schemas.',
    allow: 'forms.form.read',
    query: listQuery({ 'filter[access]': Type.Optional(Access) }),
    replies: { 200: listOf(FormSummary) },
    handle: ({ tenantId, query }) => rows.list(tenantId, { ...query, access: query['filter[access]'] }),
  })

  const create = route({
    method: 'post',
    path: '/forms',
    summary: 'Makes a form from a JSON Schema.',
    allow: 'forms.form.create',
    body: NewForm,
    bodyLimit: FORM_LIMIT,
    replies: { 201: Form },
    async handle({ tenantId, body, caller }) {
      const id = await editing.create(tenantId, body, caller.userId)
      return shown(201, await rows.get(tenantId, id), { location: `/v1/forms/${id}` })
    },
  })

  const get = route({
    method: 'get',
    path: '/forms/:id',
    summary: 'A form; with version what it asked for then.',
    allow: 'forms.form.read',
    query: Type.Object({ version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })) }),
    replies: { 200: Form },
    handle: async ({ tenantId, params, query }) => shown(200, await rows.get(tenantId, params.id, query.version)),
  })

  const update = route({
    method: 'patch',
    path: '/forms/:id',
    summary: 'Changes a form: each change is a version. With If-Match only if nobody else changed it.',
    allow: 'forms.form.update',
    body: FormPatch,
    bodyLimit: FORM_LIMIT,
    replies: { 200: Form },
    problems: [common.managed_by_recipe, common.precondition_failed],
    async handle({ tenantId, params, body, caller, request }) {
      await editing.update(tenantId, params.id, body, request.headers, caller.userId)
      return shown(200, await rows.get(tenantId, params.id))
    },
  })

  const remove = route({
    method: 'delete',
    path: '/forms/:id',
    summary: 'Deletes a form with everything that was sent to it.',
    allow: 'forms.form.delete',
    replies: { 204: null },
    problems: [common.managed_by_recipe, common.precondition_failed],
    handle: ({ tenantId, params, request }) => editing.remove(tenantId, params.id, request.headers),
  })

  return [list, create, get, update, remove]
}
