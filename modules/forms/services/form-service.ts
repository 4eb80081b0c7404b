/** Forms: written, changed, deleted. Each change is a version, and the version is the ETag. */

import type { IncomingHttpHeaders } from 'node:http'
import { common, type Deps, etag, type FieldError, MINUTE, newId, requireMatch, type Unit } from 'larder/kernel'
import { boundFaults, type Fault, schemaFaults } from '../domain/schema-validation.ts'

import { type Json, pointerOf } from '../domain/schema-traversal.ts'
import { invalidFields } from '../problems.ts'
import type { FormPatch, NewForm } from '../routes/form-schemas.ts'
import type { Definitions } from './form-cache.ts'
import { type FormRow, lockForm } from './form-repository.ts'

const COUNT = 'forms.count'

/** What a version holds beside its number, and what counts at once. */
export interface Content {
  readonly name: string
  readonly access: 'tenant' | 'public'
  readonly schema: Json
  readonly uiSchema: Json | null
  readonly notify: readonly string[]
  readonly allowedOrigins: readonly string[]
}
/** Who writes: a user's id, or null for the recipe. */
type By = string | null

export function createEditing(
  { database, clock, events, jobs, entitlements }: Deps<'database' | 'clock' | 'events' | 'jobs', 'entitlements'>,
  definitions: Definitions,
) {
  const now = () => new Date(clock.now())

  async function tell(what: 'created' | 'updated' | 'deleted', tenantId: string, form: Omit<FormRow, 'schema'>) {
    const { id: formId, key, name, access, version } = form
    const payload = { formId, key, name, access, version }
    await events.publish(`forms.form.${what}`, { payload, subject: formId, tenantId })
    definitions.changed(formId)
  }

  async function writeVersion(unit: Unit, tenantId: string, id: string, number: number, content: Content, by: By) {
    const { name, schema, uiSchema } = content
    await unit.query(
      `insert into forms_versions (tenant_id, form_id, number, name, schema, ui_schema, created_by, created_at)
       values ($1, $2, $3, $4, $5::json, $6::json, $7, $8)`,
      [tenantId, id, number, name, JSON.stringify(schema), uiSchema && JSON.stringify(uiSchema), by, now()],
    )
  }

  /** Within a unit. @param key of a form of the recipe. */
  async function insert(unit: Unit, tenantId: string, content: Content, by: By, key: string | null): Promise<string> {
    const id = newId('frm', clock.now())
    const { name, access, notify, allowedOrigins } = content
    await unit.query(
      `insert into forms_forms (tenant_id, id, key, name, access, notify, allowed_origins, version, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, 1, $8, $8)`,
      [tenantId, id, key, name, access, notify, allowedOrigins, now()],
    )
    await writeVersion(unit, tenantId, id, 1, content, by)
    await tell('created', tenantId, await lockForm(unit, id))
    return id
  }

  /** Within a unit that holds the row. Nothing changes: nothing happens. */
  async function apply(unit: Unit, tenantId: string, form: FormRow, content: Content, by: By): Promise<void> {
    if (inOrder(content) === inOrder(form)) return
    const { name, access, notify, allowedOrigins } = content
    const version = form.version + 1
    await writeVersion(unit, tenantId, form.id, version, content, by)
    await unit.query(
      `update forms_forms set name = $2, access = $3, notify = $4, allowed_origins = $5, version = $6, updated_at = $7
       where id = $1`,
      [form.id, name, access, notify, allowedOrigins, version, now()],
    )
    await tell('updated', tenantId, { ...form, name, access, version })
  }

  /** Within a unit that holds the row; submissions and versions go too. */
  async function erase(unit: Unit, tenantId: string, form: FormRow): Promise<void> {
    await unit.query('delete from forms_forms where id = $1', [form.id])
    await forget(tenantId, form.id)
    // What was being sent just now found the form still there.
    await jobs.enqueue('forms.forget', { formId: form.id }, { at: new Date(clock.now() + MINUTE), tenantId })
    await tell('deleted', tenantId, form)
  }

  async function forget(tenantId: string, formId: string): Promise<void> {
    await database.tenant(tenantId).query('delete from forms_submissions where form_id = $1', [formId])
  }

  async function change(tenantId: string, id: string, headers: IncomingHttpHeaders, work: Work): Promise<void> {
    await database.tenant(tenantId).transaction(async unit => {
      const form = await lockForm(unit, id)
      if (form.managedBy !== null) throw common.managed_by_recipe()
      requireMatch(headers, etag(form.version))
      await work(unit, form)
    })
  }

  return {
    insert,
    apply,
    erase,
    /** What was sent to a form that is gone. */
    forget,
    /** Returns the id. Throws `entitlement_exceeded` where the plan gives no more forms. */
    async create(tenantId: string, form: NewForm, by: By): Promise<string> {
      check(form)
      return database.tenant(tenantId).transaction(async unit => {
        await entitlements?.require(tenantId, COUNT)
        return insert(unit, tenantId, contentOf(form), by, null)
      })
    },
    async update(tenantId: string, id: string, patch: FormPatch, headers: IncomingHttpHeaders, by: By): Promise<void> {
      check(patch)
      await change(tenantId, id, headers, (unit, form) =>
        apply(unit, tenantId, form, contentOf({ ...form, ...patch }), by),
      )
    },
    remove: (tenantId: string, id: string, headers: IncomingHttpHeaders): Promise<void> =>
      change(tenantId, id, headers, (unit, form) => erase(unit, tenantId, form)),
  }
}
type Work = (unit: Unit, form: FormRow) => Promise<void>

export const contentOf = (form: NewForm): Content => ({
  name: form.name,
  access: form.access ?? 'tenant',
  schema: form.schema,
  uiSchema: form.uiSchema ?? null,
  notify: form.notify ?? [],
  allowedOrigins: form.allowedOrigins ?? [],
})

/** As text: the order of fields is what is shown. */
const inOrder = ({ name, access, schema, uiSchema, notify, allowedOrigins }: Content) =>
  JSON.stringify([name, access, schema, uiSchema, notify, allowedOrigins])

/** Throws 422 for what the schema of the body cannot know. */
function check({ schema, uiSchema, allowedOrigins = [] }: FormPatch): void {
  const errors = [
    ...(schema === undefined ? [] : asErrors('/schema', schemaFaults(schema))),
    ...(uiSchema ? asErrors('/uiSchema', boundFaults(uiSchema)) : []),
    ...allowedOrigins.flatMap((origin, index) => (isOrigin(origin) ? [] : [wrongOrigin(`/allowedOrigins/${index}`)])),
  ]
  if (errors.length > 0) throw invalidFields('', errors)
}

const asErrors = (place: string, faults: readonly Fault[]): FieldError[] =>
  faults.map(({ path, code, detail }) => ({ pointer: place + pointerOf(path), code, detail }))

/** `https://shop.example`, as a browser writes it. */
export const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text
const wrongOrigin = (pointer: string): FieldError => ({
  pointer,
  code: 'wrong_format',
  detail: 'must be an origin as browsers write it, like https://shop.example',
})

/** What the gauge `forms.count` counts. */
export async function countForms({ database }: Deps<'database'>, tenantId: string): Promise<number> {
  const { rows } = await database
    .tenant(tenantId)
    .query<{ forms: number }>('select count(*)::int as forms from forms_forms')
  return rows[0]?.forms ?? 0
}
