/** Collects the named schemas of an API document and detects two schemas with one name. */
import { docsOf, nameOf, type Reader, schemaFor, wholeSchema } from '@larder-dev/larder/kernel/internal'
import type { TSchema } from 'typebox'

export type Json = Record<string, unknown>

export interface Components {
  /** Named schemas that readers have found, by name. */
  readonly schemas: Json
  /** `place` is named in the error if another schema has the same name. */
  reader(place: string, close: boolean): Reader
}

interface Found {
  readonly schema: TSchema
  readonly place: string
  readonly closed: boolean
}

const REFS = '#/components/schemas/'

export function createComponents(schemas: Json): Components {
  const found = new Map<string, Found>()
  const reader = (place: string, close: boolean): Reader => ({
    close,
    dialect: '2020-12',
    refs: REFS,
    definitions: schemas,
    hoist(name, schema, isPart) {
      const closed = close && !isPart
      const known = found.get(name)
      if (known) assertSameShape(name, known, { schema, place })
      // A shape of replies stays open, because later versions may add fields to it.
      if (known && (!known.closed || closed)) return
      found.set(name, { schema, place: known?.place ?? place, closed })
      schemas[name] = schemaFor(reader(place, closed), unnamed(schema))
    },
  })
  return { schemas, reader }
}

type Placed = Pick<Found, 'schema' | 'place'>
export function assertSameShape(name: string, known: Placed, other: Placed): void {
  if (known.schema === other.schema || shapeOf(known.schema) === shapeOf(other.schema)) return
  throw new Error(`Two different schemas are named '${name}': in ${known.place} and in ${other.place}`)
}

const shapes = new WeakMap<object, string>()
function shapeOf(schema: TSchema): string {
  const shape = shapes.get(schema) ?? JSON.stringify(wholeSchema({ close: false, dialect: '2020-12' }, schema))
  shapes.set(schema, shape)
  return shape
}

/** A spread leaves out the name, which is a hidden property. */
const unnamed = (schema: TSchema): TSchema => ({ ...schema })

type Names = ReadonlyMap<string, TSchema>
const names = new WeakMap<object, Names>()

/** The named schemas in a schema, itself included. */
export function namesIn(node: object): Names {
  const known = names.get(node)
  if (known) return known
  const own = nameOf(node)
  const made = new Map<string, TSchema>(own === undefined ? [] : [[own, node as TSchema]])
  names.set(node, made)
  const { $defs } = node as { readonly $defs?: object }
  for (const [name, schema] of Object.entries($defs ?? {})) made.set(name, schema)
  const docs = docsOf(node)
  for (const part of docs ? [docs] : Object.values(node))
    if (typeof part === 'object' && part !== null) for (const [name, schema] of namesIn(part)) made.set(name, schema)
  return made
}

export const sorted = (entries: Json): Json =>
  Object.fromEntries(Object.entries(entries).toSorted(([a], [b]) => (a < b ? -1 : 1)))
