/** Creates, changes and deletes forms. Each change is a version, and the version number is the ETag. */

import type { IncomingHttpHeaders } from 'node:http'
import {
  common,
  type Deps,
  etag,
  type FieldError,
  fieldError,
  invalidFields,
  MINUTE,
  newId,
  originOf,
  requireMatch,
  type Unit,
  wording,
} from '@larder-dev/larder/kernel'
import type { Access } from '../domain/access.ts'
import type { SchemaError } from '../domain/schema-error.ts'
import { type Json, toPointer } from '../domain/schema-traversal.ts'
import { validateUiSchema } from '../domain/schema-validation.ts'
import { type Form, type FormPatch, formTable, type NewForm, versionTable } from '../records/form.ts'
import type { FormCache } from './form-cache.ts'
import { type FormListing, type FormRow, lockForm } from './form-repository.ts'
import type { FormValidation } from './form-validation.ts'
import type { RecipientConfirmation, Requester } from './recipient-confirmation.ts'

const COUNT = 'forms.count'
const DELETE_SUBMISSIONS = 'delete from forms_submissions where form_id = $1'

/** What a version stores beside its number, and what applies to all versions at once. */
export interface FormContent {
  readonly name: string
  readonly access: Access
  readonly schema: Json
  readonly uiSchema: Json | null
  readonly notify: readonly string[]
  readonly allowedOrigins: readonly string[]
}
/** User id of the author; null for the recipe. */
type Author = string | null
/** The caller of the API. */
interface Editor extends Requester {
  readonly userId: string
}
type FormServiceDeps = Deps<'database' | 'clock' | 'events' | 'jobs', 'entitlements'> & {
  readonly formCache: FormCache
  readonly formListing: FormListing
  readonly formValidation: FormValidation
  readonly recipientConfirmation: RecipientConfirmation
}

export interface FormService {
  /** Returns the id. Throws `entitlement_exceeded` if the plan allows no more forms, and `email_not_verified`. */
  create(tenantId: string, form: NewForm, editor: Editor): Promise<string>
  /** Returns the form as this change leaves it. Throws `email_not_verified` if the patch adds addresses that must confirm. */
  update(tenantId: string, id: string, patch: FormPatch, headers: IncomingHttpHeaders, editor: Editor): Promise<Form>
  remove(tenantId: string, id: string, headers: IncomingHttpHeaders): Promise<void>
  /** Inserts a validated form in the given unit. @param key of a form of the recipe. */
  insert(unit: Unit, tenantId: string, content: FormContent, author: Author, key: string | null): Promise<string>
  /** Writes a version in a unit that has locked the row. Does nothing if the content stays the same. */
  applyChange(unit: Unit, tenantId: string, form: FormRow, change: Partial<FormContent>, author: Author): Promise<void>
  /** Deletes the form with its versions and submissions in a unit that has locked the row. */
  delete(unit: Unit, tenantId: string, form: FormRow): Promise<void>
  /** Deletes the submissions of a deleted form. */
  deleteSubmissions(tenantId: string, formId: string): Promise<void>
}

