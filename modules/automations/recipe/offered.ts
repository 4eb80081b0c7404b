/** What a trigger offers, as a schema of `event`, `row`, `input` and the others. Pure. */
import type { ValidatedRecipe } from '@larder-dev/larder/kernel'
import type { DeclaredAutomation, DeclaredInputField } from '../domain/definition/declared.ts'
import { inputObject } from '../domain/definition/input-fields.ts'
import type { AutomationRows } from '../ports.ts'
import type { RowKinds } from '../services/row-kinds.ts'
import { ANY, type Schema } from './types.ts'

export interface Offered {
  /** The event, of triggers that have several. */
  readonly of: string | undefined
  readonly schema: Schema
  /** The collection of `row`. */
  readonly collection: string | undefined
  /** Whether `row` is the last one of a deleted row. */
  readonly isGone?: boolean
}

const text: Schema = { type: 'string' }
const time: Schema = { type: 'string', format: 'date-time' }
/** Marks a value that a person has chosen, so that it may grant something. */
export const CHOSEN = { chosen: true } as const
export const object = (properties: Readonly<Record<string, unknown>>): Schema => ({ type: 'object', properties })

const PRODUCT = object({ key: text, name: text, publicUrl: { type: 'string', format: 'uri' } })
const WORKSPACE = object({ id: text, name: text, slug: text })

/** The payload of each event of the recipe's modules and services, by type. */
export const eventSchemas = ({
  modules,
  services,
}: Pick<ValidatedRecipe, 'modules' | 'services'>): ReadonlyMap<string, Schema> =>
  new Map([...services, ...modules].flatMap(({ module }) => Object.entries(module.events ?? {}) as [string, Schema][]))

/** One for each event of `on`; one for the other triggers. Events and collections that don't exist are left out. */
export function offeredBy(
  { on, every, each, before, after, button, hook }: DeclaredAutomation,
  events: ReadonlyMap<string, Schema>,
  rows: RowKinds,
): Offered[] {
  const offer = (own: Readonly<Record<string, unknown>>, collection?: string, of?: string): Offered => {
    const row = collection === undefined ? undefined : rows.all.get(collection)?.row
    return {
      of,
      collection,
      schema: object({ ...(row && { row }), ...own, steps: object({}), workspace: WORKSPACE, product: PRODUCT }),
    }
  }
  if (on !== undefined)
    return [on].flat().flatMap(type => {
      const payload = payloadOf(type, events, rows)
      if (!payload) return []
      const found = rows.ofEvent(type)
      const event = object({ id: text, type: text, occurredAt: time, subject: text, payload })
      const previous = found?.kind === 'updated' && { previous: publicRow(found.rows) }
      const last = found?.kind === 'deleted' && { row: publicRow(found.rows) }
      return {
        ...offer({ event, ...previous, ...last }, found?.rows.collection, type),
        isGone: found?.kind === 'deleted',
      }
    })
  if (every !== undefined) return [offer({ plannedAt: time }, typeof each === 'object' ? each.collection : undefined)]
  const moment = before ?? after
  if (moment) return [offer({ date: time }, moment.field.split('.')[0])]
  if (button) return [offer({ input: chosenInput(button.input ?? {}) }, button.on)]
  return [offer({ input: hook?.input ? inputSchema(hook.input) : ANY })]
}

/** The payload of an event, with the fields of its row. */
export function payloadOf(type: string, events: ReadonlyMap<string, Schema>, rows: RowKinds): Schema | undefined {
  const payload = events.get(type)
  const found = rows.ofEvent(type)
  if (!payload || !found) return payload
  const row = publicRow(found.rows)
  return {
    ...payload,
    properties: { ...(payload.properties as object), row, ...(found.kind === 'updated' && { previous: row }) },
  }
}

/** A row as its events have it. */
const publicRow = ({ row, privateFields }: AutomationRows): Schema => {
  const properties = Object.entries((row as unknown as Schema).properties as Readonly<Record<string, Schema>>)
  return object(Object.fromEntries(properties.filter(([name]) => !privateFields.includes(name))))
}

/** As it is validated when it arrives. The recipe names only declared fields, also those of a hook. */
const inputSchema = (fields: Readonly<Record<string, DeclaredInputField>>): Schema =>
  inputObject(fields, true) as unknown as Schema

/** A person fills in the form of a button. Another system sends the body of a hook. */
function chosenInput(fields: Readonly<Record<string, DeclaredInputField>>): Schema {
  const { properties } = inputSchema(fields) as { readonly properties: Readonly<Record<string, Schema>> }
  return object(Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, { ...each, ...CHOSEN }])))
}

/** The same with the output of a step under its name, or with an item of a list. */
export const withStep = (offered: Offered, name: string, output: Schema): Offered => {
  const properties = offered.schema.properties as Readonly<Record<string, Schema>>
  const steps = (properties.steps?.properties ?? {}) as Readonly<Record<string, Schema>>
  return { ...offered, schema: object({ ...properties, steps: object({ ...steps, [name]: output }) }) }
}
export const withItem = (offered: Offered, item: Schema): Offered => ({
  ...offered,
  schema: object({ ...(offered.schema.properties as object), item }),
})
