import {
  common,
  KIB,
  listOf,
  listQuery,
  replyWithEtag,
  route,
  Type,
  workerPoolProblems,
} from '@larder-dev/larder/kernel'
import { Access, Form, FormPatch, FormSummary, NewForm } from '../records/form.ts'
import type { FormServices } from '../services.ts'

/** Bytes of schema, uiSchema and all other fields. */
const MAX_FORM_SIZE = 256 * KIB
const replyWith = replyWithEtag((form: Form) => form.version)

export function formRoutes({ forms, formListing }: Pick<FormServices, 'forms' | 'formListing'>) {
  const list = route({
    method: 'get',
    path: '/forms',
    operationId: 'listForms',
    summary: 'Lists forms without their schemas, newest first.',
    allow: 'forms.form.read',
    query: listQuery(),
    filters: { access: Access },
    replies: { 200: listOf(FormSummary) },
    handle: ({ tenantId, query, filters }) => formListing.list(tenantId, { ...query, ...filters }),
  })

  const create = route({
    method: 'post',
    path: '/forms',
    operationId: 'createForm',
    summary: 'Creates a form from a JSON Schema.',
    allow: 'forms.form.create',
    body: NewForm,
    bodyLimit: MAX_FORM_SIZE,
    replies: { 201: Form },
    problems: [
      workerPoolProblems.worker_pool_busy,
      'entitlement_exceeded',
      common.email_not_verified,
      common.impersonated,
    ],
    // No unit: it would hold a connection while the schema is validated.
    unit: 'own',
    async handle({ tenantId, body, caller }) {
      const id = await forms.create(tenantId, body, caller)
      return replyWith(201, await formListing.get(tenantId, id), { location: `/v1/forms/${id}` })
    },
  })

  const get = route({
    method: 'get',
    path: '/forms/:id',
    operationId: 'getForm',
    summary: 'Returns a form, or one of its versions.',
    allow: 'forms.form.read',
    query: Type.Object({ version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })) }),
    replies: { 200: Form },
    handle: async ({ tenantId, params, query }) =>
      replyWith(200, await formListing.get(tenantId, params.id, query.version)),
  })

  const update = route({
    method: 'patch',
    path: '/forms/:id',
    operationId: 'updateForm',
    summary: 'Changes a form. Each change creates a version. Supports If-Match.',
    allow: 'forms.form.update',
    body: FormPatch,
    bodyLimit: MAX_FORM_SIZE,
    replies: { 200: Form },
    // No unit: it would hold a connection while the schema is validated.
    unit: 'own',
    problems: [
      workerPoolProblems.worker_pool_busy,
      'entitlement_exceeded',
      common.managed_by_recipe,
      common.precondition_failed,
      common.email_not_verified,
      common.impersonated,
    ],
    async handle({ tenantId, params, body, caller, request }) {
      return replyWith(200, await forms.update(tenantId, params.id, body, request.headers, caller))
    },
  })

  const remove = route({
    method: 'delete',
    path: '/forms/:id',
    operationId: 'deleteForm',
    summary: 'Deletes a form and its submissions. Supports If-Match.',
    allow: 'forms.form.delete',
    replies: { 204: null },
    problems: [common.managed_by_recipe, common.precondition_failed],
    handle: ({ tenantId, params, request }) => forms.remove(tenantId, params.id, request.headers),
  })

  return [list, create, get, update, remove]
}
