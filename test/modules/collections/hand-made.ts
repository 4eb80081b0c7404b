/** Hand-made collections with their tables, for tests without a kernel. */

import type { Migrator } from '../../../kernel/internal.ts'
import type {
  Collection,
  Collections,
  Field,
  Reference,
} from '../../../modules/collections/domain/declarations/collection.ts'
import { columnName, joinTableName, tableName } from '../../../modules/collections/domain/declarations/naming.ts'
import { specOf } from '../../../modules/collections/domain/fields/field-types.ts'

type GivenField = Pick<Field, 'type'> & Partial<Omit<Field, 'reference'>> & { readonly reference?: Partial<Reference> }
type GivenCollection = Partial<Omit<Collection, 'fields'>> & { readonly fields: Readonly<Record<string, GivenField>> }

const EMPTY_FIELD = {
  help: undefined,
  required: false,
  default: undefined,
  defaultFrom: undefined,
  onUpdate: undefined,
  sequence: undefined,
  unique: false,
  index: false,
  writeOnce: false,
  readOnly: false,
  private: false,
  readRoles: undefined,
  writeRoles: undefined,
  minLength: undefined,
  maxLength: undefined,
  min: undefined,
  max: undefined,
  pattern: undefined,
  values: undefined,
  from: undefined,
  currency: undefined,
  accept: undefined,
  maxSize: undefined,
  schema: undefined,
  computed: undefined,
  was: undefined,
  using: undefined,
  valueLabels: {},
  states: undefined,
} as const

export const makeField = (name: string, { reference, ...given }: GivenField): Field => ({
  ...EMPTY_FIELD,
  name,
  column: columnName(name),
  label: name,
  isIndexed: given.index ?? false,
  ...given,
  reference: reference && { to: '', many: false, onDelete: 'restrict', ...reference },
})

const EVERYBODY = { 'tenant.member': {} }

export const makeCollection = (name: string, { fields, ...given }: GivenCollection): Collection => ({
  name,
  table: tableName(name),
  idPrefix: name.slice(0, -1),
  title: name,
  label: name,
  help: undefined,
  scope: 'tenant',
  unique: [],
  index: [],
  noOverlap: undefined,
  capacity: undefined,
  search: [],
  limit: undefined,
  access: {
    anyone: undefined,
    signedIn: undefined,
    guests: undefined,
    actions: { read: EVERYBODY, create: EVERYBODY, update: EVERYBODY, delete: EVERYBODY },
  },
  trashMs: 0,
  history: 0,
  rows: [],
  seed: undefined,
  was: undefined,
  from: 'recipe',
  ...given,
  fields: new Map(Object.entries(fields).map(([key, field]) => [key, makeField(key, field)])),
})

export const collectionsOf = (...collections: readonly Collection[]): Collections =>
  new Map(collections.map(collection => [collection.name, collection]))

const COLUMN_TYPES: Readonly<Record<string, string>> = {
  integer: 'bigint',
  money: 'bigint',
  duration: 'bigint',
  number: 'double precision',
  boolean: 'boolean',
  date: 'date',
  datetime: 'timestamptz',
  json: 'jsonb',
}

/** Creates the tables of collections. References must lead to earlier ones. */
export async function createTables(migrator: Migrator, collections: readonly Collection[]): Promise<void> {
  for (const collection of collections) {
    const own = [...collection.fields.values()].filter(({ reference }) => !reference?.many)
    const columns = own.map(
      field => `"${field.column}" ${COLUMN_TYPES[field.type] ?? 'text'}${field.unique ? ' unique' : ''}`,
    )
    await migrator.tenantTable(
      `"${collection.table}"`,
      `id text not null, created_at timestamptz not null, updated_at timestamptz not null, created_by text,
       revision bigint not null, deleted_at timestamptz, ${columns.join(', ')}, primary key (tenant_id, id)`,
    )
    for (const { name, reference } of collection.fields.values())
      if (reference?.many)
        await migrator.tenantTable(
          `"${joinTableName(collection.name, name)}"`,
          'row_id text not null, target_id text not null, position integer not null, primary key (tenant_id, row_id, target_id)',
        )
  }
}

/** Statements that insert a row of JSON values. */
export function insertRow(
  tenantId: string,
  collection: Collection,
  row: Readonly<Record<string, unknown>>,
): [text: string, values: unknown[]][] {
  const own = [...collection.fields.values()].filter(({ reference }) => !reference?.many)
  const values = own.map(field => {
    const value = row[field.name] ?? null
    if (value === null) return null
    if (field.type === 'json') return JSON.stringify(value)
    const { parse, toColumn } = specOf(field)
    return toColumn(parse(value) as string)
  })
  const columns = own.map(({ column }) => `"${column}"`)
  const all = [tenantId, row.id, row.createdAt, row.updatedAt, row.createdBy, row.revision, ...values]
  const links = [...collection.fields.values()].flatMap(({ name, reference }) =>
    reference?.many
      ? ((row[name] ?? []) as string[]).map((id, at): [string, unknown[]] => [
          `insert into "${joinTableName(collection.name, name)}" values ($1, $2, $3, $4)`,
          [tenantId, row.id, id, at],
        ])
      : [],
  )
  return [
    [
      `insert into "${collection.table}" (tenant_id, id, created_at, updated_at, created_by, revision${columns.map(column => `, ${column}`).join('')})
       values (${all.map((_, at) => `$${at + 1}`).join(', ')})`,
      all,
    ],
    ...links,
  ]
}
