/** SQL of forms. The row has what applies to all versions; a version has its schema. */
import { common, type Deps, type PageOf, type RecordOf, type Unit } from '@larder-dev/larder/kernel'
import type { Access } from '../domain/access.ts'
import { type Form, type FormSummary, formTable, type VersionRow } from '../records/form.ts'
import type { AddressState, RecipientService } from './recipient-service.ts'

export type FormRow = Omit<RecordOf<typeof formTable>, 'createdAt' | 'updatedAt'> &
  Omit<VersionRow, 'number'> & { readonly recipeHash: string | null }
/** A form that the recipe declares or once declared. */
export type KeyedFormRow = FormRow & { readonly submissions: number }

export interface FormQuery {
  readonly limit?: number
  readonly cursor?: string | undefined
  readonly access?: Access | undefined
}
const FORM = formTable.columns('f')
const SCHEMAS = `v.schema, v.ui_schema as "uiSchema"`
const CURRENT = 'from forms_forms f join forms_versions v on v.form_id = f.id and v.number = f.version'
const SELECT_ROW = `select ${FORM}, ${SCHEMAS}, f.recipe_hash as "recipeHash" ${CURRENT}`

/** Locks the row until the unit ends. Throws `not_found`. */
export async function lockForm(unit: Unit, id: string): Promise<FormRow> {
  // Two statements, so that the second one reads the version that the previous holder of the lock wrote.
  const { read } = await unit.all({
    lock: ['select 1 from forms_forms where id = $1 for update', [id]],
    read: [`${SELECT_ROW} where f.id = $1`, [id]],
  })
  const [row] = read.rows as unknown as FormRow[]
  if (!row) throw common.not_found({ what: 'form' })
  return row
}

/** @param lock locks the rows until the unit ends. */
export async function keyedForms(unit: Unit, { lock }: { lock: boolean }): Promise<KeyedFormRow[]> {
  if (lock) await unit.query('select 1 from forms_forms where key is not null for update')
  const { rows } = await unit.query<KeyedFormRow>(
    `select k.*, (select count(*)::int from forms_submissions s where s.form_id = k.id) as submissions
     from (${SELECT_ROW} where f.key is not null) k order by k.key`,
  )
  return rows
}

/** The value of the gauge `forms.count`. */
export async function countForms({ database }: Deps<'database'>, tenantId: string): Promise<number> {
  const { rows } = await database
    .tenant(tenantId)
    .query<{ forms: number }>('select count(*)::int as forms from forms_forms')
  return rows[0]?.forms ?? 0
}

type ListingDeps = Deps<'database' | 'product'> & { readonly recipients: RecipientService }
export type FormListing = ReturnType<typeof createFormListing>

export function createFormListing({ database, product, recipients }: ListingDeps) {
  const withDetails = <Row extends { id: string; key: string | null }>(row: Row, states: AddressState[] = []) => ({
    ...row,
    recipients: states,
    url: `${product.publicUrl}/forms/${row.key ?? row.id}`,
  })
  return {
    /** Newest first. */
    async list(tenantId: string, { limit, cursor, access }: FormQuery): Promise<PageOf<FormSummary>> {
      const unit = database.tenant(tenantId)
      const { data, nextCursor } = await formTable.page(unit, { limit, cursor, where: { access } })
      const states = await recipients.states(tenantId, data)
      return { data: data.map((row, index) => withDetails(row, states[index])), nextCursor }
    },
    /** @param version the current one by default. Throws `not_found`. */
    async get(tenantId: string, id: string, version?: number): Promise<Form> {
      const { rows } = await database.tenant(tenantId).query<Omit<Form, 'url' | 'recipients'>>(
        `select ${FORM}, v.name, v.number as version, ${SCHEMAS} from forms_forms f
         join forms_versions v on v.form_id = f.id and v.number = coalesce($2::integer, f.version) where f.id = $1`,
        [id, version ?? null],
      )
      const [row] = rows
      if (!row) throw common.not_found({ what: version === undefined ? 'form' : 'version' })
      const [states] = await recipients.states(tenantId, [row])
      return withDetails(row, states)
    },
  }
}