export function createFormService(deps: FormServiceDeps): FormService {
  const { database, clock, events, jobs, entitlements } = deps
  const { formCache, formListing, formValidation, recipientConfirmation } = deps
  const now = () => new Date(clock.now())

  /** Throws 422 for errors that the schema of the body can't express. */
  async function validate(tenantId: string, { schema, uiSchema, allowedOrigins = [] }: FormPatch): Promise<void> {
    const errors = [
      ...(schema ? toFieldErrors('/schema', await formValidation.schemaErrors(tenantId, schema)) : []),
      ...(uiSchema ? toFieldErrors('/uiSchema', validateUiSchema(uiSchema)) : []),
      ...allowedOrigins.flatMap((origin, at) => (originOf(origin) ? [] : [invalidOrigin(`/allowedOrigins/${at}`)])),
    ]
    if (errors.length > 0) throw invalidFields(errors)
  }

  async function publishChange(
    change: 'created' | 'updated' | 'deleted',
    tenantId: string,
    form: Pick<FormRow, 'id' | 'key' | 'name' | 'access' | 'version'>,
  ): Promise<void> {
    const { id: formId, key, name, access, version } = form
    const payload = { formId, key, name, access, version }
    await events.publish(`forms.form.${change}`, { payload, subject: formId, tenantId })
    formCache.invalidateAfterCommit(formId)
  }

  async function writeVersion(
    unit: Unit,
    tenantId: string,
    version: { readonly formId: string; readonly number: number },
    content: FormContent,
    author: Author,
  ): Promise<void> {
    const values = { ...content, ...version, tenantId, createdBy: author, createdAt: now() }
    await unit.defer([versionTable.insertStep(values)])
  }

  const insert: FormService['insert'] = async (unit, tenantId, content, author, key) => {
    const id = newId('frm', clock.now())
    const row = { ...content, id, tenantId, key, version: 1, createdAt: now(), updatedAt: now() }
    await unit.defer([formTable.insertStep(row)])
    await writeVersion(unit, tenantId, { formId: id, number: 1 }, content, author)
    await publishChange('created', tenantId, row)
    return id
  }

  const applyChange: FormService['applyChange'] = async (unit, tenantId, form, change, author) => {
    if (changesNothing(change, form)) return
    const changed = { ...form, ...change, version: form.version + 1 }
    const { id, version } = changed
    await writeVersion(unit, tenantId, { formId: id, number: version }, changed, author)
    await unit.defer([formTable.updateStep({ id }, { ...formTable.pick(change), version, updatedAt: now() })])
    await publishChange('updated', tenantId, changed)
  }

  const deleteSubmissions: FormService['deleteSubmissions'] = async (tenantId, formId) => {
    await database.tenant(tenantId).query(DELETE_SUBMISSIONS, [formId])
  }

  const deleteForm: FormService['delete'] = async (unit, tenantId, form) => {
    await unit.defer([formTable.deleteStep({ id: form.id }), [DELETE_SUBMISSIONS, [form.id]]])
    // A concurrent submission may still find the form and be written after this.
    const at = new Date(clock.now() + MINUTE)
    await jobs.enqueue('forms.delete_late_submissions', { formId: form.id }, { at, tenantId })
    await publishChange('deleted', tenantId, form)
  }

  /** Locks a form of the tenant's own that matches `If-Match`, for `work`. */
  async function change<T>(
    tenantId: string,
    id: string,
    headers: IncomingHttpHeaders,
    work: (unit: Unit, form: FormRow) => Promise<T>,
  ): Promise<T> {
    return database.tenant(tenantId).transaction(async unit => {
      const form = await lockForm(unit, id)
      if (form.managedBy !== null) throw common.managed_by_recipe()
      requireMatch(headers, etag(form.version))
      return work(unit, form)
    })
  }

  return {
    async create(tenantId, form, editor) {
      await validate(tenantId, form)
      return database.tenant(tenantId).transaction(async unit => {
        await entitlements?.require(tenantId, COUNT)
        await entitlements?.requireRowStorage(tenantId, sizeOf(form))
        const id = await insert(unit, tenantId, toFormContent(form), editor.userId, null)
        await recipientConfirmation.request(unit, tenantId, form.notify ?? [], editor)
        return id
      })
    },
    async update(tenantId, id, patch, headers, editor) {
      await validate(tenantId, patch)
      await entitlements?.requireRowStorage(tenantId, sizeOf(patch))
      return change(tenantId, id, headers, async (unit, form) => {
        await applyChange(unit, tenantId, form, patch, editor.userId)
        await recipientConfirmation.request(unit, tenantId, patch.notify ?? [], editor)
        // Before the commit, after which others can change the form.
        return formListing.get(tenantId, id)
      })
    },
    remove: (tenantId, id, headers) => change(tenantId, id, headers, (unit, form) => deleteForm(unit, tenantId, form)),
    insert,
    applyChange,
    delete: deleteForm,
    deleteSubmissions,
  }
}

/** In the order on which the hash of a form in the recipe depends. */
export const toFormContent = ({
  name,
  access = 'tenant',
  schema,
  uiSchema = null,
  notify = [],
  allowedOrigins = [],
  ...added
}: NewForm): FormContent => ({ name, access, schema, uiSchema, notify, allowedOrigins, ...added })

const sizeOf = (form: FormPatch): number => Buffer.byteLength(JSON.stringify(form))

/** Compares texts, because the order of a schema's fields is the order on the page. */
const changesNothing = (change: object, form: object): boolean =>
  Object.entries(change).every(([name, value]) => JSON.stringify(value) === JSON.stringify(Reflect.get(form, name)))

const toFieldErrors = (prefix: string, errors: readonly SchemaError[]): FieldError[] =>
  errors.map(({ path, code, detail }) => fieldError(prefix + toPointer(path), code, detail))

const invalidOrigin = (pointer: string): FieldError =>
  fieldError(pointer, 'wrong_format', wording('must be an origin, like https://shop.example'))
